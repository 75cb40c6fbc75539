import t from 'tap'
import type { Pool } from '../../src/db/pool.ts'
import { testDatabase } from '../helpers/database.ts'
import { asker, until } from './asking.ts'
import { HANGS, jsonRegistry, status, useRegistry, WELL } from './json-registry.ts'

const KEYS = Array.from({ length: 500 }, (_, i) => `p${i}`)

/** Statements about the cache that a pool runs. */
function countStatements(pool: Pool): { reads: number; writes: number } {
  const counts = { reads: 0, writes: 0 }
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  Object.assign(pool, {
    query: (...args: unknown[]) => {
      const name = (args[0] as { name?: string }).name
      if (name === 'read-registry-cache') counts.reads += 1
      if (name === 'write-registry-cache') counts.writes += 1
      return query(...args)
    }
  })
  return counts
}

t.test('a chunk costs a few calls, one read and one write at first, and one read when all is known', async t => {
  const { pool } = await testDatabase(t)
  const registry = await jsonRegistry(t)
  await useRegistry(pool, registry)
  const statements = countStatements(pool)
  const one = asker(t, pool, { timeoutMs: 5000 })
  const first = await one.ask([...KEYS, 'none-1'])
  t.equal(registry.calls.length, 3)
  t.same(statements, { reads: 1, writes: 1 })
  t.equal([...first.values()].filter(({ kind }) => kind === 'match').length, 500)
  const again = await asker(t, pool).ask([...KEYS, 'none-1'])
  t.equal(registry.calls.length, 3, 'another worker knows it too, also what there is not')
  t.same(statements, { reads: 2, writes: 1 })
  const [before, now] = [first.get('p7'), again.get('p7')]
  if (before?.kind !== 'match' || now?.kind !== 'match') throw new Error('no match')
  t.same(now.value, before.value)
  t.match([before.provenance.fromCache, now.provenance.fromCache], [false, true])
  t.equal(now.provenance.digest, before.provenance.digest)
  t.match(now.provenance.digest, /^[0-9a-f]{64}$/)
})

t.test('of several workers that miss the same keys, each key is asked for by one', async t => {
  const { pool } = await testDatabase(t)
  const registry = await jsonRegistry(t)
  await useRegistry(pool, registry, { concurrency: 32 })
  registry.answer = (keys, response) => void setTimeout(() => WELL(keys, response), 150)
  const mixed = (from: number): string[] => KEYS.slice(from, from + 200).toReversed()
  const asked = [0, 0, 50, 100, 100].map(from => asker(t, pool, { timeoutMs: 5000 }).told(mixed(from)))
  for (const told of await Promise.all(asked)) {
    for (const [key, zone] of Object.entries(told)) if (zone !== `Z-${key}`) t.fail(`${key} got ${zone}`)
  }
  const counts = new Map<string, number>()
  for (const key of registry.calls.flat()) counts.set(key, (counts.get(key) ?? 0) + 1)
  t.equal(counts.size, 300)
  t.same(
    [...counts.values()].filter(count => count !== 1),
    []
  )
})

t.test(
  'an outdated match is used and asked for anew beside the work; that there is nothing is asked at once',
  async t => {
    const { pool } = await testDatabase(t)
    const registry = await jsonRegistry(t)
    await useRegistry(pool, registry)
    const one = asker(t, pool)
    await one.told(['1', 'none-2'])
    await pool.query(`update registry_cache set fresh_until = now() - interval '1 s',
    stale_until = greatest(fresh_until, stale_until) - interval '2 h'`)
    await pool.query(`update registry_cache set stale_until = now() - interval '1 s' where key = 'none-2'`)
    registry.calls.length = 0
    registry.answer = (keys, response) => {
      const rows = keys.map(id => ({ id, zone: 'NEW' }))
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ rows, count: rows.length }))
    }
    t.same(await one.told(['1', 'none-2']), { 1: 'Z-1', 'none-2': 'NEW' })
    await one.settled()
    t.same(registry.calls.flat().toSorted(), ['1', 'none-2'])
    t.same(await one.told(['1']), { 1: 'NEW' })
    t.equal(registry.calls.length, 2)
  }
)

t.test('while a registry is away what is kept is used, what is too old is not, and nothing is made up', async t => {
  const { pool } = await testDatabase(t)
  const registry = await jsonRegistry(t)
  await useRegistry(pool, registry)
  const one = asker(t, pool)
  await one.told(['fresh', 'stale', 'old'])
  await pool.query(`update registry_cache set fresh_until = now() - interval '1 s' where key <> 'fresh'`)
  await pool.query(`update registry_cache set stale_until = now() - interval '1 s' where key = 'old'`)
  registry.answer = status(503, { 'retry-after': '60' })
  t.same(await one.told(['fresh', 'stale', 'old', 'new']), {
    fresh: 'Z-fresh',
    stale: 'Z-stale',
    old: 'http_503',
    new: 'http_503'
  })
  await one.settled()
  t.same(await one.told(['fresh', 'stale', 'old']), { fresh: 'Z-fresh', stale: 'Z-stale', old: 'breaker_open' })
})

t.test(
  'keys that nobody answered are free for the next at once; those of a worker that died, after a while',
  async t => {
    const { pool } = await testDatabase(t)
    const registry = await jsonRegistry(t)
    await useRegistry(pool, registry)
    registry.answer = HANGS
    const one = asker(t, pool, { timeoutMs: 300 })
    t.same(await one.told(['1']), { 1: 'timeout' })
    registry.answer = WELL
    t.same(await one.told(['1']), { 1: 'Z-1' })
    await pool.query(
      `insert into registry_cache (jurisdiction, kind, key, version, claimed_by, claimed_until)
     select jurisdiction, kind, 'dead', version, gen_random_uuid(), now() + interval '1 s' from registry_cache`
    )
    await until(async () => (await asker(t, pool, { timeoutMs: 2000 }).told(['dead']))['dead'] === 'Z-dead')
  }
)

t.test('answers of a configuration that was changed are not used', async t => {
  const { pool } = await testDatabase(t)
  const [before, after] = [await jsonRegistry(t), await jsonRegistry(t)]
  await useRegistry(pool, before)
  await asker(t, pool).told(['1'])
  await useRegistry(pool, after)
  t.same(await asker(t, pool).told(['1']), { 1: 'Z-1' })
  t.same([before.calls.length, after.calls.length], [1, 1])
})

t.test('an entry that the registry says is too old is told as such', async t => {
  const { pool } = await testDatabase(t)
  const registry = await jsonRegistry(t)
  const { source } = registry.settings() as { source: object }
  await useRegistry(pool, registry, { source: { ...source, asOf: '/day' }, maxAgeDays: 30 })
  registry.answer = (keys, response) => {
    const rows = keys.map(id => ({ id, zone: 'R', day: id === 'old' ? '2026-10-30' : '2026-10-31' }))
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ rows, count: rows.length }))
  }
  t.same(await asker(t, pool).told(['old', 'young']), { old: 'stale', young: 'R' })
})
