import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import {
  type ClientDeps,
  createHttpClient,
  type HttpClient,
  type NetworkPolicy
} from '../../../../src/registries/http/client/guarded-client.ts'

interface Server {
  readonly port: number
  readonly origin: string
  /** Connections that came. */
  readonly connections: () => number
}

async function listen(t: Test, handle: RequestListener): Promise<Server> {
  let connections = 0
  const server = createServer(handle).listen(0, '127.0.0.1')
  server.on('connection', () => {
    connections += 1
  })
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { port, origin: `http://127.0.0.1:${port}`, connections: () => connections }
}

const json: RequestListener = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end('{"ok":true}')
}

function client(origins: readonly string[], more: Partial<NetworkPolicy & ClientDeps> = {}): HttpClient {
  const policy = { origins: new Set(origins), addresses: ['127.0.0.0/8'], connections: 2, maxBytes: 100_000, ...more }
  return createHttpClient(policy, { now: () => Date.now(), ...more })
}

const get = (http: HttpClient, url: string, headers: Record<string, string> = {}) =>
  http.send({ method: 'GET', url: new URL(url), headers, signal: AbortSignal.timeout(10_000) })

const resolveTo =
  (...answers: string[][]): NonNullable<ClientDeps['resolve']> =>
  (_host, _options, done) => {
    const addresses = answers.length > 1 ? (answers.shift() ?? []) : (answers[0] ?? [])
    done(
      null,
      addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
    )
  }

t.test('no connection is made to an address that is not allowed, however it is written', async t => {
  const server = await listen(t, json)
  const names = [
    '127.0.0.1',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::]'
  ]
  for (const name of names) {
    const { origin } = new URL(`http://${name}:${server.port}`)
    await t.rejects(
      get(client([origin], { addresses: [] }), `${origin}/`),
      { kind: 'configuration', code: 'address_refused' },
      name
    )
  }
  t.equal(server.connections(), 0)
})

t.test(
  'a name that stands for a forbidden address is refused, also when another of its addresses is allowed',
  async t => {
    const server = await listen(t, json)
    const origin = `http://registry.test:${server.port}`
    for (const addresses of [
      ['127.0.0.1'],
      ['93.184.216.34', '127.0.0.1'],
      ['::1'],
      ['169.254.169.254'],
      ['::ffff:127.0.0.1'],
      []
    ]) {
      const http = client([origin], { addresses: [], resolve: resolveTo(addresses) })
      await t.rejects(get(http, origin), { kind: 'configuration', code: 'address_refused' }, addresses.join())
    }
    t.equal(server.connections(), 0)
  }
)

t.test(
  'a name that changes its mind is asked once for each connection, and that answer is the one connected to',
  async t => {
    const server = await listen(t, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', connection: 'close' })
      response.end('{"ok":true}')
    })
    const origin = `http://registry.test:${server.port}`
    const http = client([origin], { addresses: ['127.0.0.1/32'], resolve: resolveTo(['127.0.0.1'], ['127.0.0.2']) })
    t.match(await get(http, origin), { status: 200, body: { ok: true } })
    await t.rejects(get(http, origin), { kind: 'configuration', code: 'address_refused' })
    t.equal(server.connections(), 1)
  }
)

t.test('only the hosts, ports and protocols of the configuration are asked', async t => {
  const server = await listen(t, json)
  const http = client([server.origin])
  t.match(await get(http, `${server.origin}/x`), { status: 200 })
  for (const url of [
    `http://localhost:${server.port}/`,
    'http://127.0.0.1:1/',
    `https://127.0.0.1:${server.port}/`,
    `http://user:secret@127.0.0.1:${server.port}/`,
    'file:///etc/passwd'
  ]) {
    await t.rejects(get(http, url), { kind: 'configuration', code: 'host_refused' }, url)
  }
})

t.test('a redirect is followed on the same host with its question, and nowhere else', async t => {
  const asked: string[] = []
  const server = await listen(t, (request, response) => {
    let body = ''
    request.on('data', part => (body += String(part)))
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${body}`)
      if (request.url === '/moved') return json(request, response)
      response.writeHead(308, { location: '/moved' }).end()
    })
  })
  const reply = await client([server.origin]).send({
    method: 'POST',
    url: new URL(`${server.origin}/old`),
    body: { type: 'text/plain', text: 'keys' },
    signal: AbortSignal.timeout(10_000)
  })
  t.match(reply, { status: 200, body: { ok: true } })
  t.strictSame(asked, ['POST /old keys', 'POST /moved keys'])
  const other = await listen(t, json)
  for (const [status, location] of [
    [302, '/moved'],
    [303, '/moved'],
    [307, `${other.origin}/`],
    [307, 'http://169.254.169.254/latest/meta-data/'],
    [307, 'file:///etc/passwd'],
    [307, '//127.0.0.1:1/'],
    [307, 'http://'],
    [307, undefined]
  ] as const) {
    const from = await listen(t, (_, response) => response.writeHead(status, location ? { location } : {}).end())
    await t.rejects(
      get(client([from.origin]), from.origin),
      { kind: 'configuration', code: 'redirect_refused' },
      `${location}`
    )
  }
  t.equal(other.connections(), 0)
})

t.test('so many connections to a host at once, and no more', async t => {
  let most = 0
  const waiting: (() => void)[] = []
  const server = await listen(t, (request, response) => {
    waiting.push(() => json(request, response))
    most = Math.max(most, waiting.length)
    // Answered in pairs: a third would come while these two wait.
    if (waiting.length === 2) setTimeout(() => waiting.splice(0).forEach(answer => answer()), 5)
  })
  const http = client([server.origin])
  await Promise.all(Array.from({ length: 30 }, () => get(http, server.origin)))
  t.equal(most, 2)
  t.ok(server.connections() <= 2, `${server.connections()} connections were made`)
})

t.test('who stops waiting gets his own reason, a time limit is the registry’s fault', async t => {
  const server = await listen(t, () => undefined)
  const http = client([server.origin], { connections: 1 })
  const stop = new AbortController()
  const call = { method: 'GET' as const, url: new URL(server.origin) }
  const [one, waiting] = [http.send({ ...call, signal: stop.signal }), http.send({ ...call, signal: stop.signal })]
  stop.abort(new Error('the job has ended'))
  await t.rejects(one, { message: 'the job has ended' })
  await t.rejects(waiting, { message: 'the job has ended' })
  await t.rejects(http.send({ ...call, signal: AbortSignal.timeout(20) }), { kind: 'transient', code: 'timeout' })
  await t.rejects(http.send({ ...call, signal: AbortSignal.abort(new Error('before')) }), { message: 'before' })
})

t.test('what goes wrong below HTTP is told by its code, without address or credentials', async t => {
  const closed = await listen(t, json)
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const { port } = gone.address() as AddressInfo
  gone.close()
  await once(gone, 'close')
  const origin = `http://127.0.0.1:${port}`
  await t.rejects(get(client([origin]), origin), { kind: 'transient', code: 'connection_refused' })
  const named = `http://registry.test:${closed.port}`
  const unresolved = client([named], {
    resolve: (_host, _options, done) =>
      done(Object.assign(new Error('getaddrinfo registry.test'), { code: 'ENOTFOUND' }), [])
  })
  await t.rejects(get(unresolved, named), { kind: 'transient', code: 'dns', message: 'The registry failed: dns.' })
  const plain = `https://127.0.0.1:${closed.port}`
  await t.rejects(get(client([plain]), plain), { kind: 'transient', code: 'tls' })
  await t.rejects(get(client([closed.origin]), closed.origin, { 'x-key': 'se\ncret' }), {
    kind: 'configuration',
    code: 'secret_malformed',
    message: 'The registry failed: secret_malformed.'
  })
})

t.test('a kept connection that the server closes meanwhile costs no fault', async t => {
  let answered = 0
  const server = await listen(t, (request, response) => {
    answered += 1
    json(request, response)
    // Closed as soon as the reply is out, without a word that it will be.
    response.on('finish', () => setImmediate(() => request.socket.resetAndDestroy()))
  })
  const http = client([server.origin], { connections: 1 })
  for (let i = 0; i < 20; i++) t.match(await get(http, server.origin), { status: 200 })
  t.ok(answered >= 20)
})
