import { test } from 'tap'
import { verify } from '../../../../src/audit/verify/verify.ts'
import { json, testApi } from '../../../helpers/app.ts'
import { testPipeline } from '../../../helpers/pipeline.ts'

const CSV = `permit_number,parcel_id,permit_type,issued_date,valuation
DL-1,22-1,roof,2024-02-01,100.00
DL-2,22-2,roof,2024-02-30,100.00
`

interface Entry {
  readonly kind: string
  readonly actor: string
  readonly detail: Readonly<Record<string, unknown>>
  readonly transitions: readonly { readonly transition: string; readonly at: string }[]
}

test('what leaves in one piece stands in the audit trail: who, what, when', async t => {
  const pipeline = await testPipeline(t)
  const api = await testApi(t, { on: pipeline })
  pipeline.work()
  const batch = await pipeline.submit([{ name: 'd.csv', bytes: CSV, type: 'text/csv' }])
  await pipeline.finished(batch.id)
  const [accepted, held] = await pipeline.records(batch.id)
  const keys = { reader: await api.keyFor({ scopes: ['read'] }), auditor: await api.keyFor({ scopes: ['audit'] }) }
  const idOf = (token: string): string => `key:${token.split('_')[1] ?? ''}`
  const get = (path: string, token: string, method = 'GET') =>
    api.fetch(path, { method, headers: { authorization: `Bearer ${token}` } })
  const entries = async (path: string): Promise<readonly Entry[]> =>
    (await json(await get(path, keys.auditor))).data as unknown as Entry[]
  const downloads = async (path: string) =>
    (await entries(path)).flatMap(({ actor, detail, transitions }) =>
      transitions.some(({ transition }) => transition === 'downloaded') ? [{ actor, ...detail }] : []
    )
  const actor = idOf(keys.reader)

  await t.test('a payload, in the chain of the record it was asked for by', async t => {
    const before = await json(await get(`/v1/records/${held?.id}`, keys.reader))
    t.equal(await (await get(`/v1/records/${held?.id}/payload`, keys.reader)).text(), CSV)
    await get(`/v1/records/${held?.id}/payload`, keys.reader, 'HEAD')
    const { rows } = await pipeline.pool.query<{ id: string }>('select id from file')
    t.strictSame(await downloads(`/v1/records/${held?.id}/audit`), [{ actor, download: 'payload', file: rows[0]?.id }])
    t.strictSame(await downloads(`/v1/records/${accepted?.id}/audit`), [])
    const after = await json(await get(`/v1/records/${held?.id}`, keys.reader))
    t.strictSame(after, before, 'the record itself is as it was')
    t.equal((await get(`/v1/records/${held?.id}/payload`, keys.auditor)).status, 403, 'auditors see no content')
  })

  await t.test('the results, in the chain of the batch', async t => {
    for (const format of ['csv', 'ndjson']) {
      t.match(await (await get(`/v1/batches/${batch.id}/results.${format}`, keys.reader)).text(), 'DL-2')
    }
    t.strictSame(await downloads(`/v1/batches/${batch.id}/audit`), [
      { actor, download: 'results.csv' },
      { actor, download: 'results.ndjson' }
    ])
  })

  await t.test('all there is about a batch is found in pages: its own chain and those of its files', async t => {
    const all = await entries(`/v1/batches/${batch.id}/audit`)
    t.strictSame(
      all.map(({ kind, transitions }) => `${kind} ${transitions.map(({ transition }) => transition).join()}`),
      ['file received,chunked', 'batch received', 'batch completed', 'batch downloaded', 'batch downloaded']
    )
    const paged: unknown[] = []
    let next: string | null = null
    do {
      const cursor: string = next === null ? '' : `&cursor=${next}`
      const page = await json(await get(`/v1/batches/${batch.id}/audit?limit=1${cursor}`, keys.auditor))
      paged.push(...page.data)
      next = page.next_cursor
    } while (next !== null)
    t.strictSame(paged, all)
  })

  await t.test('decisions after a download go on in the same chain, and all of it verifies', async t => {
    const released = await api.fetch(`/v1/quarantine/${held?.id}/release`, {
      method: 'POST',
      body: JSON.stringify({ corrections: { issued_date: '2024-02-29' } }),
      headers: { 'content-type': 'application/json', 'if-match': '"1"' }
    })
    t.equal(released.status, 200)
    await get(`/v1/records/${held?.id}/payload`, keys.reader)
    await Promise.all(Array.from({ length: 8 }, () => get(`/v1/records/${held?.id}/payload`, keys.reader)))
    t.equal((await downloads(`/v1/records/${held?.id}/audit`)).length, 10)
    t.strictSame((await verify({ pool: pipeline.pool })).offenders, [])
  })

  await t.test('values before and after a correction, and who made it', async t => {
    const now = await json(await api.fetch(`/v1/records/${held?.id}`))
    t.match(now, {
      revision: 2,
      fields: { issued_date: { value: '2024-02-29', status: 'human' } },
      decision: { actor: /^key:/ }
    })
    const before = await json(await api.fetch(`/v1/records/${held?.id}/revisions`))
    t.match(before, {
      data: [
        {
          revision: 1,
          state: 'quarantined',
          fields: { issued_date: { raw: '2024-02-30', value: null } },
          until: now.updated_at
        }
      ],
      next_cursor: null
    })
    t.equal(before.data.length, 1)
    t.strictSame((await json(await api.fetch(`/v1/records/${accepted?.id}/revisions`))).data, [])
  })

  await t.test('without the entry there is no download', async t => {
    await pipeline.pool.query(
      `create function fail() returns trigger language plpgsql as 'begin raise exception ''no''; end';
       create trigger audit_away before insert on audit_entry for each row execute function fail()`
    )
    for (const path of [`/v1/records/${held?.id}/payload`, `/v1/batches/${batch.id}/results.csv`]) {
      const refused = await get(path, keys.reader)
      t.ok(refused.status >= 500, `${path}: ${refused.status}`)
      t.notMatch(await refused.text(), 'DL-', 'nothing of it has left')
    }
  })
})
