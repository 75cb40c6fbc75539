import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { test } from 'tap'
import { sweepSpool } from '../../src/intake/sweep-spool.ts'
import { newId } from '../../src/model/ids.ts'
import { payloadKey } from '../../src/storage/payload-store.ts'
import { CSV, formOf } from '../api/bodies.ts'
import { testApi } from '../helpers/app.ts'

const DAY_MS = 24 * 3600 * 1000

test('what a crash left behind is removed after a day, and nothing else', async t => {
  const api = await testApi(t)
  const { store, pool } = api
  const response = await api.fetch('/v1/batches', { method: 'POST', body: formOf({ 'a.csv': CSV }) })
  t.equal(response.status, 202)
  const [kept] = await api.files()
  const spool = async () => {
    const stream = store.createSpool({ limitBytes: 100 })
    await pipeline(Readable.from([Buffer.from('left')]), stream)
    return stream.result()
  }
  await spool()
  for (const jurisdiction of ['53033', 'elsewhere']) {
    await store.commit([{ spooled: await spool(), key: payloadKey(jurisdiction, newId()) }])
  }
  t.equal((await api.files()).length, 4)

  const sweep = (now: number) => sweepSpool({ pool, store, logger: api.deps.logger, now: () => new Date(now) })
  t.strictSame(await sweep(Date.now()), { spools: 0, payloads: 0, keys: 0 })
  await pool.query(`update submission_key set expires_at = now() - interval '1 second'`)
  t.strictSame(await sweep(Date.now() + DAY_MS + 5000), { spools: 1, payloads: 2, keys: 1 })
  t.strictSame(await api.files(), [kept], 'the payload of a batch stays')
  t.strictSame(await sweep(Date.now() + DAY_MS + 5000), { spools: 0, payloads: 0, keys: 0 })
})

test('a failure after the bytes are stored leaves nothing, unless the outcome is not known', async t => {
  const api = await testApi(t)
  const post = () => api.fetch('/v1/batches', { method: 'POST', body: formOf({ 'a.csv': CSV }) })
  await api.pool.query(`alter table file rename to away`)
  t.equal((await post()).status, 500)
  t.strictSame(await api.files(), [], 'a statement that fails takes the payload with it')
  await api.pool.query(`alter table away rename to file`)

  await api.pool.query(
    `create function cut() returns trigger language plpgsql as $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$`
  )
  await api.pool.query('create trigger cut after insert on file for each statement execute function cut()')
  t.equal((await post()).status, 503)
  t.equal((await api.files()).length, 1, 'the batch may exist: its payload is left to the sweeper')
  await api.pool.query('drop trigger cut on file')
  const taken = await post()
  t.equal(taken.status, 202, 'the request can be sent again')
  t.equal(taken.headers.get('idempotent-replayed'), null)
})

test('a small file that cannot be split on arrival goes to a worker', async t => {
  const api = await testApi(t, { intake: { planFile: () => Promise.reject(new Error('secret text')) } })
  const response = await api.fetch('/v1/batches', { method: 'POST', body: formOf({ 'a.csv': CSV }) })
  t.equal(response.status, 202)
  const { rows } = await api.pool.query(`select state, generation from file`)
  t.strictSame(rows, [{ state: 'received', generation: 1 }])
  const { rows: jobs } = await api.pool.query(`select name from pgboss.job where name in ('split', 'chunk')`)
  t.strictSame(jobs, [{ name: 'split' }])
  t.notMatch(api.lines.join(), 'secret text')
})
