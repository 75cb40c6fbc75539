import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import { setRetentionRule } from '../../../src/db/retention/rules.ts'
import { applyRetention } from '../../../src/pipeline/erasure/apply-retention.ts'
import { findCanaries } from '../../helpers/canaries.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { testPipeline } from '../../helpers/pipeline.ts'
import { HEADER } from './erased-permits.ts'

const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts')
const NAME = 'Zebulon Quack'
const RECORDS = 150

t.test('retention whose process is killed again and again is carried out in full, and once', async t => {
  const pipeline = await testPipeline(t)
  const { pool, deps, folder, url } = pipeline
  pipeline.work()
  const rows = Array.from({ length: RECORDS }, (_, n) => `P-${n},BLDG,1234567${n},53033,1.00,${NAME}`)
  const { id } = await pipeline.submit([{ name: `${NAME}.csv`, bytes: [HEADER, ...rows].join('\n'), type: 'text/csv' }])
  await pipeline.finished(id)
  await pool.query(`update batch set finished_at = finished_at - interval '40 days'`)
  await pool.query(`update record set updated_at = updated_at - interval '40 days'`)
  await setRetentionRule(pool, {
    jurisdiction: JURISDICTION,
    profile: 'permit',
    what: 'record',
    days: 30,
    setBy: 'system:test'
  })

  const erased = async (): Promise<number> =>
    (await pool.query<{ count: number }>('select count(*)::int as count from record_erasure')).rows[0]?.count ?? 0
  const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null
  let kills = 0
  for (const least of [1, 40, 90, RECORDS]) {
    const env = { ...process.env, DOCKET_DATA: folder, DATABASE_URL: url }
    const child = spawn(process.execPath, [MAIN, 'retention', 'run'], { env, stdio: 'ignore' })
    const end = once(child, 'exit')
    while (!hasEnded(child) && (await erased()) < least) continue
    if (child.kill('SIGKILL')) kills += 1
    await end
  }
  t.ok(kills > 0, `killed ${kills} times`)
  await applyRetention(deps)
  t.equal(await applyRetention(deps), 0)
  t.equal(await erased(), RECORDS)
  const { rows: entries } = await pool.query<{ count: number }>(
    `select count(*)::int as count from audit_entry where position('"erased"' in convert_from(entry, 'UTF8')) > 0`
  )
  t.equal(entries[0]?.count, RECORDS, 'one entry for each')
  t.strictSame((await findCanaries(pool, [folder], [NAME])).found, [])
  t.strictSame((await verify({ pool, store: deps.store, payloads: true })).offenders, [])
})
