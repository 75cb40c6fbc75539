import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { main } from '../../../src/cli/main.ts'
import type { Json } from '../../../src/model/json.ts'
import { redriveUnavailable } from '../../../src/pipeline/enrich/redrive-unavailable.ts'
import { configureSources } from '../../../src/registries/configuration/configure.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'
import { until } from '../../helpers/worker-process.ts'
import { Random, testSeed } from '../../normalize/properties/random.ts'
import { type FaultServer, startFaultServer } from '../../registries/http/server/fault-server.ts'
import { LAYER } from '../../registries/http/server/protocols.ts'
import { keyOf, truthOf } from '../../registries/http/server/world.ts'
import { type JsonRegistry, jsonRegistry, useRegistry, WELL } from '../../registries/json-registry.ts'

const SEED = testSeed()
t.comment(`DOCKET_TEST_SEED=${SEED}`)

const MAIN = join(import.meta.dirname, '../../../src/cli/main.ts')
const [HERE, THERE] = ['anyborough', 'otherborough']

const source = (origin: string): Json => ({
  adapter: 'arcgis',
  url: `${origin}${LAYER}`,
  key: { from: 'PIN' },
  fields: { zoningCode: 'ZONE' },
  network: { http: true, addresses: ['127.0.0.0/8'], maxBytes: 2_000_000 }
})

async function startRegistry(t: Test, p: TestPipeline, jurisdiction = HERE): Promise<FaultServer> {
  const server = await startFaultServer({ random: new Random(SEED) })
  t.teardown(() => server.close())
  await configureSources(p.pool, jurisdiction, { parcel: { source: source(server.origin) } }, false)
  return server
}

/** Of those whose identifiers are plain digits. */
const parcels = (from: number, count: number): readonly string[] =>
  Array.from({ length: 2 * count }, (_, i) => from + i)
    .filter(n => n % 50 !== 7 && n % 50 !== 8)
    .slice(0, count)
    .map(keyOf)

async function submit(p: TestPipeline, keys: readonly string[], jurisdiction = HERE): Promise<string> {
  const rows = keys.map((key, i) => `W-${i},${key},roof,2024-03-01,8400`)
  const bytes = `permit_number,parcel_id,permit_type,applied_date,valuation\n${rows.join('\n')}\n`
  return (await p.submit([{ name: 'a.csv', bytes, type: 'text/csv' }], { jurisdiction })).id
}

const environment = (p: TestPipeline): Record<string, string> => ({ DATABASE_URL: p.url, DOCKET_DATA: p.folder })

interface Ran {
  readonly status: number
  readonly out: string
  readonly err: string
}

async function warm(p: TestPipeline, args: readonly string[] = [], extra: Record<string, string> = {}): Promise<Ran> {
  const out: string[] = []
  const err: string[] = []
  const env = { ...environment(p), ...extra }
  const io = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line), env }
  return { status: await main(['registry', 'warm', ...args], io), out: out.join('\n'), err: err.join('\n') }
}

/** Keys, kept, asked and unanswered of the registry of parcels of a jurisdiction. */
const told = (out: string, jurisdiction = HERE): number[] =>
  (new RegExp(`^${jurisdiction} +parcel +(\\d+) +(\\d+) +(\\d+) +(\\d+)`, 'm').exec(out) ?? []).slice(1).map(Number)

async function outcomes(p: TestPipeline, batchId: string): Promise<readonly string[]> {
  return (await p.records(batchId)).map(({ state, codes, content }) =>
    state === 'accepted' ? `accepted ${JSON.stringify(content?.['zoning_code'])}` : `${state} ${codes.join()}`
  )
}

function expected(key: string): string {
  const truth = truthOf(key)
  if (truth.kind === 'match') return `accepted ${JSON.stringify(truth.value['zoningCode'])}`
  return `quarantined ${truth.kind === 'no_match' ? 'PARCEL_NO_MATCH' : 'PARCEL_MULTIPLE'}`
}

/** Everything that looking up ahead must leave as it is. */
async function work(p: TestPipeline): Promise<unknown> {
  const { rows } = await p.pool.query(
    `select (select jsonb_agg(to_jsonb(c) order by c.id) from chunk c) as chunks,
       (select jsonb_agg(to_jsonb(b) order by b.id) from batch b) as batches,
       (select jsonb_agg(to_jsonb(r) order by r.id) from record r) as records,
       (select count(*)::int from pgboss.job) as jobs`
  )
  return rows[0]
}

const answersKept = async (p: TestPipeline): Promise<number> =>
  (await p.pool.query('select 1 from registry_cache where answer is not null')).rowCount ?? 0

t.test('after it the pipeline finds every answer kept, and decides as the registry says', async t => {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '200' })
  const server = await startRegistry(t, p)
  const keys = parcels(3000, 500)
  const batchId = await submit(p, keys)
  const before = await work(p)
  const ran = await warm(p)
  t.equal(ran.status, 0, ran.err)
  t.same(told(ran.out), [500, 0, 500, 0])
  t.match(ran.out, /^3 chunks were gone through, 0 documents/m)
  t.ok(server.calls() >= 3)
  t.strictSame(await work(p), before, 'nothing but the cache has changed')
  const calls = server.calls()
  const again = await warm(p, ['--jurisdiction', HERE])
  t.same([again.status, ...told(again.out)], [0, 500, 500, 0, 0])
  p.work()
  await p.finished(batchId)
  t.strictSame(await outcomes(p, batchId), keys.map(expected))
  t.equal(server.calls() - calls, 0, 'the pipeline asks nothing')
})

t.test('a registry that is down: status 1, nothing changed, and others are asked all the same', async t => {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '50' })
  const [down, up] = [await startRegistry(t, p), await startRegistry(t, p, THERE)]
  down.force('internal')
  await submit(p, parcels(100, 500))
  await submit(p, parcels(9000, 100), THERE)
  const before = await work(p)
  const ran = await warm(p)
  t.equal(ran.status, 1)
  const [keys = 0, kept, asked, unanswered] = told(ran.out)
  t.same([kept, asked, unanswered], [0, 0, keys])
  t.match(ran.out, /anyborough .*does not answer/)
  t.ok(keys <= 100, `it is left alone after a chunk or two: ${keys} keys`)
  t.same(told(ran.out, THERE), [100, 0, 100, 0])
  t.strictSame(await work(p), before)
  t.equal(await answersKept(p), 100, 'of the other one alone')
  t.ok(up.calls() > 0)
  await p.pool.query('delete from registry_breaker')
  down.force(undefined)
  t.equal((await warm(p, ['--jurisdiction', HERE])).status, 0)
  t.equal(await answersKept(p), 600)
})

t.test('records that are held because their registry was away are warmed as well', async t => {
  const p = await testPipeline(t)
  const server = await startRegistry(t, p)
  server.force('internal')
  const keys = parcels(60_000, 60)
  const batchId = await submit(p, keys)
  p.work()
  await p.finished(batchId)
  t.ok((await outcomes(p, batchId)).every(outcome => outcome === 'quarantined ENRICH_UNAVAILABLE'))
  server.force(undefined)
  await p.pool.query('delete from registry_breaker')
  const ran = await warm(p)
  t.same([ran.status, ...told(ran.out)], [0, 60, 0, 60, 0])
  const calls = server.calls()
  // What this process remembers of the breaker is over within a second.
  await until(async () => {
    await redriveUnavailable(p.deps)
    return (await outcomes(p, batchId)).every(outcome => outcome !== 'quarantined ENRICH_UNAVAILABLE')
  })
  t.strictSame(await outcomes(p, batchId), keys.map(expected))
  t.equal(server.calls() - calls, 0)
})

/** Answers one key in a call, after so long. */
async function slowRegistry(t: Test, p: TestPipeline, ms: number): Promise<JsonRegistry> {
  const registry = await jsonRegistry(t)
  registry.answer = (keys, response) => void setTimeout(() => WELL(keys, response), ms)
  const { source: one } = registry.settings()
  await useRegistry(p.pool, registry, { source: { ...(one as object), keysPerCall: 1 } }, HERE)
  return registry
}

t.test('a registry may take more time than a chunk has: it is asked on for as long as it answers', async t => {
  const p = await testPipeline(t)
  const registry = await slowRegistry(t, p, 150)
  await submit(p, parcels(100, 60))
  const ran = await warm(p, [], { DOCKET_ENRICHMENT_TIMEOUT: '1' })
  t.equal(ran.status, 0, ran.out)
  const [keys, , , unanswered] = told(ran.out)
  t.same([keys, unanswered], [60, 0])
  t.equal(new Set(registry.calls.flat()).size, 60)
  t.equal(await answersKept(p), 60)
})

t.test('SIGTERM ends it in order: what came is kept and told', async t => {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '4' })
  const registry = await slowRegistry(t, p, 100)
  await submit(p, parcels(100, 400))
  const env = { ...environment(p), PATH: process.env['PATH'] ?? '' }
  const child = spawn(process.execPath, [MAIN, 'registry', 'warm'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(() => void child.kill('SIGKILL'))
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (text += bytes.toString()))
  await until(async () => registry.calls.length >= 20)
  child.kill('SIGTERM')
  const [code] = (await once(child, 'close')) as [number | null]
  t.equal(code, 1, text)
  const [keys = 0, kept, asked = 0, unanswered] = told(text)
  t.same([kept, unanswered], [0, 0])
  t.ok(asked >= 8 && asked === keys && asked < 400, `${asked} of 400`)
  t.match(text, /stopped before the end/)
  t.ok((await answersKept(p)) >= asked)
})

t.test('a jurisdiction that asks nobody elsewhere is a slip of the pen', async t => {
  const p = await testPipeline(t)
  await startRegistry(t, p)
  await configureSources(p.pool, THERE, { parcel: { source: { adapter: 'table' } } }, false)
  for (const name of [THERE, 'nowhere']) {
    const ran = await warm(p, ['--jurisdiction', name])
    t.equal(ran.status, 2)
    t.match(ran.err, new RegExp(`"${name}" is not one that asks a registry elsewhere`))
  }
  t.equal((await warm(p, ['more'])).status, 2)
  const none = await warm(p)
  t.same([none.status, told(none.out)], [0, []], 'without work there is nothing to ask')
})
