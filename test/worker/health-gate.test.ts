import t from 'tap'
import type { Slots } from '../../src/queue/slots.ts'
import { createHealthGate, type Need } from '../../src/worker/health-gate.ts'
import { startMetricsServer } from '../../src/worker/metrics-server.ts'
import { createRegistryMeters } from '../../src/worker/registry-meters.ts'
import { testDatabase } from '../helpers/database.ts'
import { silent } from '../helpers/factory.ts'

function fakeSlots(queue: Slots['queue']): Slots & { readonly fetches: boolean } {
  let fetches = true
  return {
    queue,
    pause() {
      fetches = false
    },
    resume() {
      fetches = true
    },
    get fetches() {
      return fetches
    },
    holdBack: () => undefined,
    busy: 0,
    stop: async () => undefined
  }
}

function setup() {
  const away = new Set<string>()
  const [chunks, documents] = [fakeSlots('chunk'), fakeSlots('document')]
  const need = (name: string, slots: readonly Slots[]): Need => ({
    name,
    slots,
    check: async () => {
      if (away.has(name)) throw new Error('away')
    }
  })
  const needs = [need('store', [chunks, documents]), need('extractor', [documents])] as const
  return { away, chunks, documents, needs, gate: createHealthGate(needs, silent) }
}

t.test('slots fetch while everything their jobs need is there', async t => {
  const { away, chunks, documents, needs, gate } = setup()
  const [store, extractor] = needs
  const state = () => [chunks.fetches, documents.fetches, gate.missing]
  t.equal(await gate.check(store), 0)
  away.add('extractor')
  t.equal(await gate.check(extractor), 1)
  t.same(state(), [true, false, ['extractor']], 'a worker that cannot read documents still works rows')
  away.add('store')
  t.equal(await gate.check(store), 1)
  t.equal(await gate.check(store), 0, 'nothing has changed')
  t.same(state(), [false, false, ['extractor', 'store']])
  away.delete('store')
  t.equal(await gate.check(store), 1)
  t.same(state(), [true, false, ['extractor']], 'one need that is back does not stand for the other')
  away.delete('extractor')
  t.equal(await gate.check(extractor), 1)
  t.same(state(), [true, true, []])
})

t.test('a worker says at its own port what it lacks', async t => {
  const { pool } = await testDatabase(t)
  const gate = { missing: [] as string[] }
  const registries = createRegistryMeters()
  const told = { pool, pools: () => [pool, { totalCount: 3, idleCount: 2, waitingCount: 0 }], gate, registries }
  t.equal((await startMetricsServer({ host: '127.0.0.1', metricsPort: 0 }, told)).port, 0, 'off by default')
  const port = await freePort()
  const server = await startMetricsServer({ host: '127.0.0.1', metricsPort: port }, told)
  t.teardown(() => server.close())
  const get = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`)
  t.equal((await get('/readyz')).status, 200)
  gate.missing.push('extractor')
  const response = await get('/readyz')
  t.equal(response.status, 503)
  t.same(await response.json(), { ready: false, missing: ['extractor'] })
  registries.tell({
    kind: 'call',
    jurisdiction: '17031',
    registry: 'parcel',
    adapter: 'arcgis',
    outcome: 'http_503',
    seconds: 0.3
  })
  registries.tell({ kind: 'keys', jurisdiction: '17031', registry: 'parcel', hits: 480, misses: 20 })
  const text = await (await get('/metrics')).text()
  t.match(text, /docket_registry_call_seconds_count\{[^}]*registry="parcel"[^}]*outcome="http_503"\} 1/)
  t.match(text, /docket_registry_cache_keys_total\{jurisdiction="17031",registry="parcel",result="hit"\} 480/)
  t.match(text, /docket_registry_cache_keys_total\{jurisdiction="17031",registry="parcel",result="miss"\} 20/)
  t.match(text, /docket_worker_missing\{need="extractor"\} 1/)
  t.match(text, /docket_pool_connections\{state="waiting"\} 0/)
  t.equal((await get('/other')).status, 404)
})

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}
