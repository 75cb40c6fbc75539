import t from 'tap'
import { testDatabase } from '../helpers/database.ts'
import { JURISDICTION } from '../helpers/factory.ts'
import { asker, until } from './asking.ts'
import { HANGS, jsonRegistry, status, useRegistry, WELL } from './json-registry.ts'

t.test('a fault that passes is tried again, later each time', async t => {
  const { pool } = await testDatabase(t)
  const registry = await jsonRegistry(t)
  await useRegistry(pool, registry)
  let failures = 2
  const at: number[] = []
  registry.answer = (keys, response) => {
    at.push(performance.now())
    failures -= 1
    ;(failures >= 0 ? status(503) : WELL)(keys, response)
  }
  t.same(await asker(t, pool, { timeoutMs: 5000 }).told(['1', 'none-2']), { 1: 'Z-1', 'none-2': 'no_match' })
  t.equal(registry.calls.length, 3)
  const [first = 0, second = 0, third = 0] = at
  t.ok(second - first >= 370 && third - second >= 740, `waited ${second - first} and ${third - second} ms`)
  const { rows } = await pool.query('select * from registry_breaker')
  t.same(rows, [], 'what was answered in the end counts as answered')
})

t.test('what a registry asks for is honoured: nobody calls until then', async t => {
  const { pool } = await testDatabase(t)
  const registry = await jsonRegistry(t)
  await useRegistry(pool, registry)
  registry.answer = status(429, { 'retry-after': '30' })
  const one = asker(t, pool)
  t.same(await one.told(['1']), { 1: 'http_429' })
  t.same(await one.told(['1', '2']), { 1: 'breaker_open', 2: 'breaker_open' })
  t.same(await asker(t, pool).told(['3']), { 3: 'breaker_open' }, 'nor does another worker')
  t.equal(registry.calls.length, 1)
  const { rows } = await pool.query(
    `select state, code, retry_at - now() > interval '25 s' as later from registry_breaker`
  )
  t.same(rows, [{ state: 'open', code: 'http_429', later: true }])
})

t.test('a registry that hangs costs a set its time once or twice, and then nobody any', async t => {
  const { pool } = await testDatabase(t)
  const registry = await jsonRegistry(t)
  await useRegistry(pool, registry)
  registry.answer = HANGS
  const one = asker(t, pool, {
    timeoutMs: 500,
    limits: { failures: 5, waitSeconds: 60, longestSeconds: 60, brokenSeconds: 60, trialSeconds: 3 }
  })
  const begun = performance.now()
  t.same(await one.told(['1']), { 1: 'timeout' })
  t.ok(performance.now() - begun < 1400, 'within twice the time of a call')
  await Promise.all(['2', '3', '4', '5', '6'].map(key => one.told([key])))
  const calls = registry.calls.length
  t.same(await one.told(['7']), { 7: 'breaker_open' })
  t.equal(registry.calls.length, calls)
})

t.test('when the wait is over one caller of all workers tries, and an answer opens the way for everybody', async t => {
  const { pool } = await testDatabase(t)
  const registry = await jsonRegistry(t)
  await useRegistry(pool, registry)
  registry.answer = status(500)
  const [one, two] = [asker(t, pool, { timeoutMs: 3000 }), asker(t, pool, { timeoutMs: 3000 })]
  await Promise.all([one.told(['1']), one.told(['2']), two.told(['3'])])
  t.match((await pool.query('select state from registry_breaker')).rows, [{ state: 'open' }])
  registry.calls.length = 0
  const isDue = async (): Promise<boolean> =>
    (await pool.query('select 1 from registry_breaker where retry_at < now()')).rowCount === 1
  await until(isDue)
  const held: (() => void)[] = []
  registry.answer = (keys, response) => held.push(() => WELL(keys, response))
  const asking = [one, two, one, two].map((each, i) => each.told([`k${i}`]))
  await until(() => held.length > 0)
  const early = await Promise.race(asking)
  t.match(Object.values(early), ['breaker_open'], 'those who do not try are not kept waiting')
  t.equal(registry.calls.length, 1)
  registry.answer = WELL
  held[0]?.()
  const told = (await Promise.all(asking)).flatMap(each => Object.values(each))
  // Whoever comes after the answer is let through like everybody.
  t.ok(told.some(each => each.startsWith('Z-')))
  t.same((await pool.query('select * from registry_breaker')).rows, [])
  // A worker that did not try itself learns of it within a second.
  await until(async () => (await one.told(['9']))['9'] === 'Z-9')
})

t.test('a broken configuration is one alert however many ask, and none when it is mended', async t => {
  const { pool } = await testDatabase(t)
  const registry = await jsonRegistry(t)
  await useRegistry(pool, registry)
  registry.answer = status(401)
  const [one, two] = [asker(t, pool), asker(t, pool)]
  const askers = [one, two]
  const told = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? one : two).told([`k${i}`])))
  t.ok(told.every(each => ['http_401', 'breaker_open'].includes(Object.values(each)[0] ?? '')))
  t.ok(registry.calls.length <= 4, `${registry.calls.length} calls`)
  const alerts = async (): Promise<unknown[]> =>
    (await pool.query('select jurisdiction, kind, code, ended_at is null as open from registry_alert')).rows
  t.same(await alerts(), [{ jurisdiction: JURISDICTION, kind: 'parcel', code: 'http_401', open: true }])
  const errors = askers.flatMap(({ lines }) => lines.filter(line => line['level'] === 'error'))
  t.match(errors, [{ code: 'http_401', name: 'parcel', jurisdiction: JURISDICTION }])
  t.equal(errors.length, 1)
  registry.answer = WELL
  await until(async () => (await one.told(['x']))['x'] === 'Z-x')
  t.match(await alerts(), [{ open: false }], 'found out by a trial')
})

t.test('a registry configured anew is asked at once, whatever there was before', async t => {
  const { pool } = await testDatabase(t)
  const [bad, good] = [await jsonRegistry(t), await jsonRegistry(t)]
  await useRegistry(pool, bad)
  bad.answer = status(403)
  const one = asker(t, pool, {
    limits: { failures: 5, waitSeconds: 60, longestSeconds: 60, brokenSeconds: 60, trialSeconds: 3 }
  })
  t.same(await one.told(['1']), { 1: 'http_403' })
  await useRegistry(pool, good)
  await until(async () => (await one.told(['1']))['1'] === 'Z-1')
  t.equal(bad.calls.length, 1)
  t.match((await pool.query('select ended_at is null as open from registry_alert')).rows, [{ open: false }])
})
