import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { newId } from '../../src/model/ids.ts'
import { BREAKER_LIMITS, createBreaker } from '../../src/registries/breaker/breaker.ts'
import { createPlaces } from '../../src/registries/limits/places.ts'
import { createLookUps } from '../../src/registries/look-ups.ts'
import type { Adapter } from '../../src/registries/registry.ts'
import { JURISDICTION, silent } from '../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'
import { barTable } from '../helpers/worker-process.ts'

const csv = (rows: number): string =>
  `permit_number,parcel_id,permit_type,applied_date,valuation\n${Array.from({ length: rows }, (_, i) => `L-${i},22-${i},roof,2024-03-01,8400`).join('\n')}\n`

const loadParcels = (p: TestPipeline, count: number): Promise<unknown> =>
  p.pool.query(
    `insert into registry_parcel (jurisdiction, parcel_id, zoning_code)
     select $1, '22-' || n, 'R-1' from generate_series(0, $2) n`,
    [JURISDICTION, count]
  )

/** A registry behind HTTP that takes one key a call, as most offices' do. */
async function remoteRegistry(t: Test, answer: (response: ServerResponse) => void): Promise<Adapter> {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    kind: 'parcel',
    keysPerCall: 1,
    async lookUp([id = ''], { signal }) {
      const zoningCode = await (await fetch(`${address}/${id}`, { signal })).text()
      return new Map([[id, { kind: 'match', value: { parcelId: id, zoningCode } }]])
    }
  }
}

/** Has a pipeline ask this registry and no other. */
function askOnly(p: TestPipeline, adapter: Adapter): void {
  const breaker = createBreaker(
    { db: p.pool, logger: silent, now: p.deps.now, limits: BREAKER_LIMITS },
    JURISDICTION,
    adapter.kind
  )
  const remote = { host: 'remote', concurrency: p.config.recordConcurrency }
  const source = { jurisdiction: JURISDICTION, kind: adapter.kind, name: 'remote', adapter, breaker, remote }
  const sources = async () => new Map([[adapter.kind, source]])
  const lookUps = createLookUps({
    db: p.pool,
    newId,
    logger: silent,
    random: () => 0.5,
    sources,
    now: p.deps.now,
    places: createPlaces(),
    atOnce: p.config.recordConcurrency,
    timeoutMs: p.config.enrichmentTimeoutMs
  })
  Object.assign(p.deps, { lookUps, sources })
}

t.test('a registry that hangs is cut off after the time-out, and its records are held as transient', async t => {
  const p = await testPipeline(t, { DOCKET_ENRICHMENT_TIMEOUT: '1' })
  await loadParcels(p, 3)
  // It is remembered that there are parcels: asking whether is not what hangs.
  await p.deps.lookUps.ask({
    jurisdiction: JURISDICTION,
    keys: {},
    asOf: '2026-11-30',
    signal: new AbortController().signal
  })
  const bar = await barTable(p.pool, 'registry_parcel')
  t.teardown(() => bar.lift())
  const { id } = await p.submit([{ name: 'l.csv', bytes: csv(3), type: 'text/csv' }])
  p.work()
  await p.finished(id)
  t.match(
    await p.records(id),
    [1, 2, 3].map(() => ({ state: 'quarantined', codes: ['ENRICH_UNAVAILABLE'] }))
  )
  const { rows } = await p.pool.query(
    `select distinct r.reasons -> 0 ->> 'failure_class' as class, (c.stage_ms ->> 'enrich')::float >= 990 as waited
     from record r join chunk c on c.id = r.chunk_id`
  )
  t.same(rows, [{ class: 'transient', waited: true }])
})

t.test('keys of a set are looked up side by side, at most as many as configured', async t => {
  const p = await testPipeline(t, { DOCKET_RECORD_CONCURRENCY: '3' })
  let [inFlight, most, calls] = [0, 0, 0]
  const registry = await remoteRegistry(t, response => {
    inFlight += 1
    calls += 1
    most = Math.max(most, inFlight)
    setImmediate(() => {
      inFlight -= 1
      response.end('R-2')
    })
  })
  askOnly(p, registry)
  const { id } = await p.submit([{ name: 'l.csv', bytes: csv(40), type: 'text/csv' }])
  p.work()
  await p.finished(id)
  const records = await p.records(id)
  t.match(records[0], { state: 'accepted', content: { zoning_code: 'R-2' } })
  t.equal(records.filter(record => record.state === 'accepted').length, 40)
  t.equal(calls, 40)
  t.ok(most <= 3 && most >= 2, `${most} at once`)
})

t.test('of a remote registry that answers nothing, a chunk is held within two time-outs', async t => {
  const p = await testPipeline(t, { DOCKET_RECORD_CONCURRENCY: '2', DOCKET_ENRICHMENT_TIMEOUT: '1' })
  let aborted = 0
  const registry = await remoteRegistry(t, response => {
    response.on('close', () => {
      aborted += 1
    })
  })
  askOnly(p, registry)
  const { id } = await p.submit([{ name: 'l.csv', bytes: csv(30), type: 'text/csv' }])
  p.work()
  await p.finished(id)
  const records = await p.records(id)
  t.equal(records.filter(record => record.codes.join() === 'ENRICH_UNAVAILABLE').length, 30)
  t.ok(aborted <= 6, `${aborted} calls were made; the rest were not tried after two time-outs`)
})
