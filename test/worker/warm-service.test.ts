import t, { type Test } from 'tap'
import { endPause, insertPause } from '../../src/db/operations/pauses.ts'
import { withWarmingClaim } from '../../src/db/registries/awaited-work.ts'
import { newId } from '../../src/model/ids.ts'
import { warmServices } from '../../src/worker/maintenance/warm-service.ts'
import { JURISDICTION } from '../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'
import { until } from '../helpers/worker-process.ts'
import { type JsonRegistry, jsonRegistry, status, useRegistry, WELL } from '../registries/json-registry.ts'

const EVERY_MS = 300_000

async function submit(p: TestPipeline, prefix: string, count: number): Promise<string> {
  const rows = Array.from({ length: count }, (_, i) => `${prefix}-${i},${prefix}${i},roof,2024-03-01,8400`)
  const bytes = `permit_number,parcel_id,permit_type,applied_date,valuation\n${rows.join('\n')}\n`
  return (await p.submit([{ name: 'a.csv', bytes, type: 'text/csv' }])).id
}

interface Warming {
  readonly p: TestPipeline
  readonly registry: JsonRegistry
  readonly stopping: AbortController
  /** One more run of the service, an interval after the one before. */
  readonly run: () => Promise<number>
}

async function warming(t: Test, { chunks = 200 } = {}): Promise<Warming> {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '10' })
  const registry = await jsonRegistry(t)
  const stopping = new AbortController()
  let time = 0
  const deps = { ...p.deps, now: () => time }
  const [service] = warmServices({ everyMs: EVERY_MS, chunks }, deps, stopping.signal)
  if (!service) throw new Error('There is no service.')
  t.equal(await service.runOnce(), 0, 'not as the worker starts')
  const run = (): Promise<number> => {
    time += EVERY_MS
    return service.runOnce()
  }
  return { p, registry, stopping, run }
}

t.test('it asks ahead for what has come since, once, and for nothing where nobody elsewhere is asked', async t => {
  const { p, registry, run } = await warming(t)
  await submit(p, 'A', 30)
  t.equal(await run(), 0, 'no registry is configured')
  await useRegistry(p.pool, registry)
  await until(async () => (await p.deps.sources(JURISDICTION)).size > 0)
  t.equal(await run(), 30)
  t.equal(await run(), 0)
  const second = await submit(p, 'B', 20)
  t.equal(await run(), 20)
  const calls = registry.calls.length
  p.work()
  await p.finished(second)
  t.equal(registry.calls.length, calls, 'the work finds it kept')
  t.same(warmServices({ everyMs: 0, chunks: 1 }, { ...p.deps, now: () => 0 }, new AbortController().signal), [])
})

t.test('it asks nothing ahead for a jurisdiction whose work is held back', async t => {
  const { p, registry, run } = await warming(t)
  await useRegistry(p.pool, registry)
  await submit(p, 'A', 10)
  await until(async () => (await p.deps.sources(JURISDICTION)).size > 0)
  const pause = { jurisdiction: JURISDICTION, lane: null, reason: 'test', actor: 'cli:test' }
  await insertPause(p.pool, { ...pause, id: newId() })
  t.equal(await run(), 0)
  await endPause(p.pool, pause)
  t.equal(await run(), 10)
})

t.test('one run goes through so many chunks of a jurisdiction, and the next goes on', async t => {
  const { p, registry, run } = await warming(t, { chunks: 2 })
  await useRegistry(p.pool, registry)
  await submit(p, 'A', 50)
  t.same([await run(), await run(), await run(), await run()], [20, 20, 10, 0])
})

t.test('what is about to run out is asked for anew while work waits for it', async t => {
  const { p, registry, run } = await warming(t)
  await useRegistry(p.pool, registry)
  await submit(p, 'A', 30)
  t.equal(await run(), 30)
  const goRound = async (): Promise<number> => {
    const before = registry.calls.length
    for (let i = 0; i < 4; i++) await run()
    return registry.calls.slice(before).flat().length
  }
  t.equal(await goRound(), 0, 'what is kept for a day is left')
  await p.pool.query(`update registry_cache set fresh_until = now() + interval '10 minutes'`)
  t.equal(await goRound(), 30)
  const { rows } = await p.pool.query(
    `select count(*)::int as n from registry_cache where fresh_until > now() + interval '1 hour'`
  )
  t.same(rows, [{ n: 30 }])
})

t.test(
  'of several workers one asks ahead; a registry that is away is come back to; none is asked after the stop',
  async t => {
    const { p, registry, stopping, run } = await warming(t)
    await useRegistry(p.pool, registry)
    await submit(p, 'A', 30)
    t.equal(await withWarmingClaim(p.pool, run), 0, 'another has the claim')
    t.equal(registry.calls.length, 0)
    registry.answer = status(503, { 'retry-after': '1' })
    t.equal(await run(), 0)
    t.same(registry.calls.length, 1, 'it is left alone')
    registry.answer = WELL
    await p.pool.query('delete from registry_breaker where jurisdiction = $1', [JURISDICTION])
    await until(async () => (await p.deps.sources(JURISDICTION)).get('parcel')?.breaker.isOpen === false)
    t.equal(await run(), 30)
    await submit(p, 'B', 30)
    stopping.abort()
    t.equal(await run(), 0)
  }
)
