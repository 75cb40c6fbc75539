import { test } from 'tap'
import { buildApp } from '../../../src/api/app.ts'
import { isOpenApiCurrent } from '../../../src/api/openapi.ts'
import { createBatchWatcher } from '../../../src/api/routes/batches/batch-watcher.ts'
import type { BatchView } from '../../../src/db/batches.ts'
import { createPool } from '../../../src/db/pool.ts'
import { json, testApi } from '../../helpers/app.ts'
import { CSV, formOf } from '../bodies.ts'
import { makeRecords } from '../factory.ts'

test('what operators see', async t => {
  let draining = false
  const api = await testApi(t, { isDraining: () => draining, queueAgeSeconds: 600 })

  await t.test('health asks nothing; readiness tells the truth', async t => {
    t.strictSame(await (await api.fetch('/healthz')).json(), { alive: true })
    const ready = await api.fetch('/readyz')
    t.equal(ready.status, 200)
    t.match(await ready.json(), {
      ready: true,
      checks: { database: 'ok', store: 'ok', migrations: 'ok', draining: 'ok' }
    })
    draining = true
    const drained = await api.fetch('/readyz')
    t.equal(drained.status, 503)
    t.match(await drained.json(), { ready: false, checks: { draining: 'failed', database: 'ok' } })
    draining = false
    await api.pool.query('alter table heartbeat rename to away')
    t.match(await (await api.fetch('/readyz')).json(), { ready: false, checks: { database: 'failed' } })
    t.equal((await api.fetch('/healthz')).status, 200)
    await api.pool.query('alter table away rename to heartbeat')
  })

  await t.test('metrics of requests, queue, records and pool', async t => {
    await api.fetch('/v1/batches', { method: 'POST', body: formOf({ 'a.csv': CSV }) })
    const text = await (await api.fetch('/metrics')).text()
    t.match(text, /docket_http_request_seconds_count\{method="POST",route="\/v1\/batches",status="202"\} 1/)
    t.match(text, /docket_queue_depth\{queue="chunk",lane="standard"\} 1/)
    t.match(text, /docket_queue_oldest_seconds\{queue="chunk",lane="standard"\} \d/)
    t.match(text, /docket_records\{outcome="pending"\} 2/)
    t.match(text, /docket_pool_connections\{state="waiting"\} \d/)
    t.notMatch(text, '53033', 'no jurisdiction is told')
  })

  await t.test('a queue that is behind refuses new batches and says for how long', async t => {
    await api.pool.query(
      `update pgboss.job set created_on = now() - interval '700 seconds', start_after = now() - interval '700 seconds'`
    )
    api.advance(2001)
    const response = await api.fetch('/v1/batches', { method: 'POST', body: formOf({ 'a.csv': `${CSV}P-5,r,1,1\n` }) })
    t.equal(response.status, 429)
    t.equal((await json(response)).code, 'QUEUE_FULL')
    t.ok(Number(response.headers.get('retry-after')) >= 100)
    await api.pool.query('update pgboss.job set created_on = now(), start_after = now()')
    api.advance(2001)
  })

  await t.test('errors are problems, with the request id of every line and answer', async t => {
    const response = await api.fetch('/v1/nothing', { headers: { 'x-request-id': 'from-the-caller-1' } })
    t.equal(response.status, 404)
    t.equal(response.headers.get('content-type'), 'application/problem+json')
    t.equal(response.headers.get('x-request-id'), 'from-the-caller-1')
    t.match(await json(response), {
      type: 'about:blank',
      status: 404,
      code: 'NOT_FOUND',
      request_id: 'from-the-caller-1'
    })
    t.ok(api.lines.some(line => JSON.parse(line).request_id === 'from-the-caller-1'))
    const forged = await api.fetch('/healthz', { headers: { 'x-request-id': 'a b{}"' } })
    t.not(forged.headers.get('x-request-id'), 'a b{}"')
    t.ok(
      api.lines.every(line => !line.includes('?')),
      'no query is logged'
    )
    const wrongMethod = await api.fetch('/v1/batches', { method: 'DELETE' })
    t.equal(wrongMethod.status, 405)
    t.equal(wrongMethod.headers.get('allow'), 'GET, HEAD, POST')
    const badPath = await api.fetch('/v1/records/%E0%A4%A')
    t.equal(badPath.status, 400)
    t.equal((await json(badPath)).code, 'REQUEST_INVALID')
  })

  await t.test('the description is served, and is the one checked in', async t => {
    const described = await api.fetch('/openapi.json')
    t.match(await described.json(), { openapi: '3.1.0', paths: { '/v1/batches/{id}': { get: {} } } })
    t.equal((await api.fetch('/docs')).status, 200)
    t.ok(await isOpenApiCurrent(), 'run node src/api/openapi.ts --write')
  })

  await t.test('profiles, their schemas and templates', async t => {
    const { data } = (await (await api.fetch('/v1/profiles')).json()) as { data: { name: string }[] }
    t.strictSame(
      data.map(profile => profile.name),
      ['permit', 'policy', 'lease']
    )
    t.match(await (await api.fetch('/v1/profiles/permit/schema')).json(), { type: 'object' })
    t.match(await (await api.fetch('/v1/profiles/permit/template.csv')).text(), /^submission_id,.*\r\n$/)
    t.equal((await api.fetch('/v1/profiles/none/schema')).status, 404)
  })

  await t.test('progress is told until the end', async t => {
    const answer = await json(
      await api.fetch('/v1/batches', { method: 'POST', body: formOf({ 'p.csv': `${CSV}P-7,r,1,1\n` }) })
    )
    const response = await api.fetch(`/v1/batches/${answer.id}/progress`)
    t.equal(response.headers.get('content-type'), 'text/event-stream')
    let text = ''
    for await (const block of response.body ?? []) {
      text += Buffer.from(block).toString()
      if (text.includes('event: progress') && !text.includes('event: end')) {
        await makeRecords(api.pool, answer.id, [{ item: 1, state: 'rejected' }])
        await api.pool.query(`update batch set state = 'completed', finished_at = now() where id = $1`, [answer.id])
      }
    }
    t.match(text, /^retry: \d+\n\nid: queued\.\S+\nevent: progress\ndata: \{.*\}\n\nid: completed\.\S+\nevent: end\n/)
    const last = /id: (completed\S+)/.exec(text)?.[1] ?? ''
    const again = await api.fetch(`/v1/batches/${answer.id}/progress`, { headers: { 'last-event-id': last } })
    t.equal(again.status, 204, 'a client that saw the end does not come again')
  })

  await t.test('a database that is away is said to be away', async t => {
    const url = 'postgres://nobody@127.0.0.1:1/nothing'
    const pool = createPool({ url, max: 1, applicationName: 'docket-test', onError: () => undefined })
    const app = await buildApp({ ...api.deps, pool, intake: { ...api.deps.intake, pool } })
    const headers = { authorization: `Bearer ${api.admin}` }
    const response = await app.inject({ url: '/v1/batches', headers })
    t.equal(response.statusCode, 503)
    t.ok(response.headers['retry-after'])
    t.match(response.json(), { code: 'DATABASE_UNAVAILABLE' })
    t.equal((await app.inject('/healthz')).statusCode, 200)
    t.equal((await app.inject('/readyz')).statusCode, 503)
    await app.close()
    await pool.end()
  })
})

test('a watched batch is read once however many watch it', async t => {
  const base = { id: 'b', state: 'processing', total: 2, pending: 2 } as BatchView
  let reads = 0
  let released: ((batch: BatchView) => void) | undefined
  const watcher = createBatchWatcher(() => {
    reads += 1
    return new Promise(resolve => {
      released = resolve
    })
  }, 1)
  const seen: string[][] = [[], [], []]
  const done = seen.map(
    events =>
      new Promise<void>(resolve => {
        const leave = watcher.watch(base, event => {
          events.push(event.id.split('.').slice(0, 3).join('.'))
          if (events.length === 2) {
            leave()
            resolve()
          }
        })
      })
  )
  const wait = setInterval(() => {
    if (reads === 1) released?.({ ...base, pending: 0 })
  }, 1)
  await Promise.all(done)
  clearInterval(wait)
  t.strictSame(
    seen,
    seen.map(() => ['processing.2.2', 'processing.2.0'])
  )
  watcher.close()
})
