import t from 'tap'
import { requestRetry } from '../../src/db/review/retries.ts'
import type { ClaimedJob } from '../../src/queue/slots.ts'
import { runRedriveJob } from '../../src/review/redrive.ts'
import { retryBatch, retryRecord } from '../../src/review/retry.ts'
import { settleDeadLetter } from '../../src/worker/settle-dead-letter.ts'
import { JURISDICTION } from '../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'
import { until } from '../helpers/worker-process.ts'

const HEADER = 'permit_number,parcel_id,permit_type,issued_date,valuation'

async function heldRows(p: TestPipeline, rows: number): Promise<string> {
  const lines = Array.from({ length: rows }, (_, i) => `RD-${i},22-${i},roof,2024-02-30,1.00`)
  const { id } = await p.submit([{ name: 'r.csv', bytes: `${HEADER}\n${lines.join('\n')}\n`, type: 'text/csv' }])
  const slots = p.work()
  await p.finished(id)
  await slots.stop()
  return id
}

const retry = (p: TestPipeline, batchId: string) =>
  retryBatch(p.deps, { jurisdiction: JURISDICTION, batchId, actor: 'key:clerk', codes: ['INVALID_DATE'] })

async function claimRedrive(p: TestPipeline): Promise<ClaimedJob> {
  const [job] = await p.deps.boss.fetch<ClaimedJob['data']>('redrive', { includeMetadata: true })
  if (!job) throw new Error('no redrive job')
  const attempt = { id: job.id, retryCount: job.retryCount }
  return { queue: 'redrive', attempt, data: job.data, signal: new AbortController().signal, waitMs: 0 }
}

const flags = async (p: TestPipeline): Promise<number> =>
  (await p.pool.query('select 1 from record where retry_requested')).rowCount ?? -1

t.test('records that run again end once, all of a set in one transaction', async t => {
  const p = await testPipeline(t)
  const batchId = await heldRows(p, 3)
  t.same(await retry(p, batchId), { retried: 3 })
  const job = await claimRedrive(p)
  await runRedriveJob(p.deps, job)
  t.equal(await flags(p), 0)
  const { rows } = await p.pool.query(`select revision, audit_seq from record order by item`)
  t.same(
    rows,
    [1, 2, 3].map(() => ({ revision: 2, audit_seq: 2 }))
  )
  const { rows: commits } = await p.pool.query(
    `select count(distinct c.id)::int as n from audit_commit c join audit_trail e on e.jurisdiction = c.jurisdiction
       and convert_from(e.entry, 'UTF8')::jsonb ->> 'commit' = c.id::text
     where e.seq = 2 and convert_from(e.entry, 'UTF8')::jsonb ->> 'kind' = 'record' and c.entries = 3`
  )
  t.equal(commits[0]?.n, 1)
  // The same job again, as a worker would that was frozen meanwhile: nothing waits any more.
  await t.rejects(runRedriveJob(p.deps, job), { code: 'CLAIM_LOST' })
  t.same(
    (await p.pool.query(`select revision from record`)).rows,
    [1, 2, 3].map(() => ({ revision: 2 }))
  )
})

t.test('a large batch is asked to run again at once by a connection that asked for one record before', async t => {
  const p = await testPipeline(t)
  const batchId = await heldRows(p, 5000)
  const { rows } = await p.pool.query<{ id: string }>('select id from record where item = 1')
  const client = await p.pool.connect()
  t.teardown(() => client.release(true))
  const ask = async (recordId: string | null) => {
    const chunks = await requestRetry(client, {
      jurisdiction: JURISDICTION,
      batchId,
      recordId,
      codes: ['INVALID_DATE']
    })
    return chunks.reduce((sum, chunk) => sum + chunk.records, 0)
  }
  t.equal(await ask(rows[0]?.id ?? ''), 1)
  // Comparing each record with each other one takes many times as long.
  await client.query(`set statement_timeout = '3s'`)
  t.equal(await ask(null), 5000)
})

t.test('a store that is away leaves the request standing, in a later job', async t => {
  const p = await testPipeline(t)
  const batchId = await heldRows(p, 2)
  await retry(p, batchId)
  const away = Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'read' })
  const deps = { ...p.deps, store: { ...p.deps.store, open: () => Promise.reject(away) } }
  await runRedriveJob(deps, await claimRedrive(p))
  t.equal(await flags(p), 2)
  const { rows } = await p.pool.query(
    `select state, start_after > created_on as later from pgboss.job where name = 'redrive' order by created_on`
  )
  t.same(rows, [
    { state: 'completed', later: false },
    { state: 'created', later: true }
  ])
})

t.test('a run that failed in all its attempts withdraws the request; the records stay held', async t => {
  const p = await testPipeline(t)
  const batchId = await heldRows(p, 2)
  await retry(p, batchId)
  const { rows } = await p.pool.query<{ id: string }>('select id from chunk')
  const data = { jurisdiction: JURISDICTION, subject: rows[0]?.id ?? '', generation: 1 }
  await p.deps.boss.send('dead', data)
  const [dead] = await p.deps.boss.fetch<ClaimedJob['data']>('dead', { includeMetadata: true })
  if (!dead) throw new Error('no dead letter')
  const attempt = { id: dead.id, retryCount: dead.retryCount }
  await settleDeadLetter(p.deps, { queue: 'dead', attempt, data, signal: new AbortController().signal, waitMs: 0 })
  t.equal(await flags(p), 0)
  t.match(await p.records(batchId), [{ state: 'quarantined' }, { state: 'quarantined' }])
  t.equal((await p.pool.query(`select 1 from pgboss.job where name = 'dead' and state = 'completed'`)).rowCount, 1)
})

t.test('records of many chunks run again, but none that a corrected row speaks for', async t => {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '2', DOCKET_CHUNK_PREFETCH: '1' })
  const batchId = await heldRows(p, 6)
  await p.pool.query(
    `insert into correction (jurisdiction, record_id, batch_id, file_number, item)
     select jurisdiction, id, gen_random_uuid(), 1, 1 from record where item = 6`
  )
  t.same(await retry(p, batchId), { retried: 5 })
  t.same(await retry(p, batchId), { retried: 5 }, 'asked for again before it ran')
  const { rows } = await p.pool.query(
    `select (data ->> 'generation')::int as generation, count(*)::int as jobs from pgboss.job where name = 'redrive' group by 1 order by 1`
  )
  t.same(rows, [
    { generation: 1, jobs: 3 },
    { generation: 2, jobs: 3 }
  ])
})

t.test('a record asked for again while its neighbours still run is run again', async t => {
  const p = await testPipeline(t)
  const batchId = await heldRows(p, 2)
  await retry(p, batchId)
  const [first, second] = await p.records(batchId)
  const neighbour = await p.pool.connect()
  t.teardown(() => neighbour.release())
  await neighbour.query('begin')
  await neighbour.query('select 1 from record where id = $1 for update', [second?.id])
  const running = runRedriveJob(p.deps, await claimRedrive(p))
  await until(async () => {
    const { rows } = await p.pool.query('select revision from record where id = $1', [first?.id])
    return rows[0]?.revision === 2
  })
  const target = { jurisdiction: JURISDICTION, recordId: first?.id ?? '', revision: 2, actor: 'key:clerk' }
  await retryRecord(p.deps, target)
  await neighbour.query('rollback')
  await running
  t.equal(await flags(p), 1, 'the run that ends leaves the later request standing')
  await runRedriveJob(p.deps, await claimRedrive(p))
  const { rows } = await p.pool.query('select revision, retry_requested from record order by item')
  t.same(rows, [
    { revision: 3, retry_requested: false },
    { revision: 2, retry_requested: false }
  ])
})

t.test('a record that stands for a file that cannot be read is not asked to run again', async t => {
  const p = await testPipeline(t)
  p.work()
  for (const [name, bytes, type] of [
    ['a.csv', Buffer.from('PK\u0003\u0004 broken'), 'text/csv'],
    ['b.json', Buffer.from('{"permits": [{"a": 1'), 'application/json'],
    ['c.csv', Buffer.from('permit_number,parcel_id\n"open'), 'text/csv']
  ] as const) {
    const { id } = await p.submit([{ name, bytes, type }])
    await p.finished(id)
    const { rows } = await p.pool.query<{ id: string; state: string; code: string; kind: string }>(
      `select r.id, r.state, r.reasons -> 0 ->> 'code' as code, c.kind from record r join chunk c on c.id = r.chunk_id
       where r.batch_id = $1 and c.kind = 'fault' and r.state = 'quarantined'`,
      [id]
    )
    for (const row of rows) {
      const target = { jurisdiction: JURISDICTION, recordId: row.id, revision: 1, actor: 'key:clerk' }
      await t.rejects(retryRecord(p.deps, target), { code: 'RECORD_STILL_BLOCKED', message: /whole file/ }, name)
      const codes = [row.code as 'INVALID_DATE']
      const asked = await retryBatch(p.deps, { jurisdiction: JURISDICTION, batchId: id, actor: 'key:clerk', codes })
      t.same(asked, { retried: 0 }, name)
    }
    t.comment(`${name}: ${rows.length} held whole`)
  }
  const { rows: whole } = await p.pool.query(
    `select 1 from record r join chunk c on c.id = r.chunk_id where c.kind = 'fault'`
  )
  t.ok(whole.length > 0)
})

t.test('documents that run again do not keep rows waiting: each kind has a queue of its own', async t => {
  const p = await testPipeline(t)
  const [row, document] = [
    await p.submit([{ name: 'r.csv', bytes: `${HEADER}\nRD-1,22-1,roof,2024-02-30,1.00\n`, type: 'text/csv' }]),
    await p.submit([{ name: 'p.txt', bytes: 'Building permit application\nPermit No.: 1', type: 'text/plain' }])
  ]
  const slots = p.work()
  for (const { id } of [row, document]) await p.finished(id)
  await slots.stop()
  const { rows: held } = await p.pool.query<{ batch_id: string; codes: string[] }>(
    `select batch_id, array(select r ->> 'code' from jsonb_array_elements(reasons) r) as codes from record`
  )
  t.equal(held.length, 2)
  for (const { batch_id: batchId, codes } of held) {
    const asked = { jurisdiction: JURISDICTION, batchId, actor: 'key:clerk', codes: codes as ['INVALID_DATE'] }
    t.same(await retryBatch(p.deps, asked), { retried: 1 })
  }
  const { rows: jobs } = await p.pool.query(
    `select name, c.kind from pgboss.job j join chunk c on c.id = (j.data ->> 'subject')::uuid
     where name in ('redrive', 'reread') order by name`
  )
  t.same(jobs, [
    { name: 'redrive', kind: 'rows' },
    { name: 'reread', kind: 'document' }
  ])
  const again = p.work()
  await until(async () => (await flags(p)) === 0)
  await again.stop()
  const { rows: ended } = await p.pool.query('select revision from record')
  t.same(ended, [{ revision: 2 }, { revision: 2 }], 'both ran again')
})
