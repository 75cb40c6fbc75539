import t from 'tap'
import { createLogger } from '../../../src/logger.ts'
import { newId } from '../../../src/model/ids.ts'
import { redriveUnavailable } from '../../../src/pipeline/enrich/redrive-unavailable.ts'
import { openRegistries } from '../../../src/registries/open-look-ups.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'
import { until } from '../../helpers/worker-process.ts'
import { HANGS, jsonRegistry, status, useRegistry, WELL } from '../../registries/json-registry.ts'

const OTHER = '17031'
const csv = (prefix: string, rows: number): string =>
  `permit_number,parcel_id,permit_type,applied_date,valuation\n${Array.from({ length: rows }, (_, i) => `${prefix}-${i},22-${i},roof,2024-03-01,8400`).join('\n')}\n`

/** The limits of the breaker, in tenths of their time. */
const QUICK = { failures: 5, waitSeconds: 0.5, longestSeconds: 1, brokenSeconds: 0.5, trialSeconds: 2 }

async function pipelineWith(t: Parameters<typeof testPipeline>[0], timeoutMs: number): Promise<TestPipeline> {
  const p = await testPipeline(t)
  const registries = openRegistries({
    pool: p.pool,
    logger: createLogger({ component: 'test', level: 'silent' }),
    newId,
    secretsFolder: undefined,
    atOnce: 32,
    timeoutMs,
    breakerLimits: QUICK
  })
  Object.assign(p.deps, registries)
  t.teardown(() => registries.lookUps.settled())
  return p
}

const submit = (p: TestPipeline, prefix: string, rows: number, jurisdiction = JURISDICTION) =>
  p.submit([{ name: 'a.csv', bytes: csv(prefix, rows), type: 'text/csv' }], { jurisdiction })

async function statesOf(p: TestPipeline, batchId: string): Promise<Record<string, number>> {
  const { rows } = await p.pool.query<{ state: string; n: number }>(
    `select state || coalesce(' ' || (reasons -> 0 ->> 'code'), '') as state, count(*)::int as n from record
     where batch_id = $1 group by 1`,
    [batchId]
  )
  return Object.fromEntries(rows.map(row => [row.state, row.n]))
}

t.test('records held while a registry was down are run again when it is up, without anybody asking', async t => {
  const p = await pipelineWith(t, 1000)
  const registry = await jsonRegistry(t)
  await useRegistry(p.pool, registry)
  registry.answer = status(503)
  const { id } = await submit(p, 'D', 1200)
  const other = await submit(p, 'O', 20, OTHER)
  p.work()
  await Promise.all([p.finished(id), p.finished(other.id)])
  t.same(
    await statesOf(p, id),
    { 'quarantined ENRICH_UNAVAILABLE': 1200 },
    'nothing is accepted for want of a registry'
  )
  t.same(await statesOf(p, other.id), { accepted: 20 })
  registry.calls.length = 0
  t.equal(await redriveUnavailable(p.deps), 0)
  registry.answer = WELL
  const runs = { count: 0 }
  await until(async () => {
    runs.count += await redriveUnavailable(p.deps)
    return (await statesOf(p, id))['accepted'] === 1200
  })
  t.equal(runs.count, 1200, 'each was asked to run again once')
  const { rows } = await p.pool.query(
    `select max(r.revision) as revision, count(c.content ->> 'zoning_code')::int as told
     from record r join canonical_record c on c.jurisdiction = r.jurisdiction and c.record_id = r.id where r.batch_id = $1`,
    [id]
  )
  t.same(rows, [{ revision: 2, told: 1200 }])
  t.equal(await redriveUnavailable(p.deps), 0)
  t.ok(registry.calls.length <= 12, `${registry.calls.length} calls for 1200 parcels and the trials`)
})

t.test('a run that finds the registry still away leaves the record as it is', async t => {
  const p = await pipelineWith(t, 300)
  const registry = await jsonRegistry(t)
  await useRegistry(p.pool, registry)
  registry.answer = HANGS
  const { id } = await submit(p, 'S', 3)
  p.work()
  await p.finished(id)
  await p.pool.query('delete from registry_breaker')
  await until(async () => (await redriveUnavailable(p.deps)) === 3)
  await until(async () => (await p.pool.query('select 1 from record where retry_requested')).rowCount === 0)
  t.same(await statesOf(p, id), { 'quarantined ENRICH_UNAVAILABLE': 3 })
  const { rows } = await p.pool.query('select distinct revision, audit_seq from record')
  t.same(rows, [{ revision: 1, audit_seq: 1 }])
})

t.test('a registry that hangs holds up its own jurisdiction only', async t => {
  const p = await pipelineWith(t, 6000)
  const registry = await jsonRegistry(t)
  await useRegistry(p.pool, registry)
  registry.answer = HANGS
  const { id } = await submit(p, 'H', 2000)
  p.work()
  await until(() => Promise.resolve(registry.calls.length > 0))
  const begun = performance.now()
  const other = await submit(p, 'O', 500, OTHER)
  await p.finished(other.id)
  const others = performance.now() - begun
  const { rows } = await p.pool.query(`select 1 from batch where id = $1 and state <> 'completed'`, [id])
  t.equal(rows.length, 1, `the other jurisdiction was done in ${Math.round(others)} ms, before the one that waits`)
  await p.finished(id)
  t.same(await statesOf(p, other.id), { accepted: 500 })
  t.same(await statesOf(p, id), { 'quarantined ENRICH_UNAVAILABLE': 2000 })
})

t.test('a registry that answers slowly, within its time, is used', async t => {
  const p = await pipelineWith(t, 2000)
  const registry = await jsonRegistry(t)
  await useRegistry(p.pool, registry)
  registry.answer = (keys, response) => void setTimeout(() => WELL(keys, response), 1600)
  const { id } = await submit(p, 'W', 300)
  p.work()
  await p.finished(id)
  await until(async () => {
    await redriveUnavailable(p.deps)
    return (await statesOf(p, id))['accepted'] === 300
  })
  t.equal((await p.pool.query('select 1 from registry_breaker')).rowCount, 0)
})

t.test('a registry that is broken is one alert, and its records run again when it is mended', async t => {
  const p = await pipelineWith(t, 1000)
  const registry = await jsonRegistry(t)
  await useRegistry(p.pool, registry)
  registry.answer = status(403)
  const { id } = await submit(p, 'B', 700)
  p.work()
  await p.finished(id)
  t.same(await statesOf(p, id), { 'quarantined ENRICH_UNAVAILABLE': 700 })
  t.match((await p.pool.query('select code, ended_at from registry_alert')).rows, [
    { code: 'http_403', ended_at: null }
  ])
  t.ok(registry.calls.length <= 4, `${registry.calls.length} calls`)
  registry.answer = WELL
  await until(async () => {
    await redriveUnavailable(p.deps)
    return (await statesOf(p, id))['accepted'] === 700
  })
  t.equal((await p.pool.query('select 1 from registry_alert where ended_at is null')).rowCount, 0)
})

t.test('records of a registry that is not configured any more are judged without it', async t => {
  const p = await pipelineWith(t, 500)
  const registry = await jsonRegistry(t)
  await useRegistry(p.pool, registry)
  registry.answer = status(503)
  const { id } = await submit(p, 'N', 10)
  p.work()
  await p.finished(id)
  await p.pool.query(`insert into registry_source (jurisdiction, kind, version) values ($1, 'parcel', 9)`, [
    JURISDICTION
  ])
  await until(async () => {
    await redriveUnavailable(p.deps)
    return (await statesOf(p, id))['accepted'] === 10
  })
  t.same((await p.records(id))[0]?.fields['zoning_code'], undefined)
})
