import Fastify from 'fastify'
import { test } from 'tap'
import { addAccessHooks } from '../../../src/api/access/access-hooks.ts'
import type { Access } from '../../../src/api/access/authenticate.ts'
import { ensureBootstrapKey, revokeKey } from '../../../src/api/keys.ts'
import type { App } from '../../../src/api/route.ts'
import { SCOPES } from '../../../src/model/states.ts'
import { json, testApi } from '../../helpers/app.ts'
import { CSV, formOf } from '../bodies.ts'
import { heldRecord } from '../factory.ts'

interface Declared {
  readonly method: string
  readonly url: string
  readonly access: Access
}

/** What a route answers to a well-formed request for something that does not exist, or without its conditions. */
const REACHED = new Set([200, 400, 404, 415, 422, 428])

const ABSENT = '01900000-0000-7000-8000-000000000000'

test('who may call what', async t => {
  const routes: Declared[] = []
  const api = await testApi(t, {
    onRoute: route => {
      const methods = [route.method].flat()
      for (const method of methods) {
        if (method !== 'HEAD' && !route.url.startsWith('/docs')) {
          routes.push({ method, url: route.url, access: route.config?.access ?? [] })
        }
      }
    }
  })
  const call = (route: Declared, token: string | undefined) =>
    fetch(new URL(route.url.replace(':id', ABSENT).replace(':name', 'permit'), api.url), {
      method: route.method,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` }
    })

  await t.test('every route says who may call it, and nobody else may', async t => {
    t.ok(routes.length >= 23, `${routes.length} routes`)
    const keys = new Map<string, string>()
    for (const scope of SCOPES) keys.set(scope, await api.keyFor({ scopes: [scope] }))
    let cells = 0
    for (const route of routes) {
      const name = `${route.method} ${route.url}`
      if (route.access === 'public') {
        t.equal((await call(route, undefined)).status, 200, `${name} is public`)
        continue
      }
      t.ok(route.access.length > 0, `${name} names scopes`)
      for (const token of [undefined, 'not-a-key', 'dkt_aaaaaaaaaaaa_'.padEnd(60, 'x')]) {
        const refused = await call(route, token)
        t.equal(refused.status, 401, `${name} without a valid key`)
        t.match(refused.headers.get('content-type'), /problem\+json/)
      }
      for (const scope of SCOPES) {
        const { status } = await call(route, keys.get(scope))
        const isAllowed = scope === 'admin' || route.access.includes(scope)
        if (isAllowed) t.ok(REACHED.has(status), `${name} as ${scope}: ${status}`)
        else t.equal(status, 403, `${name} as ${scope}`)
        cells += 1
      }
    }
    t.comment(`${cells} cells`)
  })

  await t.test('a route that does not say who may call it stops the start', async t => {
    const app = Fastify() as unknown as App
    addAccessHooks(app, { authenticate: () => Promise.reject(new Error('not reached')) })
    t.throws(() => app.get('/open', async () => 'x'), { message: /GET \/open does not say/ })
  })

  await t.test("another jurisdiction's ids do not exist, and its name is forbidden", async t => {
    const answer = await json(await api.fetch('/v1/batches', { method: 'POST', body: formOf({ 'a.csv': CSV }) }))
    const recordId = await heldRecord(api.pool, answer.id)
    const outsider = await api.keyFor({ jurisdictions: ['36061'] })
    const headers = { authorization: `Bearer ${outsider}` }
    for (const route of routes.filter(one => one.url.includes(':id'))) {
      const id = route.url.includes('batches') ? answer.id : recordId
      const path = route.url.replace(':id', id)
      const own = await fetch(new URL(path, api.url), {
        method: route.method,
        headers: { ...headers, 'if-match': '"1"' }
      })
      const absent = await fetch(new URL(route.url.replace(':id', ABSENT), api.url), { method: route.method, headers })
      t.equal(own.status, absent.status, `${route.method} ${route.url}`)
      t.strictSame(
        { ...(await json(own)), request_id: '' },
        { ...(await json(absent)), request_id: '' },
        `${route.method} ${route.url} tells nothing`
      )
    }
    for (const path of ['/v1/batches', '/v1/quarantine']) {
      t.strictSame((await json(await fetch(new URL(path, api.url), { headers }))).data, [], path)
      const asked = await fetch(new URL(`${path}?jurisdiction=53033`, api.url), { headers })
      t.equal((await json(asked)).code, 'JURISDICTION_FORBIDDEN')
    }
    const sent = await fetch(new URL('/v1/batches', api.url), {
      method: 'POST',
      headers,
      body: formOf({ 'a.csv': CSV })
    })
    t.equal(sent.status, 403)
    t.equal((await json(sent)).code, 'JURISDICTION_FORBIDDEN')
    t.equal((await json(await api.fetch('/v1/quarantine'))).data.length, 1, 'the record is there for others')
  })

  await t.test('a key ends within five seconds; the key of the configuration is any text', async t => {
    const token = await api.keyFor({ scopes: ['read'] })
    const get = (key: string) => fetch(new URL('/v1/batches', api.url), { headers: { authorization: `Bearer ${key}` } })
    t.equal((await get(token)).status, 200)
    await revokeKey(api.pool, token.split('_')[1] ?? '')
    api.advance(5001)
    t.equal((await get(token)).status, 401)
    await t.rejects(revokeKey(api.pool, 'nobody'), { code: 'NOT_FOUND' })
    await ensureBootstrapKey(api.pool, 'any text of sixteen'.replaceAll(' ', '-'))
    api.advance(5001)
    t.equal((await get('any-text-of-sixteen')).status, 200)
    t.equal((await get('any-text-of-sixteem')).status, 401)
    const expired = await api.keyFor({ expiresAt: new Date(0) })
    t.equal((await get(expired)).status, 401)
    const { rows } = await api.pool.query('select * from api_key')
    t.notMatch(JSON.stringify(rows), 'any-text', 'no secret is stored')
    t.notMatch(api.lines.join(), token.split('_')[2] ?? '?', 'no secret is logged')
  })
})
