import t, { type Test } from 'tap'
import { createHttpAdapter, type HttpSettings, hostOf } from '../../../src/registries/http/http-adapter.ts'
import { JsonSettings } from '../../../src/registries/http/json/settings.ts'
import type { Adapter, RegistryKind } from '../../../src/registries/registry.ts'
import { Random } from '../../normalize/properties/random.ts'
import { type FaultServer, startFaultServer } from './server/fault-server.ts'
import { arcgisSettings, jsonSettings, oneKeySettings, socrataSettings } from './server/settings.ts'
import { keyOf, truthOf } from './server/world.ts'

const open = (
  settings: HttpSettings,
  secret?: string,
  kind: RegistryKind = 'parcel',
  now = () => Date.now()
): Adapter => createHttpAdapter(kind, settings, { secret, connections: 2, now })
const ask = (adapter: Adapter, ...keys: string[]) =>
  adapter.lookUp(keys, { asOf: '2026-11-30', signal: AbortSignal.timeout(10_000) })

async function start(t: Test): Promise<FaultServer> {
  const server = await startFaultServer({ random: new Random(3) })
  t.teardown(() => server.close())
  return server
}

const KEY = keyOf(11)

t.test(
  'the day, the operator’s condition and the columns are asked; the key never stands in an address of ArcGIS',
  async t => {
    const server = await start(t)
    const where = "EFFECTIVE <= DATE '{asOf}'"
    await t.rejects(ask(open(arcgisSettings(server.origin, { where })), KEY), { code: 'arcgis_400' })
    const [question] = server.questions
    t.equal(question?.method, 'POST')
    t.equal(question?.parameters.get('where'), `PIN in ('${KEY}') and (EFFECTIVE <= DATE '2026-11-30')`)
    t.equal(question?.parameters.get('outFields'), 'PIN,ZONE,ADDR,OWNER,STATUS,OVERLAYS,UPDATED')
    t.equal(question?.parameters.get('returnGeometry'), 'false')
  }
)

t.test('of a server that does not say that it kept rows back, a full reply is not taken for a whole one', async t => {
  const server = await startFaultServer({ random: new Random(3), maxRecordCount: 20, isSilent: true })
  t.teardown(() => server.close())
  const keys = Array.from({ length: 60 }, (_, i) => keyOf(i * 3 + 1)).filter(key => truthOf(key).kind !== 'several')
  const truth = keys.map(key => [key, truthOf(key)] as const)
  for (const more of [{}, { paging: { objectId: 'OBJECTID' } }]) {
    const told = await ask(open(arcgisSettings(server.origin, { maxRecordCount: 20, ...more })), ...keys)
    t.strictSame([...told], truth)
  }
  const untold = await ask(open(arcgisSettings(server.origin)), ...keys)
  t.notSame([...untold], truth, 'which it would be without knowing the limit')
})

t.test('keys are split so that no request is longer than allowed', async t => {
  const server = await start(t)
  const keys = Array.from({ length: 120 }, (_, i) => keyOf(i * 3 + 1))
  const answers = await ask(open(arcgisSettings(server.origin, { method: 'GET' })), ...keys)
  t.strictSame(
    [...answers],
    keys.map(key => [key, truthOf(key)])
  )
  const longest = Math.max(...server.questions.map(one => one.path.length + one.parameters.toString().length))
  t.ok(server.questions.length > 1 && longest <= 2000, `${server.questions.length} requests, the longest of ${longest}`)
})

t.test('keys that no registry can hold are answered without a call', async t => {
  const server = await start(t)
  for (const settings of [arcgisSettings(server.origin), oneKeySettings(server.origin)]) {
    const answers = await ask(open(settings), '\u0000', '')
    t.strictSame([...answers.values()], [{ kind: 'no_match' }, { kind: 'no_match' }])
  }
  const list = open(
    jsonSettings(server.origin, { url: `${server.origin}/v1/parcels?ids={keys}`, method: 'GET', body: undefined })
  )
  t.strictSame([...(await ask(list, `${KEY},${keyOf(12)}`))], [[`${KEY},${keyOf(12)}`, { kind: 'no_match' }]])
  const path = open(oneKeySettings(server.origin))
  for (const key of ['..', '.', '../admin', 'a/../../b'])
    t.match(await ask(path, key), new Map([[key, { kind: 'no_match' }]]))
  t.equal(server.calls(), 0)
  t.strictSame(
    [...(await ask(list, KEY, keyOf(12)))],
    [KEY, keyOf(12)].map(key => [key, truthOf(key)])
  )
  await ask(path, 'a/b?c#d e')
  t.equal(server.questions.at(-1)?.path, '/v1/parcels/a%2Fb%3Fc%23d%20e')
})

t.test('a layer that has answered is missed once before that is a fault of configuration', async t => {
  const server = await start(t)
  for (const fault of ['missing', 'missingInside']) {
    const adapter = open(arcgisSettings(server.origin))
    server.force(fault)
    await t.rejects(ask(adapter, KEY), { name: 'RegistryFault', kind: 'configuration' }, 'at once if it never answered')
    server.force(undefined)
    await ask(adapter, KEY)
    server.force(fault)
    await t.rejects(ask(adapter, KEY), { name: 'RegistryFault', kind: 'transient' })
    await t.rejects(ask(adapter, KEY), { name: 'RegistryFault', kind: 'configuration' })
  }
})

t.test('a query that fails again and again is a fault of configuration only where none ever worked', async t => {
  const server = await start(t)
  server.force('failedInside')
  const never = open(arcgisSettings(server.origin))
  for (const kind of ['transient', 'transient', 'configuration']) {
    await t.rejects(ask(never, KEY), { kind, code: 'query_failed' })
  }
  const worked = open(arcgisSettings(server.origin))
  server.force(undefined)
  await ask(worked, KEY)
  server.force('failedInside')
  for (let i = 0; i < 5; i++) await t.rejects(ask(worked, KEY), { kind: 'transient', code: 'query_failed' })
})

t.test('credentials go in headers or in the body, and nowhere else', async t => {
  const server = await start(t)
  const last = () => server.questions.at(-1)
  await ask(open(arcgisSettings(server.origin, { auth: 'token' }), ' tok&en '), KEY)
  t.equal(last()?.parameters.get('token'), 'tok&en')
  t.equal(last()?.method, 'POST')
  await ask(open(arcgisSettings(server.origin, { auth: 'token', method: 'GET' }), 'token'), KEY)
  t.equal(last()?.headers['x-esri-authorization'], 'Bearer token')
  t.equal(last()?.parameters.get('token'), null)
  await ask(open(socrataSettings(server.origin, { auth: 'appToken' }), 'app'), KEY)
  t.equal(last()?.headers['x-app-token'], 'app')
  await ask(open(socrataSettings(server.origin, { auth: 'basic' }), 'user:pass'), KEY)
  t.equal(last()?.headers['authorization'], `Basic ${btoa('user:pass')}`)
  await ask(open(jsonSettings(server.origin, { auth: { header: 'x-api-key' } }), 'key'), KEY)
  t.equal(last()?.headers['x-api-key'], 'key')
  await ask(open(jsonSettings(server.origin, { auth: 'bearer' }), 'key'), KEY)
  t.equal(last()?.headers['authorization'], 'Bearer key')
})

t.test('settings that can never work are refused, without showing the secret', async t => {
  const origin = 'https://registry.test'
  const generateToken = `${origin}/tokens/generateToken`
  const rows: readonly (() => Adapter)[] = [
    () => open(arcgisSettings('http://registry.test', { network: {} })),
    () => open(arcgisSettings(origin, { auth: 'token' })),
    () => open(arcgisSettings(origin, { auth: { generateToken } }), 'hush'),
    () => open(arcgisSettings(origin, { auth: { generateToken } }), '{"username":"hush"}'),
    () => open(socrataSettings(origin, { auth: 'appToken' })),
    () => open(socrataSettings(origin, { auth: 'appToken' }), ' '),
    () => open(jsonSettings(origin, { auth: 'bearer' }), 'hu\nsh'),
    () => open(jsonSettings(origin, { key: undefined })),
    () => open(jsonSettings(origin, { body: {} })),
    () => open(jsonSettings(origin, { body: { id: '{key}' } })),
    () => open(arcgisSettings(origin), undefined, 'feeSchedule')
  ]
  for (const [i, make] of rows.entries()) {
    t.throws(make, { code: 'CONFIG_INVALID', message: /^(?!.*hush)/s }, `row ${i + 1}`)
  }
  t.equal(hostOf(arcgisSettings('https://registry.test:8443')), 'registry.test:8443')
})

t.test('settings are strict: slips of the pen are told', async t => {
  const origin = 'https://registry.test'
  const wrong: readonly (() => unknown)[] = [
    () => arcgisSettings(origin, { url: `${origin}/arcgis/rest/services/Parcels/FeatureServer` }),
    () => arcgisSettings(origin, { url: 'https://user:pass@registry.test/FeatureServer/0' }),
    () => arcgisSettings(origin, { url: 'ftp://registry.test/FeatureServer/0' }),
    () => arcgisSettings(origin, { key: { from: "PIN'--" } }),
    () => arcgisSettings(origin, { fields: { zoningCode: 'ZONE;DROP' } }),
    () => arcgisSettings(origin, { fields: { zoning_code: 'ZONE' } }),
    () => arcgisSettings(origin, { fields: { retired: { from: 'STATUS', as: 'text' } } }),
    () => arcgisSettings(origin, { fields: { overlays: { from: 'A', as: 'flag' } } }),
    () => arcgisSettings(origin, { fields: { siteAddress: { from: ['A', 'B'], as: 'integer' } } }),
    () => arcgisSettings(origin, { outFields: '*' }),
    () => arcgisSettings(origin, { network: { addresses: ['127.0.0.1'] } }),
    () => socrataSettings(origin, { dataset: '../admin' }),
    () => socrataSettings(origin, { key: { from: 'pin) or (1=1' } }),
    () => jsonSettings('https://{key}.registry.test'),
    () => jsonSettings(origin, { url: 'https://registry.test:{key}/' }),
    () => jsonSettings(origin, { url: `${origin}/parcels?api_key=1234&ids={keys}` }),
    () => jsonSettings(origin, { headers: { Authorization: 'Bearer 1234' } }),
    () => jsonSettings(origin, { rows: 'data' }),
    () => jsonSettings(origin, { headers: { 'X-A': 'a\r\nX-B: b' } })
  ]
  for (const [i, parse] of wrong.entries()) t.throws(parse, `row ${i + 1}`)
})

t.test('a registry of fee schedules has one answer for the one key there is', async t => {
  const server = await start(t)
  const settings = JsonSettings.parse({
    adapter: 'http',
    url: `${server.origin}/v1/parcels?ids=${KEY}`,
    fields: { schedules: '/data/parcels' },
    network: { http: true, addresses: ['127.0.0.0/8'] }
  })
  const answers = await ask(open(settings, undefined, 'feeSchedule'), '*')
  t.match(answers.get('*'), { kind: 'match', value: { schedules: [{ id: KEY }] } })
})
