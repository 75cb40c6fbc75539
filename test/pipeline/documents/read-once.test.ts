import { readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import { createExtractor } from '../../../src/extract/extractor.ts'
import { sweepSpool } from '../../../src/intake/sweep-spool.ts'
import { createDocumentReader } from '../../../src/pipeline/documents/document-reader.ts'
import { sweepResults } from '../../../src/pipeline/documents/sweep-results.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'
import { barTable, isBlocked, spawnWorker, until } from '../../helpers/worker-process.ts'

const LEASE = 'LEASE\n\nTenant: Ann Example\n\nBase Rent: $1,200.00 per month\n'

const PROGRAMS = join(import.meta.dirname, '../../fixtures/extract/programs')

/** From here on documents are read by a program that does what they say, under the version of the real one. */
function misbehave(t: Test, p: TestPipeline): void {
  const { document, profileFolder } = p.config
  const tempDir = join(p.folder, 'programs')
  const program = join(PROGRAMS, 'misbehave.ts')
  const { version } = p.deps.extractor
  const extractor = Object.assign(createExtractor({ ...document, slots: 1, tempDir, program }), { version })
  const documents = createDocumentReader({ ...p.deps, extractor, document, profileFolder })
  t.teardown(() => Promise.all([extractor.close(), documents.close()]))
  Object.assign(p.deps, { extractor, documents })
}

const submit = async (p: TestPipeline, bytes: string | Buffer = LEASE): Promise<string> => {
  const { id } = await p.submit([{ name: 'a.txt', bytes, type: 'text/plain' }], { profile: 'lease', force: true })
  return id
}

const extractions = async (p: TestPipeline) =>
  (
    await p.pool.query<{ launches: number; finished: boolean; uri: string | null; outcome: unknown }>(
      `select launches, finished_at is not null as finished, result_uri as uri, outcome from extraction`
    )
  ).rows

const pathOf = (p: TestPipeline, uri: string): string => join(p.config.payloadFolder, uri.replace(/^file:/, ''))

t.test('the same bytes sent again start no process for reading, and give the same fields', async t => {
  const p = await testPipeline(t)
  const first = await submit(p)
  const work = p.work()
  await p.finished(first)
  await work.stop()
  t.match(await extractions(p), [{ launches: 1, finished: true, uri: /^file:53033\// }])
  const [before] = await p.records(first)
  t.ok(Object.keys(before?.fields ?? {}).length > 0)
  misbehave(t, p)
  const second = await submit(p)
  p.work()
  await p.finished(second)
  const [after] = await p.records(second)
  t.same(after?.fields, before?.fields)
  t.match(await extractions(p), [{ launches: 1, finished: true }])
})

t.test('a document that ends its reader again and again is held without a further try', async t => {
  const p = await testPipeline(t)
  misbehave(t, p)
  p.work()
  for (let sent = 1; sent <= 3; sent += 1) {
    const id = await submit(p, 'leave')
    await p.finished(id)
    t.match(await p.records(id), [{ state: 'quarantined', codes: ['EXTRACTION_CRASH'] }])
    t.match(await extractions(p), [{ launches: 2, finished: false, uri: null }], `sent ${sent} times`)
  }
})

t.test('what a killed worker had half written is never read', async t => {
  const p = await testPipeline(t)
  const id = await submit(p)
  const bar = await barTable(p.pool, 'extraction')
  const worker = spawnWorker(t, p)
  await until(() => isBlocked(p.pool))
  worker.kill('SIGKILL')
  await worker.exited
  await bar.lift()
  await p.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'docket-worker%'`
  )
  // An object whose row never came, as a worker leaves it that is killed between the two.
  const orphan = '53033/01890000-0000-7000-8000-000000000000'
  await writeFile(join(p.config.payloadFolder, orphan), 'half')
  await p.pool.query(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`)
  const next = spawnWorker(t, p)
  await p.finished(id)
  next.kill('SIGKILL')
  await next.exited
  const [row] = await extractions(p)
  t.match(row, { finished: true })
  t.not(row?.uri, `file:${orphan}`)
  await utimes(join(p.config.payloadFolder, orphan), 0, 0)
  t.match(await verify({ pool: p.pool, store: p.deps.store }), { offenders: [{ check: 'payload-orphan' }] })
  await sweepSpool({ ...p.deps, now: () => new Date() })
  t.match(await verify({ pool: p.pool, store: p.deps.store, payloads: true }), { ok: true })
})

t.test('a kept result is swept by nobody, verified, and made again when it is damaged', async t => {
  const p = await testPipeline(t)
  p.work()
  await p.finished(await submit(p))
  const [{ uri } = { uri: null }] = await extractions(p)
  const path = pathOf(p, uri ?? '')
  await utimes(path, 0, 0)
  t.match(await sweepSpool({ ...p.deps, now: () => new Date() }), { payloads: 0 })
  t.match(await verify({ pool: p.pool, store: p.deps.store, payloads: true }), { ok: true })
  await rm(path)
  await writeFile(path, 'not what was stored')
  t.match(await verify({ pool: p.pool, store: p.deps.store }), { offenders: [{ check: 'payload-size' }] })
  const again = await submit(p)
  await p.finished(again)
  t.match(await p.records(again), [{ state: /quarantined|accepted/ }])
  const [made] = await extractions(p)
  t.match(made, { finished: true, launches: 1 })
  t.not(made?.uri, uri)
})

t.test('equal documents that come together are read once', async t => {
  const p = await testPipeline(t)
  const ids = await Promise.all([submit(p), submit(p), submit(p), submit(p)])
  p.work()
  await Promise.all(ids.map(id => p.finished(id)))
  t.match(await extractions(p), [{ launches: 1, finished: true }])
})

t.test('what another version of the reader made is removed after a month, what this one made stays', async t => {
  const p = await testPipeline(t)
  p.work()
  for (const bytes of [LEASE, `${LEASE}Two\n`, `${LEASE}Three\n`]) await p.finished(await submit(p, bytes))
  const { rows: made } = await p.pool.query<{ uri: string }>('select result_uri as uri from extraction order by sha256')
  const [older, recent, own] = made
  const change = (uri: string | undefined, version: string, days: number) =>
    p.pool.query(
      `update extraction set extractor = coalesce(nullif($2, ''), extractor), launched_at = null,
         finished_at = finished_at - make_interval(days => $3) where result_uri = $1`,
      [uri, version, days]
    )
  await change(older?.uri, 'before', 31)
  await change(recent?.uri, 'before', 29)
  await change(own?.uri, '', 400)
  t.equal(await sweepResults(p.deps), 1)
  t.same(new Set((await extractions(p)).map(({ uri }) => uri)), new Set([recent?.uri, own?.uri]))
  await t.rejects(readFile(pathOf(p, older?.uri ?? '')), { code: 'ENOENT' })
  t.ok(await readFile(pathOf(p, own?.uri ?? '')))
  t.equal(await sweepResults(p.deps), 0)
})
