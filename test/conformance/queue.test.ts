import { once } from 'node:events'
import t, { type Test } from 'tap'
import { createKey } from '../../src/api/keys.ts'
import { startApi } from '../../src/api/main.ts'
import { loadConfig } from '../../src/config.ts'
import type { Extractor } from '../../src/extract/extractor.ts'
import { createDocumentReader } from '../../src/pipeline/documents/document-reader.ts'
import { startWorker } from '../../src/worker/main.ts'
import { testDatabase } from '../helpers/database.ts'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'
import { barTable, spawnWorker, until } from '../helpers/worker-process.ts'
import { caseBytes } from './case-files.ts'

// Workers killed while they work are in test/pipeline/crash.test.ts, handlers that throw such messages in
// test/queue/slots.test.ts, pages that stay whole while records change in test/api/routes/records.test.ts.

/** The longest that each setting of time allows, in its unit. */
const LONGEST = {
  DOCKET_HEARTBEAT: 3600,
  DOCKET_DOCUMENT_SECONDS: 3600,
  DOCKET_ENRICHMENT_TIMEOUT: 300,
  DOCKET_IDEMPOTENCY_TTL: 31_536_000,
  DOCKET_MAX_QUEUE_AGE: 86_400
} as const

const textOf = (changes: object): Record<string, string> =>
  Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, String(value)]))

/** Names of the warnings that this process gives until the test is over. */
function warningsOf(t: Test): string[] {
  const names: string[] = []
  const note = (warning: Error): void => void names.push(warning.name)
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  return names
}

t.test('the longest times that can be set overflow no timer, and longer ones are refused', async t => {
  const warnings = warningsOf(t)
  const { pool, url } = await testDatabase(t)
  const config = loadConfig({
    DATABASE_URL: url,
    DOCKET_DATA: t.testdir({}),
    DOCKET_PORT: '0',
    DOCKET_LOG_LEVEL: 'silent',
    DOCKET_DOCUMENT_CONCURRENCY: '1',
    ...textOf(LONGEST)
  })
  const [api, worker] = await Promise.all([startApi(config), startWorker(config)])
  t.teardown(() => Promise.all([api.close(), worker.close()]))
  const { token } = await createKey(pool, { name: 'test', scopes: ['admin'], jurisdictions: ['*'] })
  const response = await fetch(`${api.address}/v1/batches?profile=policy&jurisdiction=53033`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/pdf' },
    body: await caseBytes('pdf-text-pt07', 'policy.pdf')
  })
  t.equal(response.status, 202)
  await until(async () => (await pool.query(`select from batch where state = 'completed'`)).rowCount === 1)
  const { rows } = await pool.query('select launches, accepted from chunk')
  t.strictSame(rows, [{ launches: 1, accepted: 1 }], 'worked once')
  t.notOk(warnings.includes('TimeoutOverflowWarning'))
  t.notOk(warnings.includes('TimeoutNegativeWarning'))

  for (const [name, most] of Object.entries(LONGEST)) {
    t.throws(() => loadConfig({ [name]: String(most + 1) }), { code: 'CONFIG_INVALID' }, name)
  }
  const warned = once(process, 'warning')
  clearTimeout(setTimeout(() => undefined, 2 ** 31))
  await warned
  t.ok(warnings.includes('TimeoutOverflowWarning'), 'a timer that overflows is seen')
})

/** Starts a worker whose clock is off by so many minutes. */
function workerAt(t: Test, p: TestPipeline, minutes: number) {
  const program = `const Real = Date, off = ${minutes} * 60000
    globalThis.Date = class extends Real {
      constructor(...parts) { parts.length > 0 ? super(...parts) : super(Real.now() + off) }
      static now() { return Real.now() + off }
    }`
  const preload = `data:text/javascript;base64,${Buffer.from(program).toString('base64')}`
  return spawnWorker(t, { url: p.url, folder: p.folder, extra: { NODE_OPTIONS: `--import=${preload}` } })
}

/** Makes the first commit fail as if the server had no connection left; the next ones go through. */
const failOnce = (p: TestPipeline): Promise<unknown> =>
  p.pool.query(
    `create sequence commits_tried;
     create function fail_once() returns trigger language plpgsql as $$
     begin
       if nextval('commits_tried') = 1 then raise exception using errcode = '53300'; end if;
       return new;
     end $$;
     create trigger fail_once before insert on canonical_record for each row execute function fail_once()`
  )

t.test('workers whose clocks are ten minutes off neither hurry, nor wait, nor take work from each other', async t => {
  const p = await testPipeline(t)
  await failOnce(p)
  const { id } = await p.submit([
    { name: 'p.csv', bytes: 'permit_number,parcel_id,permit_type,valuation\nQU5-1,22-1,roof,1.00\n', type: 'text/csv' }
  ])
  const bar = await barTable(p.pool, 'canonical_record')
  const workers = [workerAt(t, p, 10), workerAt(t, p, -10)]
  const beats = new Set<string>()
  await until(async () => {
    const { rows } = await p.pool.query<{ beat: string | null }>(
      `select heartbeat_on::text as beat from pgboss.job where name = 'chunk' and state = 'active'`
    )
    for (const { beat } of rows) if (beat !== null) beats.add(beat)
    return beats.size > 2
  })
  t.match((await p.pool.query(`select retry_count, state from pgboss.job where name = 'chunk'`)).rows, [
    { retry_count: 0, state: 'active' }
  ])
  t.strictSame((await p.pool.query('select state from batch')).rows, [{ state: 'processing' }])
  await bar.lift()
  await p.finished(id)
  const { rows: jobs } = await p.pool.query<{ waited: number }>(
    `select extract(epoch from started_on - created_on)::float as waited from pgboss.job where name = 'chunk' order by created_on`
  )
  t.equal(jobs.length, 2, 'one retry')
  const waited = jobs[1]?.waited ?? NaN
  t.ok(waited >= 5 && waited <= 15, `the retry began after ${waited} s by the clock of the database`)
  t.match(await p.records(id), [{ state: 'accepted' }])
  const { rows: order } = await p.pool.query(
    `select b.received_at <= b.started_at and b.started_at <= c.committed_at and c.committed_at <= b.finished_at as in_order,
       (select bool_and(at >= before) from (
         select at, lag(at) over (partition by subject_id order by seq, step) as before from audit_transition) x
         where before is not null) as trail_in_order
     from batch b join chunk c on c.batch_id = b.id where b.id = $1`,
    [id]
  )
  t.strictSame(order, [{ in_order: true, trail_in_order: true }])
  for (const worker of workers) t.notMatch(worker.log(), /_ms":-/, 'no negative duration')
})

const MESSAGE = `bad glyph \u0000 at offset 12${'x'.repeat(2_000_000)}`

/** An extractor that does nothing but fail. */
const failing = (fail: Extractor['extract']): Extractor => ({
  version: 'failing',
  isolation: { level: 'full', missing: [], wrappers: new Set() },
  extract: fail,
  extractTo: fail as unknown as Extractor['extractTo'],
  check: async () => undefined,
  close: async () => undefined
})

/** Makes delayed retries due. */
const hurry = (p: TestPipeline): Promise<unknown> =>
  p.pool.query(`update pgboss.job set start_after = now() where state = 'retry' and start_after > now()`)

t.test(
  'an extractor that fails with a NUL in a message of two megabytes: held, in few attempts, and work goes on',
  async t => {
    const ways: Record<string, Extractor['extract']> = {
      thrown: async () => Promise.reject(new Error(MESSAGE)),
      answered: async () => ({ ok: false, reason: 'EXTRACTION_FAILED', detail: MESSAGE })
    }
    for (const [way, extract] of Object.entries(ways)) {
      const p = await testPipeline(t)
      const documents = createDocumentReader({
        ...p.deps,
        extractor: failing(extract),
        profileFolder: undefined,
        document: p.config.document
      })
      t.teardown(() => documents.close())
      Object.assign(p.deps, { documents })
      const { id } = await p.submit([{ name: 'a.txt', bytes: 'LEASE\nTenant: A', type: 'text/plain' }], {
        profile: 'lease'
      })
      p.work()
      await until(async () => {
        await hurry(p)
        return (await p.records(id)).length > 0
      })
      await p.finished(id)
      const [record] = await p.records(id)
      t.equal(record?.state, 'quarantined', way)
      const { rows } = await p.pool.query<{ reasons: string; launches: number }>(
        'select r.reasons::text as reasons, c.launches from record r join chunk c on c.id = r.chunk_id'
      )
      t.ok((rows[0]?.launches ?? Infinity) <= 4, 'after few attempts')
      t.ok((rows[0]?.reasons.length ?? Infinity) < 2000, 'what is stored is bounded')
      t.notMatch(rows[0]?.reasons, /u0000/)
      const next = await p.submit([
        { name: 'p.csv', bytes: 'permit_number,parcel_id,permit_type,valuation\nQU7-1,22-1,roof,1.00\n' }
      ])
      await p.finished(next.id)
      t.match(await p.records(next.id), [{ state: 'accepted' }], 'the same worker goes on')
    }
  }
)
