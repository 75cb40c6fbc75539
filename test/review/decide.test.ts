import t from 'tap'
import { cancelBatch } from '../../src/review/cancel-batch.ts'
import { correctRecord, rejectRecord, releaseRecord } from '../../src/review/decide.ts'
import { retryBatch, retryRecord } from '../../src/review/retry.ts'
import { JURISDICTION } from '../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'
import { until } from '../helpers/worker-process.ts'

const HEADER = 'permit_number,parcel_id,permit_type,issued_date,valuation'
const HELD = 'RV-1,22-1,roof,2024-02-30,100.00'

async function heldRecord(p: TestPipeline, lines: readonly string[] = [HELD], force = false) {
  const bytes = `${HEADER}\n${lines.join('\n')}\n`
  const { id } = await p.submit([{ name: 'r.csv', bytes, type: 'text/csv' }], { force })
  await p.finished(id)
  return { batchId: id, records: await p.records(id) }
}

const target = (recordId: string | undefined, revision = 1) => ({
  jurisdiction: JURISDICTION,
  recordId: recordId ?? '',
  revision,
  actor: 'key:clerk'
})

const counts = async (p: TestPipeline, batchId: string) =>
  (await p.pool.query('select accepted, duplicate, quarantined, rejected from chunk where batch_id = $1', [batchId]))
    .rows[0]

const chain = async (p: TestPipeline, recordId: string | undefined) =>
  (
    await p.pool.query<{ transition: string }>(
      'select transition from audit_transition where subject_id = $1 order by seq, step',
      [recordId]
    )
  ).rows.map(row => row.transition)

t.test(
  'release with a correction: accepted, with its version, the original kept, counts moved, chain longer',
  async t => {
    const p = await testPipeline(t)
    p.work()
    const { batchId, records } = await heldRecord(p)
    const id = records[0]?.id
    t.match(records, [{ state: 'quarantined', codes: ['INVALID_DATE'] }])
    await t.rejects(releaseRecord(p.deps, target(id), {}), { code: 'RECORD_STILL_BLOCKED' })
    await t.rejects(releaseRecord(p.deps, target(id), { issued_date: '2024-02-31' }), { code: 'FIELD_INVALID' })
    await t.rejects(releaseRecord(p.deps, target(id), { no_such_field: 'x' }), { code: 'FIELD_INVALID' })
    await t.rejects(releaseRecord(p.deps, target(id, 2), { issued_date: '2024-02-29' }), { code: 'REVISION_STALE' })
    t.match(await counts(p, batchId), { accepted: 0, quarantined: 1 }, 'nothing has changed so far')
    await releaseRecord(p.deps, target(id), { issued_date: '2024-02-29' })
    const [released] = await p.records(batchId)
    t.match(released, {
      state: 'accepted',
      content: { issued_date: '2024-02-29' },
      fields: { issued_date: { status: 'human' } }
    })
    t.same(await counts(p, batchId), { accepted: 1, duplicate: 0, quarantined: 0, rejected: 0 })
    t.same((await chain(p, id)).slice(-3), ['corrected', 'released', 'accepted'])
    const { rows } = await p.pool.query('select revision, state, fields from record_revision where record_id = $1', [
      id
    ])
    t.match(rows, [{ revision: 1, state: 'quarantined', fields: { issued_date: { raw: '2024-02-30' } } }])
    await t.rejects(releaseRecord(p.deps, target(id, 2), {}), { code: 'RECORD_NOT_HELD' })
  }
)

t.test('two clerks at once: one decision, the other is told that it is stale', async t => {
  const p = await testPipeline(t)
  p.work()
  const { batchId, records } = await heldRecord(p)
  const decisions = await Promise.allSettled([
    releaseRecord(p.deps, target(records[0]?.id), { issued_date: '2024-02-29' }),
    rejectRecord(p.deps, target(records[0]?.id), { reason: 'CANCELLED_BY_CLERK', comment: 'withdrawn' })
  ])
  t.equal(decisions.filter(decision => decision.status === 'fulfilled').length, 1)
  const lost = decisions.find(decision => decision.status === 'rejected')
  t.match(lost?.reason, { code: 'REVISION_STALE' })
  const { accepted, rejected, quarantined } = (await counts(p, batchId)) ?? {}
  t.same([accepted + rejected, quarantined], [1, 0])
})

t.test('records with the same content follow the one that was decided', async t => {
  const p = await testPipeline(t)
  p.work()
  const first = await heldRecord(p, [HELD, HELD])
  const second = await heldRecord(p, [HELD], true)
  const follower = second.records[0]
  t.match(follower, { state: 'quarantined', duplicate_of: first.records[0]?.id })
  await t.rejects(releaseRecord(p.deps, target(follower?.id), {}), { code: 'RECORD_NOT_HELD' })
  await releaseRecord(p.deps, target(first.records[0]?.id), { issued_date: '2024-02-29' })
  t.match(await p.records(first.batchId), [
    { state: 'accepted', duplicate_of: null },
    { state: 'accepted', duplicate_of: /./ }
  ])
  t.match(await p.records(second.batchId), [{ state: 'accepted', duplicate_of: first.records[0]?.id }])
  t.match(await counts(p, first.batchId), { accepted: 1, duplicate: 1, quarantined: 0 })
  t.match(await counts(p, second.batchId), { accepted: 0, duplicate: 1, quarantined: 0 })
  t.equal((await p.pool.query('select 1 from held_content')).rowCount, 0)
})

t.test('a follower that came after other content wins the head when its twin is released', async t => {
  const p = await testPipeline(t)
  p.work()
  const other = HELD.replace('2024-02-30', '2024-02-28').replace('100.00', '200.00')
  const first = await heldRecord(p)
  await heldRecord(p, [other])
  const third = await heldRecord(p, [HELD], true)
  await releaseRecord(p.deps, target(first.records[0]?.id), { issued_date: '2024-02-29' })
  const { rows } = await p.pool.query(
    `select h.version, h.last_version, h.record_id, c.content ->> 'project_valuation' as valuation
     from current_version h join canonical_record c using (jurisdiction, profile, natural_key, version)`
  )
  t.same(rows, [{ version: 3, last_version: 3, record_id: third.records[0]?.id, valuation: '100.00' }])
  t.match(await counts(p, third.batchId), { accepted: 1, duplicate: 0, quarantined: 0 })
  t.match(await p.records(third.batchId), [{ state: 'accepted', duplicate_of: null }])
})

t.test('a commit of the same content beside a release leaves no follower behind', async t => {
  const p = await testPipeline(t)
  p.work()
  for (let round = 0; round < 5; round++) {
    const line = HELD.replace('RV-1', `RV-R${round}`)
    const first = await heldRecord(p, [line])
    const [, second] = await Promise.all([
      releaseRecord(p.deps, target(first.records[0]?.id), { issued_date: '2024-02-29' }),
      heldRecord(p, [line], true)
    ])
    const { rows } = await p.pool.query(
      `select 1 from record r where r.state = 'quarantined' and r.duplicate_of is not null
         and not exists (select 1 from record twin where twin.id = r.duplicate_of and twin.state = 'quarantined')`
    )
    t.equal(rows.length, 0, 'no follower of a record that is not held')
    t.equal(second.records.length, 1)
  }
})

t.test('reject: the record and its followers end, with the reason and the comment', async t => {
  const p = await testPipeline(t)
  p.work()
  const { batchId, records } = await heldRecord(p, [HELD, HELD])
  await rejectRecord(p.deps, target(records[0]?.id), { reason: 'INVALID_DATE', comment: 'ask again' })
  t.match(await counts(p, batchId), { accepted: 0, quarantined: 0, rejected: 2 })
  const { rows } = await p.pool.query('select decision from record where id = $1', [records[0]?.id])
  t.match(rows, [{ decision: { action: 'reject', reason: 'INVALID_DATE', comment: 'ask again' } }])
  t.notMatch(
    JSON.stringify((await p.pool.query(`select convert_from(entry, 'UTF8') as e from audit_trail`)).rows),
    'ask again'
  )
})

t.test('corrections alone keep the record held, with what is left to do', async t => {
  const p = await testPipeline(t)
  p.work()
  const { batchId, records } = await heldRecord(p, ['RV-9,,roof,2024-02-30,100.00'])
  t.same(records[0]?.codes.toSorted(), ['FIELD_MISSING', 'INVALID_DATE'])
  await correctRecord(p.deps, target(records[0]?.id), { issued_date: '2024-02-29' })
  t.match(await p.records(batchId), [{ state: 'quarantined', codes: ['FIELD_MISSING'] }])
  await releaseRecord(p.deps, target(records[0]?.id, 2), { parcel_id: '22-9' })
  t.match(await p.records(batchId), [{ state: 'accepted', content: { parcel_id: '22-9', issued_date: '2024-02-29' } }])
})

t.test('a record with corrections by hand is not run again, which would lose them', async t => {
  const p = await testPipeline(t)
  p.work()
  const { batchId, records } = await heldRecord(p, ['RV-8,,roof,2024-02-30,100.00'])
  await correctRecord(p.deps, target(records[0]?.id), { issued_date: '2024-02-29' })
  await t.rejects(retryRecord(p.deps, target(records[0]?.id, 2)), { code: 'RECORD_STILL_BLOCKED' })
  const codes = ['FIELD_MISSING' as const]
  t.same(await retryBatch(p.deps, { jurisdiction: JURISDICTION, batchId, actor: 'key:clerk', codes }), { retried: 0 })
  t.match(await p.records(batchId), [{ fields: { issued_date: { status: 'human' } } }])
})

t.test('retry runs a held record again in place, under the rules of now', async t => {
  const p = await testPipeline(t)
  await p.pool.query(`insert into registry_parcel (jurisdiction, parcel_id) values ($1, '22-other')`, [JURISDICTION])
  p.work()
  const { batchId, records } = await heldRecord(p, ['RT-1,22-1,roof,2024-02-28,1.00', 'RT-2,22-2,roof,2024-02-28,1.00'])
  t.match(records, [{ codes: ['PARCEL_NO_MATCH'] }, { codes: ['PARCEL_NO_MATCH'] }])
  await p.pool.query(`insert into registry_parcel (jurisdiction, parcel_id) values ($1, '22-1'), ($1, '22-2')`, [
    JURISDICTION
  ])
  t.same(await retryBatch(p.deps, { jurisdiction: JURISDICTION, batchId, actor: 'key:clerk', codes: null }), {
    retried: 0
  })
  await retryRecord(p.deps, target(records[0]?.id))
  await until(async () => (await p.records(batchId))[0]?.state === 'accepted')
  t.match(await p.records(batchId), [{ state: 'accepted' }, { state: 'quarantined' }])
  t.same(
    await retryBatch(p.deps, { jurisdiction: JURISDICTION, batchId, actor: 'key:clerk', codes: ['PARCEL_NO_MATCH'] }),
    {
      retried: 1
    }
  )
  await until(async () => (await p.records(batchId))[1]?.state === 'accepted')
  t.match(await counts(p, batchId), { accepted: 2, quarantined: 0 })
  t.same((await chain(p, records[1]?.id)).slice(-5), ['retried', 'extracted', 'enriched', 'validated', 'accepted'])
})

t.test('a decision and a retry over the same chunks do not wait in a circle', async t => {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '2', DOCKET_CHUNK_PREFETCH: '1' })
  const slots = p.work()
  const { batchId, records } = await heldRecord(p, [
    HELD,
    'RC-1,,roof,2024-02-28,1.00',
    HELD,
    'RC-2,,roof,2024-02-28,1.00'
  ])
  await slots.stop()
  t.equal(records[2]?.duplicate_of, records[0]?.id, 'a follower in the second chunk')
  // The chunk that is locked first, as an earlier decision about it leaves it: a change of its records does not touch it.
  const { rows } = await p.pool.query<{ id: string }>(
    'update chunk set codes = null where id = (select id from chunk order by id limit 1) returning id'
  )
  const holder = await p.pool.connect()
  t.teardown(() => holder.release())
  const waiting = async (n: number): Promise<void> =>
    until(async () => {
      const { rowCount } = await p.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      )
      return rowCount === n
    })
  await holder.query('begin')
  await holder.query('select 1 from chunk where id = $1 for update', [rows[0]?.id])
  const codes = ['FIELD_MISSING' as const]
  const retried = retryBatch(p.deps, { jurisdiction: JURISDICTION, batchId, actor: 'key:clerk', codes })
  await waiting(1)
  let tries = 0
  const newId = (): string => {
    tries += 1
    return p.deps.newId()
  }
  const released = releaseRecord({ ...p.deps, newId }, target(records[0]?.id), { issued_date: '2024-02-29' })
  await waiting(2)
  await holder.query('rollback')
  t.same(await retried, { retried: 2 })
  await released
  t.equal(tries, 1, 'the database had to end neither of them')
})

t.test('cancel stops what has not started; a cancelled batch stays counted', async t => {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '1' })
  const { id } = await p.submit([{ name: 'c.csv', bytes: `${HEADER}\n${HELD}\n${HELD}\n`, type: 'text/csv' }])
  const work = { jurisdiction: JURISDICTION, batchId: id, actor: 'key:clerk' }
  await cancelBatch(p.deps, work)
  await t.rejects(cancelBatch(p.deps, work), { code: 'BATCH_FINISHED' })
  p.work()
  await until(
    async () =>
      (await p.pool.query(`select 1 from pgboss.job where name = 'chunk' and state <> 'completed'`)).rowCount === 0
  )
  t.same(await p.records(id), [])
  t.match((await p.pool.query('select state, sum(record_count)::int as n from chunk group by state')).rows, [
    { state: 'cancelled', n: 2 }
  ])
  t.same(await chain(p, id), ['received', 'cancelled'])
})
