import t, { type Test } from 'tap'
import type { Json } from '../../../src/model/json.ts'
import { createArcgisAdapter } from '../../../src/registries/http/arcgis/arcgis-adapter.ts'
import { createHttpClient, type HttpReply } from '../../../src/registries/http/client/guarded-client.ts'
import { createHttpAdapter } from '../../../src/registries/http/http-adapter.ts'
import { policyOf } from '../../../src/registries/http/mapping/rules.ts'
import type { Adapter } from '../../../src/registries/registry.ts'
import { Random, testSeed } from '../../normalize/properties/random.ts'
import { checkLookUps } from './server/check-look-ups.ts'
import { type FaultServer, type FaultServerOptions, startFaultServer } from './server/fault-server.ts'
import { arcgisSettings, WAYS } from './server/settings.ts'
import { keyOf, truthOf } from './server/world.ts'

const deps = { secret: undefined, connections: 4, now: () => Date.now() }
const ADAPTERS = Object.entries(WAYS).map(([way, settingsOf]) => {
  return [way, (origin: string): Adapter => createHttpAdapter('parcel', settingsOf(origin), deps)] as const
})

async function start(t: Test, options: Omit<FaultServerOptions, 'random'>): Promise<FaultServer & { random: Random }> {
  const random = new Random(testSeed())
  t.comment(`DOCKET_TEST_SEED=${random.seed}`)
  const server = await startFaultServer({ ...options, random })
  t.teardown(() => server.close())
  return { ...server, random }
}

for (const [way, open] of ADAPTERS) {
  t.test(`${way}: of a registry that fails in every way it can, no answer is wrong`, async t => {
    const server = await start(t, { percent: 50 })
    const adapter = open(server.origin)
    const lookUps = adapter.keysPerCall === 1 ? 150 : 4000
    const { random } = server
    const outcome = await checkLookUps(adapter, { random, lookUps, chunk: 500, attempts: 12, timeoutMs: 600 })
    t.strictSame(outcome.wrong, [])
    t.equal(outcome.wrongCount, 0)
    t.ok(outcome.right + outcome.faulted >= lookUps * 0.95, `${outcome.right} right, ${outcome.faulted} faulted`)
    t.ok(outcome.right > lookUps / 2, 'and most are answered in the end')
    t.equal(server.strayCalls(), 0, 'nobody else was asked')
    t.ok(server.made.size > 5, `${server.made.size} kinds of fault`)
  })
}

const MANY = Array.from({ length: 500 }, (_, i) => keyOf(i * 401))

for (const [way, open] of ADAPTERS.filter(([name]) => name !== 'JSON, one key')) {
  t.test(`${way}: 500 keys take at most four calls`, async t => {
    const server = await start(t, {})
    const answers = await open(server.origin).lookUp(MANY, { asOf: '2026-11-30', signal: AbortSignal.timeout(10_000) })
    t.strictSame(
      [...answers],
      MANY.map(key => [key, truthOf(key)])
    )
    t.ok(server.calls() <= 4, `${server.calls()} calls`)
  })
}

t.test('replies that are cut by the server are made whole, in halves and in pages', async t => {
  for (const [way, open] of ADAPTERS.filter(([name]) => name.startsWith('ArcGIS'))) {
    const server = await start(t, { maxRecordCount: 150 })
    const answers = await open(server.origin).lookUp(MANY, { asOf: '2026-11-30', signal: AbortSignal.timeout(10_000) })
    t.strictSame(
      [...answers],
      MANY.map(key => [key, truthOf(key)]),
      way
    )
    t.ok(server.calls() > 2, `${server.calls()} calls`)
  }
})

/** The adapter for ArcGIS on a client that changes what came: as if the adapter did not look at it. */
function flawed(origin: string, blind: (body: Json) => Json): Adapter {
  const settings = arcgisSettings(origin)
  const policy = policyOf(settings.network, [settings.url], 4)
  const http = createHttpClient(policy, { now: () => Date.now() })
  const tokens = { get: async () => undefined, drop: () => false }
  const send = async (call: Parameters<typeof http.send>[0]): Promise<HttpReply> => {
    const reply = await http.send(call)
    return reply.body === undefined ? reply : { ...reply, body: blind(reply.body) }
  }
  return createArcgisAdapter('parcel', settings, { http: { send }, tokens })
}

const FLAWS: Readonly<Record<string, (body: Json) => Json>> = {
  'takes a cut reply for a whole one': body => ({ ...(body as object), exceededTransferLimit: false }),
  'takes an error inside 200 for no rows': body => ('error' in (body as object) ? { features: [] } : body),
  'takes missing features for no rows': body => ({ features: [], ...(body as object) }),
  'takes another question’s answer for its own': body => {
    const { features } = body as { features?: { attributes: { PIN: string } }[] }
    const asked = (features ?? []).filter(feature => MANY.includes(feature.attributes.PIN))
    return features ? { ...(body as object), features: asked } : body
  }
}

for (const [flaw, blind] of Object.entries(FLAWS)) {
  t.test(`the check finds an adapter that ${flaw}`, async t => {
    const faults = ['truncated', 'errorInside', 'nothing', 'wrongKeys']
    const server = await start(t, { percent: 60, faults })
    const adapter = flawed(server.origin, blind)
    const { random } = server
    const keys = flaw.startsWith('takes another') ? MANY : undefined
    const outcome = await checkLookUps(adapter, {
      random,
      lookUps: 3000,
      chunk: 200,
      attempts: 12,
      timeoutMs: 5000,
      ...(keys ? { keys } : {})
    })
    t.ok(outcome.wrongCount > 0, `${outcome.wrongCount} wrong answers`)
    t.ok(outcome.wrong[0], outcome.wrong[0] ?? 'none')
  })
}

t.test('and none in the same adapter without a flaw', async t => {
  const server = await start(t, { percent: 60, faults: ['truncated', 'errorInside', 'nothing', 'wrongKeys'] })
  const { random } = server
  const options = { random, lookUps: 3000, chunk: 200, attempts: 12, timeoutMs: 5000 }
  t.equal(
    (
      await checkLookUps(
        flawed(server.origin, body => body),
        options
      )
    ).wrongCount,
    0
  )
})
