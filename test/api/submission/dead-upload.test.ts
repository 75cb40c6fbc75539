import { connect, type Socket } from 'node:net'
import { type Test, test } from 'tap'
import type { Pool } from '../../../src/db/pool.ts'
import { spawnApi } from '../../helpers/api-process.ts'
import { json, testApi } from '../../helpers/app.ts'
import { databaseUrl, testServer } from '../../helpers/postgres/create-template-database.ts'
import { until } from '../../helpers/worker-process.ts'
import { CSV, filePart, formOf, type RawRequest } from '../bodies.ts'

const PATH = '/v1/batches?profile=permit&jurisdiction=53033'

/** Longest a client whose upload was cut off may be told to wait. */
const LONGEST_SECONDS = 6

/** Begins an upload that never ends: the head, and of the body only this. */
function beginUpload(t: Test, request: RawRequest, beginning: string): Socket {
  const socket = connect(request.port, '127.0.0.1')
  socket.on('error', () => undefined)
  t.teardown(() => socket.destroy())
  const headers = {
    host: 'localhost',
    authorization: `Bearer ${request.key}`,
    'content-type': request.contentType ?? 'multipart/form-data; boundary=X',
    'content-length': '100000',
    ...request.headers
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${PATH} HTTP/1.1\r\n${head.join('')}\r\n${beginning}`)
  return socket
}

const leaseOf = async (pool: Pool, key: string): Promise<number | undefined> => {
  const { rows } = await pool.query<{ ms: number }>(
    `select extract(epoch from lease_until)::float8 * 1000 as ms from submission_key where key = $1 and state = 'running'`,
    [key]
  )
  return rows[0]?.ms
}

/** As if this many seconds had passed for a key. */
const age = (pool: Pool, key: string, seconds: number) =>
  pool.query(
    `update submission_key set lease_until = lease_until - make_interval(secs => $2),
       expires_at = expires_at - make_interval(secs => $2) where key = $1`,
    [key, seconds]
  )

test('the key of an upload whose API process died is free again when its 409 says so', async t => {
  const api = await testApi(t)
  const { rows } = await api.pool.query<{ name: string }>('select current_database() as name')
  const url = databaseUrl(await testServer(), rows[0]?.name ?? '')
  const kinds = {
    'a form with a file begun': { contentType: 'multipart/form-data; boundary=X', beginning: filePart().slice(0, 150) },
    'a form with a file whole': { contentType: 'multipart/form-data; boundary=X', beginning: filePart() },
    'a raw body': { contentType: 'text/csv', beginning: CSV }
  }
  for (const [name, { contentType, beginning }] of Object.entries(kinds)) {
    const dying = await spawnApi(t, { url, folder: t.testdir({}) })
    const headers = { 'idempotency-key': name }
    beginUpload(t, { port: dying.port, key: api.admin, contentType, headers }, beginning)
    await until(async () => (await leaseOf(api.pool, name)) !== undefined)
    await dying.crash()

    const send = () =>
      api.fetch(PATH, { method: 'POST', body: formOf({ [`${name}.csv`]: `${CSV}${name},x,1,1\n` }), headers })
    const refused = await send()
    t.equal(refused.status, 409, name)
    t.match(await json(refused), { code: 'IDEMPOTENCY_RUNNING' })
    const seconds = Number(refused.headers.get('retry-after'))
    t.ok(seconds >= 1 && seconds <= LONGEST_SECONDS, `${name}: told to wait ${seconds} s`)
    await age(api.pool, name, seconds)
    t.equal((await send()).status, 202, `${name}: the first repetition after that is taken`)
  }
})

test('an upload that goes on keeps its key for as long as it takes', async t => {
  const api = await testApi(t, { intake: { leaseSeconds: 1 } })
  const headers = { 'idempotency-key': 'slow' }
  const beginning = filePart()
  const socket = beginUpload(t, { port: api.port, key: api.admin, headers }, beginning)
  await until(async () => (await leaseOf(api.pool, 'slow')) !== undefined)
  const first = (await leaseOf(api.pool, 'slow')) ?? 0
  // Well past the lease it began with, it is still held: it was renewed.
  await until(async () => ((await leaseOf(api.pool, 'slow')) ?? 0) > first + 1500)
  const refused = await api.fetch(PATH, { method: 'POST', body: formOf({ 'a.csv': CSV }), headers })
  t.equal(refused.status, 409)
  socket.destroy()
  await until(async () => (await leaseOf(api.pool, 'slow')) === undefined)
  const taken = await api.fetch(PATH, { method: 'POST', body: formOf({ 'a.csv': CSV }), headers })
  t.equal(taken.status, 202, 'a client that went away gives its key back at once')
})
