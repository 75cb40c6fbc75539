import type { Test } from 'tap'
import type { LogKeys } from '../../../src/audit/verify/check-log.ts'
import { CHECK_NAMES, CHECKS } from '../../../src/audit/verify/checks.ts'
import { verify } from '../../../src/audit/verify/verify.ts'
import type { Pool } from '../../../src/db/pool.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import type { Fault } from './faults/fault.ts'
import { planter } from './plant.ts'
import { cleanDatabase } from './scenario.ts'

/** Plants one fault after the other in a clean database: exactly the checks named must fail, on the right subject. */
export async function testFaults(
  t: Test,
  faults: readonly Fault[],
  options: {
    readonly pages?: boolean
    readonly keys?: LogKeys
    /** Done in the clean database before anything is planted. */
    readonly prepare?: (pool: Pool) => Promise<void>
  } = {}
): Promise<void> {
  const { pool } = await cleanDatabase(t)
  await options.prepare?.(pool)
  const keys = options.keys ? { keys: options.keys } : {}
  const db = await planter(pool, options)
  t.teardown(() => db.end())
  t.same((await verify({ pool, ...keys })).offenders, [], 'nothing is wrong before')
  for (const { check, by, plant, also = [] } of faults) {
    await t.test(`${check}: ${by}`, async t => {
      t.teardown(() => db.restore())
      const subject = await plant(db)
      const { ok, offenders } = await verify({ pool, ...keys })
      t.equal(ok, false)
      const expected = CHECK_NAMES.filter(name => name === check || also.includes(name))
      t.same(
        offenders.map(offender => offender.check),
        expected
      )
      const { invariant } = CHECKS[check]
      t.match(
        offenders.find(offender => offender.check === check),
        { subject, invariant, jurisdiction: JURISDICTION }
      )
    })
  }
  t.same((await verify({ pool, ...keys })).offenders, [], 'all faults are gone again')
}
