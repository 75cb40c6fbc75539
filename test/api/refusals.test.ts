import { type Test, test } from 'tap'
import { ERROR_CODES } from '../../src/errors.ts'
import { json, testApi } from '../helpers/app.ts'
import { CSV, formOf } from './bodies.ts'
import { makeRecords } from './factory.ts'

interface Declared {
  readonly method: string
  readonly url: string
}

interface Call {
  readonly query?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly id?: string
}

/** Route as `METHOD /path`; what is sent; status, code, and what the answer must say. */
type Row = readonly [route: string, call: Call, status: number, code: string, says?: RegExp | undefined]

const ABSENT = '01900000-0000-7000-8000-000000000000'
const JSON_TYPE = { 'content-type': 'application/json' }
const MATCH = { ...JSON_TYPE, 'if-match': '"1"' }
const cursorOf = (...place: readonly unknown[]): string => Buffer.from(JSON.stringify(place)).toString('base64url')

const BAD_LIMITS = ['0', '-1', '1001', '1.5', 'x', '', '1e999', 'NaN', '1&limit=2', '9'.repeat(400)]
const BAD_CURSORS = [
  'x',
  '%F0%9F%92%A9',
  '%22',
  'a'.repeat(513),
  cursorOf(),
  cursorOf('other', ABSENT),
  Buffer.from('null').toString('base64url'),
  Buffer.from('{"length":1}').toString('base64url'),
  Buffer.from('['.repeat(300)).toString('base64url')
]

const LISTS = [
  '/v1/batches',
  '/v1/batches/:id/records',
  '/v1/batches/:id/audit',
  '/v1/quarantine',
  '/v1/records/:id/audit',
  '/v1/records/:id/revisions'
]
const listRows: readonly Row[] = LISTS.flatMap(url => [
  ...BAD_LIMITS.map((limit): Row => [`GET ${url}`, { query: `limit=${limit}` }, 400, 'REQUEST_INVALID', /limit/]),
  ...BAD_CURSORS.map((cursor): Row => [`GET ${url}`, { query: `cursor=${cursor}` }, 400, 'CURSOR_INVALID', /again/]),
  [`GET ${url}`, { query: 'cursor=a&cursor=b' }, 400, 'REQUEST_INVALID', /cursor/],
  [`GET ${url}`, { query: 'stat=accepted' }, 400, 'REQUEST_INVALID', /known.*limit, cursor/],
  [`GET ${url}`, { query: `cursor=${cursorOf('batches', 'x')}` }, 400, 'CURSOR_INVALID']
])

const FILTERS: Readonly<Record<string, readonly string[]>> = {
  '/v1/batches': [
    'state=done',
    'lane=fast',
    `profile=${'p'.repeat(64)}`,
    `source=${'s'.repeat(101)}`,
    `jurisdiction=${'j'.repeat(41)}`
  ],
  '/v1/batches/:id/records': [
    'state=pending',
    'row=-1',
    'row=x',
    'row=2147483648',
    'line=1.5',
    'reason=ODD',
    `file=${'f'.repeat(256)}`,
    'state=accepted&state=rejected'
  ],
  '/v1/quarantine': [
    'reason=ODD',
    'failure_class=none',
    'batch_id=7',
    'min_age_seconds=-1',
    'min_age_seconds=x',
    'min_age_seconds=1e11',
    `profile=${'p'.repeat(64)}`
  ],
  // The database knows no year 0, and no offset so large.
  '/v1/audit': ['from=0000-02-29T00:00:00Z', 'to=2024-01-01T00:00:00-16:00'],
  '/v1/audit/public-export': ['from=0000-01-01T00:00:00Z', 'to=2024-01-01T00:00:00%2B23:59']
}
const filterRows: readonly Row[] = Object.entries(FILTERS).flatMap(([url, queries]) =>
  queries.map(
    (query): Row => [`GET ${url}`, { query }, 400, 'REQUEST_INVALID', new RegExp(query.split(/[=[]/)[0] ?? '')]
  )
)

const YEAR_0 = '0000-01-01T00:00:00.000000Z'
/** Of the right form, with places that the database cannot compare with. */
const FORGED: readonly (readonly [url: string, cursor: string])[] = [
  ['/v1/quarantine', cursorOf('quarantine', YEAR_0, ABSENT)],
  ['/v1/audit', cursorOf('audit-log', YEAR_0, ABSENT, 0)],
  ['/v1/mappings', cursorOf('mappings', '53033', 'permit', '\0', 1)],
  ['/v1/mappings', cursorOf('mappings', '53033', 'permit', 'desk', 2 ** 31)]
]
const forgedRows = FORGED.map(
  ([url, cursor]): Row => [`GET ${url}`, { query: `jurisdiction=53033&cursor=${cursor}` }, 400, 'CURSOR_INVALID']
)

const DEEP = `{"corrections":${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`
const BODIES: Readonly<
  Record<string, readonly (readonly [body: string, status: number, code: string, says?: RegExp])[]>
> = {
  release: [
    ['{"correction":{}}', 400, 'REQUEST_INVALID', /known.*corrections/],
    ['{"corrections":{"x":1}}', 400, 'REQUEST_INVALID', /corrections\.x/],
    ['{"corrections":{"no_such":"x"}}', 422, 'FIELD_INVALID', /no_such/]
  ],
  corrections: [
    ['{}', 400, 'REQUEST_INVALID', /corrections/],
    ['{"corrections":{}}', 422, 'FIELD_INVALID', /at least one/],
    ['{"corrections":{"parcel_id":"1"},"note":"x"}', 400, 'REQUEST_INVALID', /known.*corrections/],
    [`{"corrections":{"parcel_id":"${'x'.repeat(100_001)}"}}`, 400, 'REQUEST_INVALID', /parcel_id/]
  ],
  reject: [
    ['{}', 400, 'REQUEST_INVALID', /reason.*comment \(missing\)/],
    ['{"reason":"ODD","comment":"x"}', 400, 'REQUEST_INVALID', /reason \(not one of .*openapi\.json/],
    ['{"reason":"CANCELLED_BY_CLERK","comment":""}', 400, 'REQUEST_INVALID', /comment/],
    [`{"reason":"CANCELLED_BY_CLERK","comment":"${'x'.repeat(2001)}"}`, 400, 'REQUEST_INVALID', /comment/],
    ['{"reason":"CANCELLED_BY_CLERK","comment":"x","actor":"me"}', 400, 'REQUEST_INVALID', /known.*reason, comment/]
  ]
}
const bodyRows: readonly Row[] = Object.entries(BODIES).flatMap(([action, bodies]) => {
  const route = `POST /v1/quarantine/:id/${action}`
  const with400 = (body: string, code: string, says?: RegExp): Row => [route, { body, headers: MATCH }, 400, code, says]
  return [
    ...bodies.map(([body, status, code, says]): Row => [route, { body, headers: MATCH }, status, code, says]),
    with400('{', 'BODY_MALFORMED', /JSON/),
    with400('{"a":1}}', 'BODY_MALFORMED'),
    with400('{"__proto__":{"x":1}}', 'BODY_MALFORMED'),
    with400('[]', 'REQUEST_INVALID', /body/),
    with400('7', 'REQUEST_INVALID', /body/),
    with400('"x"', 'REQUEST_INVALID', /body/),
    with400(DEEP, 'REQUEST_INVALID', /corrections|reason/),
    [route, { body: '', headers: MATCH }, 400, 'BODY_EMPTY'],
    [route, { body: `"${'x'.repeat(1_100_000)}"`, headers: MATCH }, 413, 'REQUEST_TOO_LARGE'],
    [
      route,
      { body: '<a/>', headers: { 'content-type': 'application/xml', 'if-match': '"1"' } },
      415,
      'MEDIA_TYPE_UNSUPPORTED',
      /application\/json/
    ]
  ]
})

/** A request without a body, which `fetch` would give a type. */
const NOTHING = 'nothing'

const GOOD: Readonly<Record<string, string>> = {
  release: '{}',
  corrections: '{"corrections":{"parcel_id":"1"}}',
  reject: '{"reason":"CANCELLED_BY_CLERK","comment":"x"}',
  retry: NOTHING
}
const revisionRows: readonly Row[] = Object.entries(GOOD).flatMap(([action, body]): Row[] => {
  const route = `POST /v1/quarantine/:id/${action}`
  const type = body === NOTHING ? {} : JSON_TYPE
  return [
    [route, { body, headers: type }, 428, 'REVISION_REQUIRED', /If-Match/],
    ...['"0"', '1', '*', 'W/"1"', '"1", "2"', 'x'.repeat(2000)].map(
      (given): Row => [
        route,
        { body, headers: { ...type, 'if-match': given } },
        412,
        'REVISION_STALE',
        /^"\d+"$/.test(given) ? /was changed.*again/ : /in quotes.*again/
      ]
    )
  ]
})

const otherRows: readonly Row[] = [
  ['POST /v1/batches/:id/retry', { query: 'codes=odd' }, 400, 'REQUEST_INVALID', /codes/],
  ['POST /v1/batches/:id/retry', { query: `codes=${'x'.repeat(2001)}` }, 400, 'REQUEST_INVALID', /codes/],
  ['POST /v1/batches/:id/retry', { query: 'code=FIELD_MISSING' }, 400, 'REQUEST_INVALID', /known.*codes/],
  ['GET /v1/profiles/:name/schema', { id: 'nobody' }, 404, 'NOT_FOUND'],
  ['GET /v1/profiles/:name/template.csv', { id: '__proto__' }, 404, 'NOT_FOUND'],
  ['GET /v1/nothing', {}, 404, 'NOT_FOUND'],
  ['DELETE /v1/batches', {}, 405, 'METHOD_NOT_ALLOWED', /takes .*GET/],
  ['PUT /v1/records/:id', {}, 405, 'METHOD_NOT_ALLOWED', /takes .*GET/],
  ['GET /v1/batches/:id/cancel', {}, 405, 'METHOD_NOT_ALLOWED', /takes POST only/],
  ['GET /v1/batches/%ff', {}, 400, 'REQUEST_INVALID']
]

const STRANGE_IDS = [
  'x',
  '0',
  "'%20or%201=1--",
  '%00',
  '%F0%9F%92%A9',
  '..%2f..',
  `${ABSENT}x`,
  'A'.repeat(99),
  'A'.repeat(300),
  'A'.repeat(5000)
]

test('whatever is wrong with a request, the answer says what, where and what to do', async t => {
  const routes: Declared[] = []
  const api = await testApi(t, {
    onRoute: ({ method, url }) => {
      for (const one of [method].flat()) if (one !== 'HEAD' && url.startsWith('/v1')) routes.push({ method: one, url })
    }
  })
  const batch = await json(await api.fetch('/v1/batches', { method: 'POST', body: formOf({ 'a.csv': CSV }) }))
  const [held = ''] = await makeRecords(api.pool, batch.id, [{ item: 1 }])
  const idFor = (url: string): string => (url.includes('batches') ? batch.id : held)

  const send = (route: string, call: Call): Promise<Response> => {
    const [method = '', url = ''] = route.split(' ')
    const path = url.replace(/:(?:id|name)/, call.id ?? idFor(url))
    return api.fetch(`${path}${call.query === undefined ? '' : `?${call.query}`}`, {
      method,
      headers: { ...call.headers },
      ...(call.body === undefined || call.body === NOTHING ? {} : { body: call.body })
    })
  }
  const isProblem = async (t: Test, response: Response, name: string) => {
    const body = await json(response)
    t.match(response.headers.get('content-type'), /^application\/problem\+json/, `${name}: problem details`)
    t.ok(Object.hasOwn(ERROR_CODES, body.code), `${name}: a code of the catalogue, ${body.code}`)
    t.equal(body.status, response.status, `${name}: its status`)
    t.match(
      body,
      { title: /./, detail: /[.]$/, request_id: response.headers.get('x-request-id') },
      `${name}: a sentence`
    )
    return body
  }

  await t.test('wrong queries, bodies and conditions', async t => {
    for (const [route, call, status, code, says] of [
      ...listRows,
      ...filterRows,
      ...forgedRows,
      ...bodyRows,
      ...revisionRows,
      ...otherRows
    ]) {
      const name = `${route} ${call.query ?? ''} ${call.body?.slice(0, 60) ?? ''} ${call.headers?.['if-match']?.slice(0, 9) ?? ''}`
      const response = await send(route, call)
      const body = await isProblem(t, response, name)
      t.strictSame([response.status, body.code], [status, code], `${name}: ${body.detail}`)
      if (says) t.match(JSON.stringify(body), says, `${name} says so`)
    }
    t.match(
      await json(await api.fetch(`/v1/records/${held}`)),
      { state: 'quarantined', revision: 1 },
      'nothing was done'
    )
  })

  await t.test('names that are no ids do not exist, on every route', async t => {
    let seen = 0
    const bodies: typeof GOOD = { ...GOOD, erase: '{"reason":"court_order"}' }
    for (const { method, url } of routes.filter(route => route.url.includes(':'))) {
      for (const id of STRANGE_IDS) {
        const action = url.split('/').at(-1) ?? ''
        const body = method === 'GET' ? NOTHING : (bodies[action] ?? NOTHING)
        const headers: Record<string, string> = { 'if-match': '"1"', ...(body === NOTHING ? {} : JSON_TYPE) }
        const response = await send(`${method} ${url}`, { id, headers, body })
        const problem = await isProblem(t, response, `${method} ${url} ${id.slice(0, 20)}`)
        t.strictSame([response.status, problem.code], [404, 'NOT_FOUND'], `${method} ${url} ${id.slice(0, 20)}`)
        seen += 1
      }
    }
    t.ok(seen >= 150, `${seen} requests`)
  })

  await t.test('every route refuses query parameters it does not know, but the submission', async t => {
    for (const { method, url } of routes) {
      if (method === 'POST' && url === '/v1/batches') continue
      const body = method === 'GET' ? NOTHING : (GOOD[url.split('/').at(-1) ?? ''] ?? NOTHING)
      const headers: Record<string, string> = { 'if-match': '"1"', ...(body === NOTHING ? {} : JSON_TYPE) }
      const response = await send(`${method} ${url}`, {
        query: 'secret_name=secret-value',
        headers,
        body
      })
      const problem = await isProblem(t, response, `${method} ${url}`)
      t.strictSame([response.status, problem.code], [400, 'REQUEST_INVALID'], `${method} ${url}`)
      t.notMatch(JSON.stringify(problem), 'secret', 'nothing that was sent is repeated')
    }
  })

  t.notMatch(api.lines.join(''), /"level":"?(?:50|error)/, 'none of it was a fault of ours')
})
