import t from 'tap'
import { verify } from '../../src/audit/verify/verify.ts'
import { requestRetry } from '../../src/db/review/retries.ts'
import { withTransaction } from '../../src/db/transaction.ts'
import { saveMapping } from '../../src/db/work/source-mappings.ts'
import type { ReasonCode } from '../../src/model/reasons.ts'
import type { ClaimedJob } from '../../src/queue/slots.ts'
import { runRedriveJob } from '../../src/review/redrive.ts'
import { retryBatch } from '../../src/review/retry.ts'
import { JURISDICTION, sha } from '../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'
import { until } from '../helpers/worker-process.ts'

const SOURCE = 'desk'
const HEADER = 'permit_number,parcel_id,permit_type,Betrag'

async function send(p: TestPipeline, rows: readonly string[], name = 'r.csv'): Promise<string> {
  const files = [{ name, bytes: `${HEADER}\n${rows.join('\n')}\n`, type: 'text/csv' }]
  const { id } = await p.submit(files, { source: SOURCE })
  const slots = p.work()
  await p.finished(id)
  await slots.stop()
  return id
}

/** From now on the column is read, so that rows held for a missing amount are accepted when they run again. */
const mend = (p: TestPipeline) =>
  withTransaction(p.pool, tx =>
    saveMapping(
      tx,
      { jurisdiction: JURISDICTION, profile: 'permit', source: SOURCE },
      { options: { columns: { Betrag: 'project_valuation' } }, digest: sha('mended'), savedBy: 'key:clerk' }
    )
  )

const retry = (p: TestPipeline, batchId: string, code: ReasonCode = 'FIELD_MISSING') =>
  retryBatch(p.deps, { jurisdiction: JURISDICTION, batchId, actor: 'key:clerk', codes: [code] })

async function runAll(p: TestPipeline): Promise<void> {
  for (;;) {
    const [job] = await p.deps.boss.fetch<ClaimedJob['data']>('redrive', { includeMetadata: true })
    if (!job) return
    const attempt = { id: job.id, retryCount: job.retryCount }
    await runRedriveJob(p.deps, {
      queue: 'redrive',
      attempt,
      data: job.data,
      signal: new AbortController().signal,
      waitMs: 0
    })
  }
}

const countsOf = async (p: TestPipeline) => {
  const { rows } = await p.pool.query(
    `select sum(accepted)::int as accepted, sum(duplicate)::int as duplicate, sum(quarantined)::int as quarantined,
       sum(rejected)::int as rejected from chunk`
  )
  return rows[0]
}

const offenders = async (p: TestPipeline) => (await verify({ pool: p.pool })).offenders

t.test('a set in which records are accepted, stay held, share a key and are followed ends as one by one', async t => {
  const p = await testPipeline(t)
  const rows = [
    'A-1,22-1,roof,10.00',
    'A-2,22-2,roof,no amount',
    // Two versions of one permit, the later row last.
    'A-3,22-3,roof,30.00',
    'A-3,22-3,roof,31.00',
    // The same content twice: the second follows the first.
    'A-5,22-5,roof,50.00',
    'A-5,22-5,roof,50.00',
    ...Array.from({ length: 30 }, (_, i) => `B-${i},22-1,roof,${i}.00`)
  ]
  const batchId = await send(p, rows)
  t.match(await countsOf(p), { accepted: 0, quarantined: 36 })
  await mend(p)
  t.same(await retry(p, batchId), { retried: 35 })
  await runAll(p)
  t.match(await countsOf(p), { accepted: 34, duplicate: 1, quarantined: 1, rejected: 0 })
  const after = await p.records(batchId)
  t.equal(after[1]?.state, 'quarantined')
  t.notSame(after[1]?.content, null, 'what stays held keeps its values')
  t.equal(after[5]?.duplicate_of, after[4]?.id)
  const { rows: heads } = await p.pool.query(
    `select natural_key, version, content ->> 'project_valuation' as amount from canonical_record
     where natural_key = 'A-3' or natural_key = 'a-3' order by version`
  )
  t.match(heads, [
    { version: 1, amount: '30.00' },
    { version: 2, amount: '31.00' }
  ])
  const { rows: revisions } = await p.pool.query('select count(*)::int as n from record_revision')
  t.equal(revisions[0]?.n, 36)
  t.same(await offenders(p), [])
})

t.test('a record that a clerk has locked does not hold up its neighbours, and is run after them', async t => {
  const p = await testPipeline(t)
  const batchId = await send(
    p,
    Array.from({ length: 40 }, (_, i) => `C-${i},22-1,roof,${i}.00`)
  )
  await mend(p)
  await retry(p, batchId)
  const [first] = await p.records(batchId)
  const clerk = await p.pool.connect()
  t.teardown(() => clerk.release())
  await clerk.query('begin')
  await clerk.query('select 1 from record where id = $1 for update', [first?.id])
  const running = runAll(p)
  await until(async () => (await countsOf(p)).accepted === 39)
  await clerk.query('rollback')
  await running
  t.match(await countsOf(p), { accepted: 40, quarantined: 0 })
  t.same(await offenders(p), [])
})

t.test('one record whose values the database refuses does not keep its neighbours held', async t => {
  const p = await testPipeline(t)
  const batchId = await send(
    p,
    Array.from({ length: 12 }, (_, i) => `D-${i},22-1,roof,${i}.00`)
  )
  await p.pool.query(
    `create function refuse() returns trigger language plpgsql as $$ begin
       if new.natural_key ilike 'd-7' then raise exception using errcode = '22003'; end if; return new; end $$`
  )
  await p.pool.query('create trigger refuse before insert on canonical_record for each row execute function refuse()')
  await mend(p)
  await retry(p, batchId)
  await runAll(p)
  t.match(await countsOf(p), { accepted: 11, quarantined: 1 })
  t.same(await offenders(p), [])
})

t.test('who asks for many records again locks them in the order of their ids', async t => {
  const p = await testPipeline(t)
  const batchId = await send(
    p,
    Array.from({ length: 300 }, (_, i) => `E-${i},22-1,roof,${i}.00`)
  )
  // Stored in another order than their ids: whoever goes by the table meets them the other way round.
  await p.pool.query(`update record set updated_at = now() where item <= 150`)
  const ask = () =>
    withTransaction(p.pool, tx =>
      requestRetry(tx, { jurisdiction: JURISDICTION, batchId, recordId: null, codes: ['FIELD_MISSING'] })
    )
  const settle = () =>
    withTransaction(p.pool, async tx => {
      const { rows } = await tx.query<{ id: string }>(`select id from record where batch_id = $1 order by id`, [
        batchId
      ])
      for (const { id } of rows) await tx.query('select 1 from record where id = $1 for update', [id])
    })
  const ends = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? ask() : settle())))
  t.same(
    ends.flatMap(end => (end.status === 'rejected' ? [String(end.reason)] : [])),
    []
  )
})

t.test('thousands of held records run again in a time that their number explains', async t => {
  const p = await testPipeline(t)
  const held = 5000
  const batchId = await send(
    p,
    Array.from({ length: held }, (_, i) => `F-${i},22-${i},roof,${i}.00`)
  )
  await mend(p)
  t.same(await retry(p, batchId), { retried: held })
  const [cpu, begun] = [process.cpuUsage(), performance.now()]
  await runAll(p)
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - begun) / 1000
  t.comment(
    `${Math.round(held / seconds)} records/s in ${seconds.toFixed(2)} s; CPU of this process ${((user + system) / 1e6).toFixed(2)} s`
  )
  t.match(await countsOf(p), { accepted: held, quarantined: 0 })
  // One transaction a record took a statement's round trip a dozen times each.
  const { rows } = await p.pool.query(`select count(*)::int as commits from audit_commit where entries > 100`)
  t.ok(rows[0]?.commits >= held / 500)
  t.same(await offenders(p), [])
})

t.test('content held under an old mapping and sent again under a mended one is accepted, first and again', async t => {
  const p = await testPipeline(t)
  const first = await send(p, ['G-1,22-1,roof,10.00', 'G-2,22-2,roof,none'])
  t.match(await p.records(first), [{ state: 'quarantined' }, { state: 'quarantined' }])
  await mend(p)
  const second = await send(p, ['G-1,22-1,roof,10.00', 'G-2,22-2,roof,none', 'G-3,22-3,roof,30.00'], 'again.csv')
  await runAll(p)
  const [one, two] = await p.records(first)
  t.match([one, two], [{ state: 'accepted' }, { state: 'quarantined' }])
  t.match(await p.records(second), [
    { state: 'accepted', duplicate_of: one?.id },
    { state: 'quarantined', duplicate_of: two?.id },
    { state: 'accepted', duplicate_of: null }
  ])
  t.equal((await p.pool.query(`select 1 from pgboss.job where name = 'redrive'`)).rowCount, 1, 'asked for once')
  t.same(await offenders(p), [])
})

t.test('a held record that a clerk has corrected is not run again for its twin', async t => {
  const p = await testPipeline(t)
  const first = await send(p, ['H-1,22-1,roof,10.00'])
  await p.pool.query(`update record set fields = jsonb_set(fields, '{parcel_id}', '{"status": "human"}')`)
  await mend(p)
  const second = await send(p, ['H-1,22-1,roof,10.00'], 'again.csv')
  const [held] = await p.records(first)
  t.match(await p.records(second), [{ state: 'quarantined', duplicate_of: held?.id }])
  t.equal((await p.pool.query('select 1 from record where retry_requested')).rowCount, 0)
})
