import t, { type Test } from 'tap'
import { newId } from '../../../src/model/ids.ts'
import type { Json } from '../../../src/model/json.ts'
import { redriveUnavailable } from '../../../src/pipeline/enrich/redrive-unavailable.ts'
import { configureSources } from '../../../src/registries/configuration/configure.ts'
import { openRegistries } from '../../../src/registries/open-look-ups.ts'
import { silent } from '../../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'
import { until } from '../../helpers/worker-process.ts'
import { Random, testSeed } from '../../normalize/properties/random.ts'
import { type FaultServer, startFaultServer } from './server/fault-server.ts'
import { FAULTS } from './server/faults.ts'
import { DATASET, LAYER } from './server/protocols.ts'
import { keyOf, truthOf } from './server/world.ts'

const SEED = testSeed()
t.comment(`DOCKET_TEST_SEED=${SEED}`)

/** Without a mask for parcels of its own. */
const JURISDICTION = 'anyborough'
/** The limits of the breaker, in a fraction of their time. */
const QUICK = { failures: 5, waitSeconds: 0.2, longestSeconds: 0.5, brokenSeconds: 0.2, trialSeconds: 2 }
const network = { http: true, addresses: ['127.0.0.0/8'], maxBytes: 2_000_000 }

const ARCGIS = (origin: string): Json => ({
  adapter: 'arcgis',
  url: `${origin}${LAYER}`,
  key: { from: 'PIN' },
  fields: { zoningCode: 'ZONE' },
  network
})
const SOCRATA = (origin: string): Json => ({
  adapter: 'socrata',
  url: origin,
  dataset: DATASET,
  key: { from: 'pin' },
  fields: { zoningCode: 'zone' },
  network
})

/** A pipeline whose breakers are closed soon again, and that gives a registry half a second unless said otherwise. */
async function quickPipeline(t: Test, timeoutMs = 500): Promise<TestPipeline> {
  const p = await testPipeline(t)
  const limits = { pool: p.pool, logger: silent, newId, secretsFolder: undefined, atOnce: 32, timeoutMs }
  const registries = openRegistries({ ...limits, breakerLimits: QUICK })
  Object.assign(p.deps, registries)
  t.teardown(() => registries.lookUps.settled())
  return p
}

/** A registry of parcels for a jurisdiction. */
async function startRegistry(
  t: Test,
  p: TestPipeline,
  source: (origin: string) => Json,
  jurisdiction = JURISDICTION
): Promise<FaultServer> {
  const server = await startFaultServer({ random: new Random(SEED) })
  t.teardown(() => server.close())
  await configureSources(p.pool, jurisdiction, { parcel: { source: source(server.origin) } }, false)
  return server
}

/** Parcels by number, of those whose identifiers are plain digits. */
const parcels = (from: number, count: number): readonly string[] =>
  Array.from({ length: 2 * count }, (_, i) => from + i)
    .filter(n => n % 50 !== 7 && n % 50 !== 8)
    .slice(0, count)
    .map(keyOf)

async function submit(
  p: TestPipeline,
  prefix: string,
  keys: readonly string[],
  jurisdiction = JURISDICTION
): Promise<string> {
  const rows = keys.map((key, i) => `${prefix}-${i},${key},roof,2024-03-01,8400`)
  const bytes = `permit_number,parcel_id,permit_type,applied_date,valuation\n${rows.join('\n')}\n`
  return (await p.submit([{ name: 'a.csv', bytes, type: 'text/csv' }], { jurisdiction })).id
}

const UNAVAILABLE = 'quarantined ENRICH_UNAVAILABLE'

/** What became of each record, beside its parcel. */
async function outcomes(
  p: TestPipeline,
  batchId: string,
  keys: readonly string[]
): Promise<(readonly [string, string])[]> {
  const records = await p.records(batchId)
  return records.map(({ state, codes, content }, i) => {
    const zoning = state === 'accepted' ? JSON.stringify(content?.['zoning_code']) : codes.join()
    return [keys[i] ?? '', `${state} ${zoning}`] as const
  })
}

function expected(key: string): string {
  const truth = truthOf(key)
  if (truth.kind === 'match') return `accepted ${JSON.stringify(truth.value['zoningCode'])}`
  return `quarantined ${truth.kind === 'no_match' ? 'PARCEL_NO_MATCH' : 'PARCEL_MULTIPLE'}`
}

for (const [name, source] of Object.entries({ ArcGIS: ARCGIS, Socrata: SOCRATA })) {
  t.test(`${name}: of records that a failing registry is asked about, none is lost and none is wrong`, async t => {
    const p = await quickPipeline(t)
    const server = await startRegistry(t, p, source)
    server.spoil(50)
    const keys = parcels(1000, 1000)
    const batchId = await submit(p, 'F', keys)
    p.work()
    await p.finished(batchId)
    // It goes on failing, and what comes through all the same is used.
    await until(async () => {
      await redriveUnavailable(p.deps)
      return (await outcomes(p, batchId, keys)).filter(([, outcome]) => outcome !== UNAVAILABLE).length >= 300
    })
    const meanwhile = await outcomes(p, batchId, keys)
    t.equal(meanwhile.length, keys.length)
    t.comment(`${meanwhile.filter(([, outcome]) => outcome === UNAVAILABLE).length} held meanwhile`)
    t.strictSame(
      meanwhile.filter(([key, outcome]) => outcome !== UNAVAILABLE && outcome !== expected(key)),
      [],
      'what was decided while it failed was decided rightly'
    )
    server.spoil(0)
    await until(async () => {
      await redriveUnavailable(p.deps)
      return (await outcomes(p, batchId, keys)).every(([, outcome]) => outcome !== UNAVAILABLE)
    })
    t.strictSame(
      await outcomes(p, batchId, keys),
      keys.map(key => [key, expected(key)])
    )
    t.equal(server.strayCalls(), 0)
  })

  t.test(`${name}: a chunk takes at most four calls, and none when its keys are known`, async t => {
    const p = await quickPipeline(t, 30_000)
    const server = await startRegistry(t, p, source)
    const keys = parcels(50_000, 500)
    p.work()
    const cold = await submit(p, 'C', keys)
    await p.finished(cold)
    t.ok(server.calls() >= 1 && server.calls() <= 4, `${server.calls()} calls`)
    t.strictSame(
      await outcomes(p, cold, keys),
      keys.map(key => [key, expected(key)])
    )
    const before = server.calls()
    const warm = await submit(p, 'W', keys)
    await p.finished(warm)
    t.strictSame(
      await outcomes(p, warm, keys),
      keys.map(key => [key, expected(key)])
    )
    t.equal(server.calls() - before, 0)
  })
}

t.test('whatever a registry does instead of answering, nothing is accepted, and all is when it answers', async t => {
  const p = await quickPipeline(t)
  const keys = parcels(2, 4)
  const faults = Object.keys(FAULTS).filter(name => name !== 'slow')
  const started = await Promise.all(
    faults.map(async fault => {
      const jurisdiction = `city-${fault.toLowerCase()}`
      const server = await startRegistry(t, p, ARCGIS, jurisdiction)
      server.force(fault)
      return { fault, server, batchId: await submit(p, 'A', keys, jurisdiction) }
    })
  )
  p.work()
  for (const { fault, batchId } of started) {
    await p.finished(batchId)
    t.strictSame(
      await outcomes(p, batchId, keys),
      keys.map(key => [key, UNAVAILABLE]),
      fault
    )
  }
  for (const { server } of started) server.force(undefined)
  for (const { fault, batchId } of started) {
    await until(async () => {
      await redriveUnavailable(p.deps)
      return (await outcomes(p, batchId, keys)).every(([, outcome]) => outcome !== UNAVAILABLE)
    })
    t.strictSame(
      await outcomes(p, batchId, keys),
      keys.map(key => [key, expected(key)]),
      fault
    )
  }
})
