import { rm } from 'node:fs/promises'
import t from 'tap'
import { main } from '../../../src/cli/main.ts'
import type { Pool } from '../../../src/db/pool.ts'
import { createJobListener } from '../../../src/queue/listener.ts'
import { queueDepths, raiseOldJobs } from '../../../src/queue/live-jobs.ts'
import type { Slots } from '../../../src/queue/slots.ts'
import { pauseService } from '../../../src/worker/maintenance/pause-service.ts'
import { json, testApi } from '../../helpers/app.ts'
import { silent } from '../../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'
import { spawnWorker, until } from '../../helpers/worker-process.ts'

const csv = (number: string): string => `permit_number,parcel_id,permit_type,valuation\n${number},1234567890,BLD,100\n`

const submit = (p: TestPipeline, jurisdiction: string, number: string, lane = 'standard') =>
  p.submit([{ name: 'p.csv', bytes: csv(number), type: 'text/csv' }], { jurisdiction, lane })

async function stateOf(pool: Pool, id: string): Promise<string> {
  const { rows } = await pool.query<{ state: string }>('select state from batch where id = $1', [id])
  return rows[0]?.state ?? ''
}

const hasEnded = async (pool: Pool, id: string): Promise<boolean> => (await stateOf(pool, id)) === 'completed'

/** Runs `docket` in this process. */
async function docket(p: TestPipeline, ...args: string[]): Promise<{ status: number; out: string }> {
  const lines: string[] = []
  const env = { DATABASE_URL: p.url, DOCKET_DATA: p.folder }
  const io = { out: (line: string) => void lines.push(line), err: (line: string) => void lines.push(line), env }
  return { status: await main(args, io), out: lines.join('\n') }
}

t.test('a paused jurisdiction waits, through restarts of workers, and holds up nobody else', async t => {
  const p = await testPipeline(t)
  t.teardown(() => rm(p.folder, { recursive: true, force: true }))
  const api = await testApi(t, { on: p, queueAgeSeconds: 600 })
  const said = await docket(
    p,
    'pause',
    '--jurisdiction',
    '53033',
    '--reason',
    'the office moves its parcels',
    '--drain'
  )
  t.match(said, { status: 0, out: /Paused: all lanes of 53033\.\nDrained/ })
  const held = await submit(p, '53033', 'A-1')
  // Long ago by the queue's word: who waits for an operator is not late.
  await p.pool.query(
    `update pgboss.job set created_on = now() - interval '2 hours', start_after = now() - interval '2 hours'`
  )
  t.strictSame(
    (await queueDepths(p.pool)).map(({ queue, depth, oldestSeconds }) => [queue, depth, oldestSeconds]),
    [['chunk', 1, 0]]
  )
  const free = await submit(p, '53061', 'B-1')
  const first = spawnWorker(t, p)
  await until(() => hasEnded(p.pool, free.id))
  t.equal(await stateOf(p.pool, held.id), 'queued')

  first.kill('SIGKILL')
  await first.exited
  const later = await submit(p, '53061', 'B-2')
  spawnWorker(t, p)
  await until(() => hasEnded(p.pool, later.id))
  t.equal(await stateOf(p.pool, held.id), 'queued', 'also after a restart')
  const { rows } = await p.pool.query(
    `select state, retry_count, started_on from pgboss.job where group_id = '53033' and state <> 'completed'`
  )
  t.strictSame(rows, [{ state: 'created', retry_count: 0, started_on: null }], 'no attempt was used')

  const seen = (await (await api.fetch(`/v1/batches/${held.id}`)).json()) as Record<string, unknown>
  t.match(seen, { state: 'queued', eta_seconds: null, paused: { jurisdiction: '53033', lane: null, since: String } })
  t.equal(((await (await api.fetch(`/v1/batches/${free.id}`)).json()) as Record<string, unknown>)['paused'], null)
  t.match(await (await api.fetch('/metrics')).text(), /docket_paused_jobs\{jurisdiction="53033",lane="\*"\} 1/)
  const taken = await api.fetch('/v1/batches?profile=permit&jurisdiction=53033&filename=c.csv', {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: csv('A-2')
  })
  t.equal(taken.status, 202, 'submissions are taken')

  t.match(await docket(p, 'pause'), { status: 0, out: /53033 +\* .* cli:.* 2 +0 +the office moves its parcels/ })
  t.match(await docket(p, 'resume', '--jurisdiction', '53033', '--reason', 'moved'), { status: 0, out: /Resumed/ })
  await until(() => hasEnded(p.pool, held.id))
  t.match(await docket(p, 'resume', '--jurisdiction', '53033', '--reason', 'again'), { status: 1, out: /Nothing of/ })
  const { rows: kept } = await p.pool.query('select reason, paused_by, resume_reason, resumed_by from work_pause')
  t.match(kept, [{ reason: /parcels/, paused_by: /^cli:/, resume_reason: 'moved', resumed_by: /^cli:/ }])
  for (const change of [`update work_pause set reason = 'other'`, 'delete from work_pause', 'truncate work_pause']) {
    await t.rejects(p.pool.query(change), { code: '42501' }, change)
  }
})

t.test('a lane is paused while workers work, also of jobs that have risen from it', async t => {
  const p = await testPipeline(t)
  t.teardown(() => rm(p.folder, { recursive: true, force: true }))
  const api = await testApi(t, { on: p })
  const worker = spawnWorker(t, p)
  await until(async () => worker.log().includes('worker started'))
  const body = JSON.stringify({ lane: 'maintenance', reason: 'month end' })
  const post = (path: string, authorization?: string) =>
    api.fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
      body
    })
  const paused = (await (await post('/v1/pauses')).json()) as Record<string, unknown>
  t.match(paused, { lane: 'maintenance', jurisdiction: null, reason: 'month end', paused_by: /^key:/, running_jobs: 0 })
  t.equal((await json(await post('/v1/pauses'))).id, paused['id'], 'asked for twice it is one')
  await until(async () => worker.log().includes('what operators hold back has changed'))
  const held = await submit(p, '53033', 'A-1', 'maintenance')
  await p.pool.query(`update pgboss.job set created_on = now() - interval '3 hours' where state = 'created'`)
  t.equal(await raiseOldJobs(p.pool, 3600), 1)
  const free = await submit(p, '53033', 'A-2')
  await until(() => hasEnded(p.pool, free.id))
  t.equal(await stateOf(p.pool, held.id), 'queued')
  t.match(await (await api.fetch('/v1/pauses')).json(), { data: [{ lane: 'maintenance', waiting_jobs: 1 }] })

  const local = `Bearer ${await api.keyFor({ jurisdictions: ['53033'] })}`
  t.equal((await post('/v1/pauses/resume', local)).status, 403, 'a lane of all needs a key for all')
  const clerk = `Bearer ${await api.keyFor({ scopes: ['review'] })}`
  t.equal((await post('/v1/pauses', clerk)).status, 403)
  t.equal((await post('/v1/pauses/resume')).status, 200)
  t.equal((await post('/v1/pauses/resume')).status, 404)
  await until(() => hasEnded(p.pool, held.id))
})

t.test('a pause is told at its commit; news that got lost are found by looking', async t => {
  const p = await testPipeline(t)
  t.teardown(() => rm(p.folder, { recursive: true, force: true }))
  let wake: () => void = () => undefined
  const listener = createJobListener(p.url, silent)
  t.teardown(() => listener.close())
  const woken = (): Promise<void> =>
    new Promise(resolve => {
      wake = resolve
    })
  const first = woken()
  listener.onJobs('pauses', () => wake())
  const seen: number[] = []
  const slots = [{ holdBack: (holds: readonly unknown[]) => void seen.push(holds.length) }] as unknown as Slots[]
  const service = pauseService({ pool: p.pool, logger: silent, listener, slots, holds: [] })
  // Listening has begun: whoever listens is woken once when the connection stands.
  await first
  const next = woken()
  await docket(p, 'pause', '--lane', 'critical', '--reason', 'test')
  await next
  await until(async () => seen.length === 1)
  t.strictSame(seen, [1])
  t.equal(await service.runOnce(), 0, 'and is known already')
  await listener.close()
  await docket(p, 'resume', '--lane', 'critical', '--reason', 'test')
  t.equal(await service.runOnce(), 1, 'without news it is found by looking')
  t.strictSame(seen, [1, 0])
})
