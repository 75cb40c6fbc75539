import { test } from 'tap'
import { type TestApi, testApi } from '../../helpers/app.ts'
import { CSV } from '../bodies.ts'

interface Mapping {
  readonly version: number
  readonly current: boolean
  readonly source: string | null
  readonly sha256: string
  readonly saved_by: string
  readonly columns?: Record<string, string | null>
  readonly code?: string
}

const OWNER = { jurisdiction: '53033', profile: 'permit', source: 'Desk 1' }

async function save(api: TestApi, body: object, token?: string): Promise<{ status: number; body: Mapping }> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`
  const response = await api.fetch('/v1/mappings', { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Mapping }
}

async function list(api: TestApi, query: string, token?: string) {
  const response = await api.fetch(`/v1/mappings?${query}`, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` }
  })
  return (await response.json()) as { data: readonly Mapping[]; next_cursor: string | null }
}

test('a mapping is saved in versions that say who saved them and when', async t => {
  const api = await testApi(t)
  const first = await save(api, { ...OWNER, columns: { Betrag: 'project_valuation', Notiz: null }, decimal: ',' })
  t.equal(first.status, 201)
  t.match(first.body, {
    ...OWNER,
    version: 1,
    current: true,
    columns: { Betrag: 'project_valuation', Notiz: null },
    decimal: ',',
    saved_by: /^key:/,
    saved_at: /^\d{4}-\d\d-\d\dT/
  })
  const same = await save(api, { ...OWNER, columns: { Notiz: null, Betrag: 'project_valuation' }, decimal: ',' })
  t.equal(same.status, 200, 'nothing new')
  t.equal(same.body.version, 1)
  const second = await save(api, { ...OWNER, date_order: 'dmy' })
  t.match(second, { status: 201, body: { version: 2, date_order: 'dmy', columns: undefined } })
  t.match((await save(api, { ...OWNER, source: null })).body, { source: null, version: 1 })
  t.match((await list(api, 'source=Desk 1&versions=all')).data, [
    { version: 2, current: true },
    { version: 1, current: false, sha256: first.body.sha256 }
  ])
  t.match((await list(api, 'profile=permit')).data, [
    { source: null, version: 1 },
    { source: 'Desk 1', version: 2 }
  ])
  for (const statement of [
    "update source_mapping set saved_by = 'x'",
    'delete from source_mapping',
    'truncate source_mapping'
  ]) {
    await t.rejects(api.pool.query(statement), { code: '42501' }, statement)
  }
})

test('versions saved at the same moment are numbered one by one', async t => {
  const api = await testApi(t)
  const orders = Array.from({ length: 8 }, (_, n) => ({ ...OWNER, columns: { [`c${n}`]: 'parcel_id' } }))
  const saved = await Promise.all(orders.map(order => save(api, order)))
  const versions = saved.map(({ body }) => body.version)
  t.same(
    versions.toSorted((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8]
  )
})

test('pages of mappings hold', async t => {
  const api = await testApi(t)
  for (const source of [null, 'a', 'b', 'ü']) {
    for (const decimal of ['.', ',']) await save(api, { ...OWNER, source, decimal })
  }
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await list(api, `versions=all&limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seen.push(...page.data.map(({ source, version }) => `${source} ${version}`))
    cursor = page.next_cursor
  }
  t.same(seen, ['null 2', 'null 1', 'a 2', 'a 1', 'b 2', 'b 1', 'ü 2', 'ü 1'])
})

test('what cannot be a mapping is refused', async t => {
  const api = await testApi(t)
  const cases: [object, number, string][] = [
    [{ ...OWNER, columns: { x: 'nowhere' } }, 422, 'FIELD_INVALID'],
    [{ ...OWNER, columns: { x: 'fee_cents' } }, 422, 'FIELD_INVALID'],
    [{ ...OWNER, columns: { x: '__proto__' } }, 422, 'FIELD_INVALID'],
    [{ ...OWNER, encoding: 'klingon' }, 422, 'FIELD_INVALID'],
    [{ ...OWNER, profile: 'nothing' }, 422, 'PROFILE_UNKNOWN'],
    [{ ...OWNER, jurisdiction: 'No Such!' }, 422, 'JURISDICTION_INVALID'],
    [{ ...OWNER, source: '\u0007' }, 422, 'FIELD_INVALID'],
    [{ ...OWNER, date_order: 'myd' }, 400, 'REQUEST_INVALID'],
    [{ ...OWNER, decimals: '.' }, 400, 'REQUEST_INVALID'],
    [{ ...OWNER, header: [] }, 400, 'REQUEST_INVALID'],
    [{ ...OWNER, currency: 'dollars' }, 400, 'REQUEST_INVALID'],
    [{ ...OWNER, columns: { ['x'.repeat(300)]: 'parcel_id' } }, 400, 'REQUEST_INVALID']
  ]
  for (const [body, status, code] of cases)
    t.match(await save(api, body), { status, body: { code } }, JSON.stringify(body))
  t.same((await list(api, '')).data, [])
})

test('only reviewers of a jurisdiction save for it, and nobody sees those of others', async t => {
  const api = await testApi(t)
  await save(api, { ...OWNER, decimal: '.' })
  const here = await api.keyFor({ scopes: ['review'], jurisdictions: ['53033'] })
  const elsewhere = await api.keyFor({ scopes: ['review'], jurisdictions: ['06037'] })
  const sender = await api.keyFor({ scopes: ['submit'], jurisdictions: ['53033'] })
  t.match(await save(api, { ...OWNER, decimal: ',' }, here), { status: 201, body: { version: 2 } })
  t.match(await save(api, { ...OWNER, decimal: '.' }, elsewhere), {
    status: 403,
    body: { code: 'JURISDICTION_FORBIDDEN' }
  })
  t.match(await save(api, { ...OWNER, decimal: '.' }, sender), { status: 403, body: { code: 'SCOPE_MISSING' } })
  t.equal((await list(api, '', here)).data.length, 1)
  t.same((await list(api, '', elsewhere)).data, [])
})

test('a batch shows which column each field is read from, and by which version of a mapping', async t => {
  const api = await testApi(t)
  await save(api, { ...OWNER, columns: { Ward: 'work_description' } })
  const send = async (query: string) => {
    const response = await api.fetch(`/v1/batches?profile=permit&jurisdiction=53033&filename=a.csv${query}`, {
      method: 'POST',
      body: CSV.replace('project_valuation', 'project_valuation,ward').replaceAll('.00\n', '.00,x\n'),
      headers: { 'content-type': 'text/csv' }
    })
    const { id } = (await response.json()) as { id: string }
    return (await api.fetch(`/v1/batches/${id}`)).json()
  }
  const columns = { submission_id: 'submission_id', project_valuation: 'project_valuation' }
  t.match(await send(''), { files: [{ columns: { ...columns, work_description: undefined }, mapping_version: null }] })
  t.match(await send('&source=Desk 1'), {
    files: [{ columns: { ...columns, work_description: 'ward' }, mapping_version: 1 }]
  })
})
