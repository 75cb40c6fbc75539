import t from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import { newId } from '../../../src/model/ids.ts'
import { rejectRecord } from '../../../src/review/decide.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { testPipeline } from '../../helpers/pipeline.ts'
import { errorsOf, fates, send } from './round-trip.ts'

const HEADER = 'permit_number,parcel_id,permit_type,issued_date,valuation'
const OWN = '_record_id,_line,_codes,_messages'
const row = (number: string, id: string): string => `${number},22-1,roof,2024-02-29,1.00,${id},2,,`
const csv = (...rows: string[]): string => [`${HEADER},${OWN}`, ...rows, ''].join('\n')

t.test('a row that was sent as the reason of its refusal asks is accepted', async t => {
  const p = await testPipeline(t)
  p.work()
  const first = await send(p, { name: 'a.csv', bytes: `${HEADER}\nA,22-1,roof,2024-02-30,1.00\n` })
  const id = (await fates(p, first))[0]?.id ?? ''
  const faulty = await send(p, { name: 'b.csv', bytes: csv(row('A', id), row('A2', id), row('N', newId())) })
  const refused = await fates(p, faulty)
  t.strictSame(
    refused.map(one => one.codes),
    [['CORRECTION_REPEATED'], ['CORRECTION_REPEATED'], ['CORRECTION_UNKNOWN']]
  )
  const good = await send(p, { name: 'c.csv', bytes: csv(row('A', id), row('N', '')) })
  t.match(await fates(p, good), [
    { state: 'accepted', codes: [], duplicate_of: null },
    { state: 'accepted', codes: [], duplicate_of: null }
  ])
  t.match(await fates(p, first), [{ state: 'rejected', codes: ['CORRECTED', 'INVALID_DATE'] }])
  t.strictSame((await verify({ pool: p.pool })).offenders, [])
})

t.test('a clerk who rejects a refused row says nothing about its content sent rightly', async t => {
  const p = await testPipeline(t)
  p.work()
  const faulty = await send(p, { name: 'b.csv', bytes: csv(row('N', newId())) })
  const refused = (await fates(p, faulty))[0]?.id ?? ''
  const target = { jurisdiction: JURISDICTION, recordId: refused, revision: 1, actor: 'key:clerk' }
  await rejectRecord(p.deps, target, { reason: 'CORRECTION_UNKNOWN', comment: 'no such record' })
  const good = await send(p, { name: 'c.csv', bytes: csv(row('N', '')) })
  t.match(await fates(p, good), [{ state: 'accepted', codes: [] }])
})

t.test('refused rows that come back as they went out follow the records they stand for', async t => {
  const p = await testPipeline(t)
  p.work()
  const first = await send(p, { name: 'a.csv', bytes: `${HEADER}\nA,22-1,roof,2024-02-30,1.00\n` })
  const id = (await fates(p, first))[0]?.id ?? ''
  const faulty = await send(p, { name: 'b.csv', bytes: csv(row('A', id), row('A2', id), row('N', newId())) })
  const back = await send(p, { name: 'c.csv', bytes: await errorsOf(p, faulty) })
  t.strictSame(
    (await fates(p, back)).map(one => [one.state, one.duplicate_of]),
    (await fates(p, faulty)).map(one => ['quarantined', one.id])
  )
})
