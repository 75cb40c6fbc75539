import t, { type Test } from 'tap'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'
import { barTable, isBlocked, spawnWorker, until } from '../helpers/worker-process.ts'

const csv = (tag: string, rows: number): string =>
  `permit_number,parcel_id,permit_type,valuation\n${Array.from({ length: rows }, (_, i) => `${tag}-${i},22-${i},roof,${i}.00`).join('\n')}\n`

async function submit(p: TestPipeline, tag: string): Promise<string> {
  const { id } = await p.submit([{ name: 'permits.csv', bytes: csv(tag, 20), type: 'text/csv' }])
  return id
}

/** One of everything for each of the 20 rows, and the batch completed once. */
async function assertWhole(t: Test, p: TestPipeline, batchId: string): Promise<void> {
  const one = async (text: string) => (await p.pool.query<{ n: number }>(text, [batchId])).rows[0]?.n
  t.equal(
    await one(
      `select count(*)::int as n from record where batch_id = $1 and state = 'accepted' and duplicate_of is null`
    ),
    20
  )
  t.equal(await one('select count(*)::int as n from canonical_record where batch_id = $1'), 20)
  t.equal(
    await one(
      'select count(*)::int as n from current_version where batch_id = $1 and version = 1 and last_version = 1'
    ),
    20
  )
  t.equal(
    await one(
      'select count(*)::int as n from audit_trail a join record r on r.id = a.subject_id where r.batch_id = $1'
    ),
    20
  )
  t.equal(await one('select accepted as n from chunk where batch_id = $1'), 20)
  t.equal(await one(`select audit_seq as n from batch where id = $1 and state = 'completed'`), 2)
}

// The steps of a commit in their order, each by the table it touches first, from the launch to the batch's completion.
const STEPS = ['chunk', 'held_content', 'canonical_record', 'audit_page', 'record', 'audit_commit', 'batch'] as const

t.test('a worker killed at any step of its work loses nothing and doubles nothing', async t => {
  const p = await testPipeline(t)
  for (const table of STEPS) {
    const batchId = await submit(p, table)
    const bar = await barTable(p.pool, table)
    const worker = spawnWorker(t, p)
    await until(() => isBlocked(p.pool))
    worker.kill('SIGKILL')
    await worker.exited
    await bar.lift()
    // What the dead worker's sessions still hold ends with them; its claim would run out with its heartbeat.
    await p.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'docket-worker%'`
    )
    await p.pool.query(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`)
    const next = spawnWorker(t, p)
    await p.finished(batchId)
    await assertWhole(t, p, batchId)
    next.kill('SIGKILL')
    await next.exited
  }
})

t.test('a worker frozen past its heartbeat and thawed changes nothing', async t => {
  const p = await testPipeline(t)
  const batchId = await submit(p, 'frozen')
  const bar = await barTable(p.pool, 'canonical_record')
  const zombie = spawnWorker(t, p)
  await until(() => isBlocked(p.pool))
  zombie.kill('SIGSTOP')
  // Its session would hold the chunk's lock for as long as it sleeps; a lost host's session ends the same way.
  await p.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name like 'docket-worker%'`
  )
  await bar.lift()
  const second = spawnWorker(t, p)
  await p.finished(batchId)
  await assertWhole(t, p, batchId)
  zombie.kill('SIGCONT')
  await until(
    async () =>
      zombie.log().includes('claim lost') ||
      zombie.log().includes('"msg":"job failed"') ||
      /settled elsewhere|could not|lost/.test(zombie.log())
  )
  await assertWhole(t, p, batchId)
  second.kill('SIGTERM')
  zombie.kill('SIGTERM')
  await Promise.all([second.exited, zombie.exited])
})

t.test('SIGTERM lets a chunk in hand end, then the worker is gone', async t => {
  const p = await testPipeline(t)
  const batchId = await submit(p, 'drained')
  const bar = await barTable(p.pool, 'canonical_record')
  const worker = spawnWorker(t, p)
  await until(() => isBlocked(p.pool))
  worker.kill('SIGTERM')
  await bar.lift()
  await worker.exited
  t.equal(worker.child.exitCode, 0)
  const { rows } = await p.pool.query('select state from chunk where batch_id = $1', [batchId])
  t.same(rows, [{ state: 'committed' }])
})
