import t, { type Test } from 'tap'
import { verify } from '../../src/audit/verify/verify.ts'
import { rejectRecord, releaseRecord } from '../../src/review/decide.ts'
import { JURISDICTION } from '../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'
import { until } from '../helpers/worker-process.ts'

const HEADER = 'permit_number,parcel_id,permit_type,issued_date,valuation'
const HELD = 'DB-1,22-1,roof,2024-02-30,100.00'

async function send(p: TestPipeline, ...lines: readonly string[]) {
  const bytes = `${HEADER}\n${lines.join('\n')}\n`
  const { id: batchId } = await p.submit([{ name: 'r.csv', bytes, type: 'text/csv' }], { force: true })
  await p.finished(batchId)
  return { batchId, records: await p.records(batchId) }
}

const target = (recordId: string | undefined) => ({
  jurisdiction: JURISDICTION,
  recordId: recordId ?? '',
  revision: 1,
  actor: 'key:clerk'
})

const counts = async (p: TestPipeline, batchId: string) =>
  (await p.pool.query('select accepted, duplicate, quarantined, rejected from chunk where batch_id = $1', [batchId]))
    .rows[0]

const heads = async (p: TestPipeline) =>
  (
    await p.pool.query(
      `select h.natural_key as key, h.version, h.record_id, c.content ->> 'issued_date' as issued
       from current_version h join canonical_record c using (jurisdiction, profile, natural_key, version) order by 1`
    )
  ).rows

async function isWhole(t: Test, p: TestPipeline): Promise<void> {
  t.same((await verify({ pool: p.pool })).offenders, [], 'everything verifies')
}

t.test('content released with corrections and sent again is a duplicate of the decided record', async t => {
  const p = await testPipeline(t)
  p.work()
  const first = await send(p, HELD)
  const id = first.records[0]?.id
  await releaseRecord(p.deps, target(id), { issued_date: '2024-02-29' })
  const before = await heads(p)
  const again = await send(p, 'DB-0,22-1,roof,2024-02-01,1.00', HELD, HELD)
  t.match(again.records, [
    { state: 'accepted', duplicate_of: null, codes: [] },
    { item: 2, state: 'accepted', duplicate_of: id, codes: ['DECIDED_BEFORE'], content: { issued_date: '2024-02-29' } },
    { item: 3, state: 'accepted', duplicate_of: id, fields: { issued_date: { status: 'human' } } }
  ])
  t.match(await counts(p, again.batchId), { accepted: 1, duplicate: 2, quarantined: 0, rejected: 0 })
  const after = (await heads(p)).filter(head => head.key === before[0]?.key)
  t.same(after, before, 'the head says what was decided')
  t.equal((await p.pool.query('select 1 from held_content')).rowCount, 0, 'nobody has to look at it again')
  await isWhole(t, p)
})

t.test('uncorrected values are never accepted later, even if they have become acceptable', async t => {
  const p = await testPipeline(t)
  p.work()
  await p.pool.query(`insert into registry_parcel (jurisdiction, parcel_id, zoning_code) values ($1, '22-2', 'R-1')`, [
    JURISDICTION
  ])
  const line = 'DB-1,22-1,roof,2024-02-01,100.00'
  const first = await send(p, line)
  t.match(first.records, [{ state: 'quarantined', codes: ['PARCEL_NO_MATCH'] }])
  await releaseRecord(p.deps, target(first.records[0]?.id), { parcel_id: '22-2', submission_id: 'DB-7' })
  await p.pool.query(`insert into registry_parcel (jurisdiction, parcel_id, zoning_code) values ($1, '22-1', 'R-1')`, [
    JURISDICTION
  ])
  const again = await send(p, line)
  t.match(again.records, [{ state: 'accepted', duplicate_of: first.records[0]?.id, content: { parcel_id: '22-2' } }])
  t.match(await heads(p), [{ key: 'db-7', version: 1 }], 'no head for the number that was corrected')
  await isWhole(t, p)
})

t.test('a newer version came between: the decided values come back as the next version', async t => {
  const p = await testPipeline(t)
  p.work()
  const first = await send(p, HELD)
  await releaseRecord(p.deps, target(first.records[0]?.id), { issued_date: '2024-02-29' })
  await send(p, 'DB-1,22-1,roof,2024-03-15,250.00')
  const again = await send(p, HELD)
  t.match(again.records, [
    { state: 'accepted', duplicate_of: null, codes: ['DECIDED_BEFORE'], content: { issued_date: '2024-02-29' } }
  ])
  t.match(await heads(p), [{ version: 3, record_id: again.records[0]?.id, issued: '2024-02-29' }])
  t.match(await send(p, HELD), { records: [{ state: 'accepted', duplicate_of: again.records[0]?.id }] })
  await isWhole(t, p)
})

t.test('rejected content sent again is rejected again, and names the decided record', async t => {
  const p = await testPipeline(t)
  p.work()
  const first = await send(p, HELD)
  const id = first.records[0]?.id
  await rejectRecord(p.deps, target(id), { reason: 'CANCELLED_BY_CLERK', comment: 'withdrawn' })
  const again = await send(p, HELD, 'DB-2,22-1,roof,2024-02-30,100.00')
  t.match(again.records, [
    { state: 'rejected', duplicate_of: id, codes: ['DECIDED_BEFORE', 'CANCELLED_BY_CLERK', 'INVALID_DATE'] },
    { state: 'quarantined', codes: ['INVALID_DATE'] }
  ])
  t.match(await counts(p, again.batchId), { accepted: 0, quarantined: 1, rejected: 1 })
  const { rows } = await p.pool.query('select reasons -> 0 as reason from record where id = $1', [again.records[0]?.id])
  t.match(rows, [{ reason: { severity: 'fatal', origin: { registry: 'record', key: id } } }])
  const corrected = await send(p, HELD.replace('02-30', '02-29'))
  t.match(corrected.records, [{ state: 'accepted', codes: [] }], 'other content is judged on its own')
  await isWhole(t, p)
})

t.test('a document that was decided about is decided', async t => {
  const p = await testPipeline(t)
  p.work()
  const bytes = 'COMMERCIAL POLICY DECLARATIONS\n\nPolicy Number: HX-7001311\nNamed Insured: Pacific Reflections LLC\n'
  const submit = async () => {
    const { id } = await p.submit([{ name: 'p.txt', bytes, type: 'text/plain' }], { profile: 'policy', force: true })
    await p.finished(id)
    return (await p.records(id))[0]
  }
  const first = await submit()
  t.equal(first?.state, 'quarantined')
  await releaseRecord(p.deps, target(first?.id), {
    policy_number: 'HX-7001311',
    named_insured: 'Pacific Reflections LLC',
    effective_date: '2024-01-01',
    expiration_date: '2025-01-01',
    premium_total: '100.00'
  })
  t.match(await submit(), { state: 'accepted', duplicate_of: first?.id, content: { premium_total: '100.00' } })
  await isWhole(t, p)
})

t.test('a decision made between reading and commit holds for what is committed after it', async t => {
  const p = await testPipeline(t)
  p.work()
  const first = await send(p, HELD)
  const id = first.records[0]?.id
  // The commit waits at the claim of held contents, after it was read and judged; the decision is made meanwhile.
  const gate = await p.pool.connect()
  await gate.query('begin; lock table held_content in access exclusive mode')
  const later = send(p, HELD)
  await until(async () => {
    const { rows } = await p.pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%held_content%'`
    )
    return rows.length > 0
  })
  const decided = rejectRecord(p.deps, target(id), { reason: 'CANCELLED_BY_CLERK', comment: 'withdrawn' })
  await gate.query('commit')
  gate.release()
  await decided
  const { batchId } = await later
  t.match(
    await p.records(batchId),
    [{ state: 'rejected', duplicate_of: id }],
    'whichever was first, the second follows it'
  )
  await isWhole(t, p)
})
