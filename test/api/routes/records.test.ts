import { test } from 'tap'
import { json, type TestApi, testApi } from '../../helpers/app.ts'
import { CSV, fixture } from '../bodies.ts'
import { makeRecords } from '../factory.ts'

const QUERY = '/v1/batches?profile=permit&jurisdiction=53033'

async function submit(api: TestApi, text: string): Promise<string> {
  const response = await api.fetch(`${QUERY}&filename=a.csv`, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'text/csv' }
  })
  return (await json(response)).id
}

/** All pages of a listing, by ids; `between` runs after each page. */
async function walk(api: TestApi, path: string, between: (page: number) => Promise<void>): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  for (let page = 1; page <= 200; page += 1) {
    const next: string = cursor === null ? '' : `&cursor=${cursor}`
    const body = await json(await api.fetch(`${path}${path.includes('?') ? '&' : '?'}limit=10${next}`))
    ids.push(...body.data.map(record => record.id))
    cursor = body.next_cursor
    if (cursor === null) return ids
    await between(page)
  }
  throw new Error('the listing does not end')
}

test('records are listed, found and shown', async t => {
  const api = await testApi(t)
  const batchId = await submit(api, CSV)
  const [accepted = '', held = ''] = await makeRecords(api.pool, batchId, [
    { item: 1, state: 'accepted', line: 2 },
    { item: 2, line: 3 }
  ])
  await api.pool.query(
    `insert into canonical_record (jurisdiction, profile, natural_key, version, idempotency_key, record_id,
       batch_received_at, batch_id, file_number, item, content)
     select jurisdiction, profile, natural_key, 1, idempotency_key, id, now(), batch_id, file_number, item,
       '{"submission_id": "P-1", "project_valuation": "1500.00"}' from record where id = $1`,
    [accepted]
  )
  await api.pool.query(`update record set content = null where id = $1`, [accepted])
  const records = `/v1/batches/${batchId}/records`

  await t.test('in order, with whole envelopes, and counts that add up', async t => {
    const body = await json(await api.fetch(records))
    t.equal(body.next_cursor, null)
    t.match(body.data, [
      {
        id: accepted,
        batch_id: batchId,
        filename: 'a.csv',
        row: 1,
        line: 2,
        state: 'accepted',
        revision: 1,
        fields: { submission_id: { value: 'P-1', raw: 'P-1', status: 'found', confidence: 1, flags: [] } }
      },
      { id: held, row: 2, state: 'quarantined', reasons: [{ code: 'FIELD_MISSING', field: 'project_valuation' }] }
    ])
    t.strictSame(body.data[0]?.fields['submission_id']?.origin, { row: 1, column: 'submission_id', line: 2 })
    t.equal(body.data[0]?.fields['project_valuation']?.value, '1500.00')
    t.match(body.data[0]?.fields['zoning_code'], { value: null, status: 'not_applicable' }, 'no registry was asked')
    t.equal(body.data[1]?.fields['zoning_code'], undefined, 'of a held record that is not known yet')
    const batch = await json(await api.fetch(`/v1/batches/${batchId}`))
    const { total, ...others } = batch.counts
    t.equal(total, 2)
    t.equal(
      Object.values(others).reduce((sum, count) => sum + count, 0),
      total
    )
    t.match(batch, { stages: { read: { total_ms: 4 }, commit: { total_ms: 11 } }, manifest_version: /^permit@/ })
  })

  await t.test('by row, line, file, state and reason', async t => {
    const ids = async (query: string) =>
      (await json(await api.fetch(`${records}?${query}`))).data.map(record => record.id)
    t.strictSame(await ids('row=2'), [held])
    t.strictSame(await ids('line=2'), [accepted])
    t.strictSame(await ids('file=a.csv'), [accepted, held])
    t.strictSame(await ids('file=b.csv'), [])
    t.strictSame(await ids('state=accepted'), [accepted])
    t.strictSame(await ids('reason=FIELD_MISSING'), [held])
    t.strictSame(await ids('reason=FILE_EMPTY'), [])
  })

  await t.test('parameters and cursors that are none are refused without repeating them', async t => {
    for (const query of ['limit=0', 'limit=1001', 'limit=x', 'row=-1', 'state=odd', 'reason=odd', 'line=99999999999']) {
      const response = await api.fetch(`${records}?${query}`)
      const body = await json(response)
      t.equal(`${response.status} ${body.code}`, '400 REQUEST_INVALID', query)
      t.notMatch(body.detail, /odd|99999999999/)
    }
    const other = (await json(await api.fetch(`${records}?limit=1`))).next_cursor
    const [list] = JSON.parse(Buffer.from(other ?? '', 'base64url').toString()) as [string]
    const cursorOf = (...place: unknown[]): string => Buffer.from(JSON.stringify(place)).toString('base64url')
    for (const cursor of [
      'x',
      'e30',
      'a'.repeat(600),
      cursorOf(list, 1),
      cursorOf(list, '1', 2),
      cursorOf(list.replace(/[0-9a-f]{12}$/, '0'.repeat(12)), 1, 2)
    ]) {
      t.equal((await json(await api.fetch(`${records}?cursor=${cursor}`))).code, 'CURSOR_INVALID', cursor)
    }
    t.equal((await api.fetch(`${records}?cursor=${cursorOf(list, 1, 2)}`)).status, 200, 'one of this batch')
    t.equal((await json(await api.fetch(`/v1/quarantine?cursor=${other}`))).code, 'CURSOR_INVALID')
    t.equal((await json(await api.fetch(`/v1/batches?cursor=${other}`))).code, 'CURSOR_INVALID')
  })

  await t.test('one record, with its revision; diagnostics for administrators only', async t => {
    const response = await api.fetch(`/v1/records/${held}`)
    t.equal(response.headers.get('etag'), '"1"')
    t.match(await json(response), { id: held, extra: { note: 'kept' }, diagnostic: { stage: 'validated' } })
    const token = await api.keyFor({ scopes: ['read', 'review'] })
    const body = await json(await api.fetch(`/v1/records/${held}`, { headers: { authorization: `Bearer ${token}` } }))
    t.equal(body.diagnostic, undefined)
    t.equal((await api.fetch('/v1/records/nonsense')).status, 404)
  })

  await t.test('the file comes back as it was sent, and no browser runs it', async t => {
    const response = await api.fetch(`/v1/records/${held}/payload`)
    t.equal(response.headers.get('content-type'), 'application/octet-stream')
    t.equal(response.headers.get('x-content-type-options'), 'nosniff')
    t.match(response.headers.get('content-disposition'), /^attachment; filename="a.csv"/)
    t.equal(await response.text(), CSV)
  })

  await t.test('results as lines', async t => {
    const response = await api.fetch(`/v1/batches/${batchId}/results.ndjson`)
    const lines = (await response.text()).trimEnd().split('\n')
    t.strictSame(
      lines.map(line => JSON.parse(line).id),
      [accepted, held]
    )
    const table = await api.fetch(`/v1/batches/${batchId}/results.csv`)
    const [header, first, second, end] = (await table.text()).split('\r\n')
    t.match(header, /^_record_id,_file,_row,_line,_state,_codes,_duplicate_of,submission_id,permit_type_code,/)
    t.ok(first?.startsWith(`${accepted},a.csv,1,2,accepted,,,P-1,`), first ?? 'no line')
    t.ok(second?.startsWith(`${held},a.csv,2,3,quarantined,FIELD_MISSING,,P-2,`), second ?? 'no line')
    t.equal(end, '')
    await api.pool.query('update record set duplicate_of = $2 where id = $1', [accepted, held])
    const again = await (await api.fetch(`/v1/batches/${batchId}/results.csv`)).text()
    t.match(again, `${accepted},a.csv,1,2,accepted,,${held},P-1,`, 'a duplicate says of what')
    await api.pool.query('update record set duplicate_of = null where id = $1', [accepted])
    const blds = await api.fetch(`/v1/batches/${batchId}/results.csv?names=blds`)
    const [names, , row] = (await blds.text()).split('\r\n')
    t.match(names, /^_record_id,_file,_row,_line,_state,_codes,_duplicate_of,PermitNum,Description,.*,Fee,ExtraFields$/)
    t.match(row, /,P-2,.*,"\{""note"":""kept""\}"$/)
    const bldsLine = (await (await api.fetch(`/v1/batches/${batchId}/results.ndjson?names=blds`)).text()).split('\n')[0]
    t.equal(JSON.parse(bldsLine ?? '').fields.PermitNum.value, 'P-1')
    t.equal((await api.fetch(`/v1/batches/${batchId}/results.csv?names=odd`)).status, 400)
  })

  await t.test('the audit chain of a batch and its file is linked by the hashes of the bytes stored', async t => {
    const body = await json(await api.fetch(`/v1/records/${held}/audit`))
    t.match(body.data, [{ transitions: [{ transition: 'downloaded' }] }], 'made without a worker, and downloaded above')
    const { rows } = await api.pool.query<{ same: boolean }>(
      `select (select bool_and(sha256(entry) = hash) from audit_entry) and b.received_hash = first.hash
         and b.audit_hash = last.hash as same
       from batch b join audit_entry first on first.subject_id = b.id and first.seq = 1
       join audit_entry last on last.subject_id = b.id and last.seq = b.audit_seq`
    )
    t.strictSame(rows, [{ same: true }])
  })
})

test('pages hold while records change and come in', async t => {
  const api = await testApi(t)
  const lines = (await fixture('st01.ndjson')).toString('utf8')
  const batches: string[] = []
  for (let copy = 0; copy < 9; copy += 1) {
    const text = lines.replaceAll(/"permit_number":"/g, `"permit_number":"${copy}-`)
    const response = await api.fetch(QUERY, {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'application/x-ndjson' }
    })
    batches.push((await json(response)).id)
  }
  const wanted: string[] = []
  const items = Array.from({ length: 25 }, (_, i) => ({ item: i + 1 }))
  for (const id of batches) wanted.push(...(await makeRecords(api.pool, id, items)))
  await api.pool.query(`update record set created_at = date_trunc('minute', created_at)`)
  t.equal(wanted.length, 225)

  const disturb = async (page: number): Promise<void> => {
    await api.pool.query(
      `update record set revision = revision + 1, updated_at = now() where id in (select id from record order by random() limit 5)`
    )
    if (page > 7) return
    const response = await api.fetch(`${QUERY}&force=true`, {
      method: 'POST',
      body: lines,
      headers: { 'content-type': 'application/x-ndjson' }
    })
    await makeRecords(api.pool, (await json(response)).id, [{ item: 1 }])
  }
  const seen = await walk(api, '/v1/quarantine', disturb)
  t.strictSame(seen.filter(id => wanted.includes(id)).toSorted(), wanted.toSorted(), 'each of the first 225 once')
  t.equal(new Set(seen).size, seen.length, 'none twice')

  const [first = ''] = batches
  const mine = wanted.slice(0, 25)
  t.strictSame(await walk(api, `/v1/batches/${first}/records`, disturb), mine)
  const listed = await walk(api, '/v1/batches', disturb)
  t.equal(new Set(listed).size, listed.length)
  t.ok(batches.every(id => listed.includes(id)))
})
