import { createHash } from 'node:crypto'
import { test } from 'tap'
import { json, testApi } from '../../helpers/app.ts'
import { CASE_TYPE, CSV, END, filePart, fixture, formOf, part, sendRaw } from '../bodies.ts'

test('submissions that are taken', async t => {
  const api = await testApi(t)
  const post = (body: FormData | Uint8Array<ArrayBuffer> | string, type?: string, query = '') =>
    api.fetch(`/v1/batches${query}`, { method: 'POST', body, ...(type ? { headers: { 'content-type': type } } : {}) })
  const QUERY = '?profile=permit&jurisdiction=53033'

  await t.test('an answer means that batch, files, chunks, audit entries and jobs are durable', async t => {
    const response = await post(formOf({ 'june.csv': CSV }))
    const answer = await json(response)
    t.equal(response.status, 202, JSON.stringify(answer))
    t.equal(response.headers.get('location'), `/v1/batches/${answer.id}`)
    t.match(answer, {
      state: 'queued',
      profile: 'permit',
      jurisdiction: '53033',
      lane: 'standard',
      files: [{ filename: 'june.csv', media_type: 'text/csv', size: CSV.length }]
    })
    t.equal(answer.files[0].sha256, createHash('sha256').update(CSV).digest('hex'))
    const { rows: chunks } = await api.pool.query('select kind, state, record_count, generation from chunk')
    t.strictSame(chunks, [{ kind: 'rows', state: 'pending', record_count: 2, generation: 1 }])
    const { rows: jobs } = await api.pool.query(`select name, priority from pgboss.job where name = 'chunk'`)
    t.strictSame(jobs, [{ name: 'chunk', priority: 10 }])
    const { rows: audit } = await api.pool.query('select kind, transition from audit_transition order by kind, step')
    const steps = audit.map(row => `${row.kind} ${row.transition}`)
    t.strictSame(steps, ['batch received', 'file received', 'file chunked'])
    const status = await json(await api.fetch(answer.links.self))
    t.match(status, { state: 'queued', total_final: true, progress: 0, counts: { total: 2, pending: 2, accepted: 0 } })
    t.strictSame((await api.files()).length, 1, 'one payload, nothing left in the spool')
  })

  await t.test('fields may stand before or after the files, or in the query', async t => {
    const fields = { profile: 'permit', jurisdiction: '53033', source: 'portal A', lane: 'critical' }
    const wanted = { ...fields, state: 'queued' }
    t.match(await json(await post(formOf({ 'a.csv': `${CSV}P-3,roof,1,1\n` }, fields, 'first'))), wanted)
    t.match(await json(await post(formOf({ 'a.csv': `${CSV}P-4,roof,1,1\n` }, fields, 'last'))), wanted)
    const query = `?${new URLSearchParams(fields).toString()}`
    t.match(await json(await post(formOf({ 'a.csv': `${CSV}P-5,roof,1,1\n` }, {}), undefined, query)), wanted)
    t.match(await json(await post(`${CSV}P-6,roof,1,1\n`, 'text/csv', `${query}&filename=x.csv`)), {
      ...wanted,
      files: [{ filename: 'x.csv' }]
    })
  })

  await t.test('a field sent twice must say the same', async t => {
    const twice = formOf({ 'a.csv': `${CSV}P-7,roof,1,1\n` })
    t.equal((await post(twice, undefined, QUERY)).status, 202)
    const response = await post(formOf({ 'a.csv': CSV }), undefined, '?jurisdiction=36061')
    t.equal(response.status, 422)
    t.equal((await json(response)).code, 'FIELD_CONFLICT')
  })

  await t.test('raw bodies of every type that is taken', async t => {
    const types = ['application/json', 'application/x-ndjson', 'text/csv', 'text/plain', 'application/octet-stream']
    for (const [i, type] of types.entries()) {
      const body = type.includes('json') ? `{"submission_id":"R-${i}"}\n` : `${CSV}R-${i},roof,1,1\n`
      const response = await post(body, `${type}; charset=utf-8`, QUERY)
      t.equal(response.status, 202, type)
    }
  })

  await t.test('file names are kept as they were meant, and are never paths', async t => {
    const names: Record<string, string> = {
      '../../../etc/passwd': 'passwd',
      'C:\\\\data\\\\june.csv': 'june.csv',
      'a\tb\u202Egpj.csv': 'abgpj.csv',
      '%00.csv': '%00.csv',
      "=cmd('x').csv": "=cmd('x').csv",
      '..': 'file-1'
    }
    let n = 0
    for (const [given, kept] of Object.entries(names)) {
      n += 1
      const bytes = Buffer.from(filePart(`${CSV}N-${n},roof,1,1\n`, given) + END, 'utf8')
      const response = await sendRaw({ port: api.port, key: api.admin }, bytes)
      t.equal(response.status, 202, given)
      t.equal(JSON.parse(response.body).files[0].filename, kept, given)
    }
    const encoded = part(`name="file"; filename*=UTF-8''%e2%82%ac%20rates.csv`, `${CSV}N-9,roof,1,1\n`, 'text/csv')
    const response = await sendRaw({ port: api.port, key: api.admin }, encoded + END)
    t.equal(JSON.parse(response.body).files[0].filename, '€ rates.csv')
    const utf8 = await json(await post(await fixture('up05.bin'), CASE_TYPE, QUERY))
    t.equal(utf8.files[0].filename.normalize('NFC'), utf8.files[0].filename)
    t.match(utf8.files[0].filename, /^genehmigungen-März/u)
  })

  await t.test('what is not read ends as one record with its reason, not as a refusal', async t => {
    const faults: [string, Uint8Array<ArrayBuffer>, string][] = [
      [CASE_TYPE, await fixture('up01.bin'), 'FILE_EMPTY'],
      [CASE_TYPE, await fixture('up11-fake.bin'), 'FILE_TYPE_MISMATCH']
    ]
    for (const [type, body, code] of faults) {
      const answer = await json(
        await post(body, type, QUERY.replace('permit', code === 'FILE_EMPTY' ? 'permit' : 'policy'))
      )
      const { rows } = await api.pool.query('select kind, fault, record_count from chunk where batch_id = $1', [
        answer.id
      ])
      t.match(rows, [{ kind: 'fault', fault: { code }, record_count: 1 }], code)
    }
    const program = Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0', 'latin1')
    const answer = await json(await post(program, 'application/octet-stream', `${QUERY}&filename=tool.exe`))
    const { rows } = await api.pool.query('select fault from chunk where batch_id = $1', [answer.id])
    t.match(rows, [{ fault: { code: 'FILE_TYPE_UNSUPPORTED' } }])
  })

  await t.test('a real PDF is one whatever its declared type', async t => {
    const answer = await json(await post(await fixture('up11.bin'), CASE_TYPE, '?profile=policy&jurisdiction=53033'))
    t.equal(answer.files[0].media_type, 'application/pdf')
    const { rows } = await api.pool.query('select kind from chunk where batch_id = $1', [answer.id])
    t.strictSame(rows, [{ kind: 'document' }])
    const { rows: jobs } = await api.pool.query(`select count(*)::int as n from pgboss.job where name = 'document'`)
    t.strictSame(jobs, [{ n: 1 }])
  })

  await t.test('a large data file is left to a split job', async t => {
    const rows = Array.from({ length: 15_000 }, (_, i) => `L-${i},roof,66-${i},1500.00\n`).join('')
    const answer = await json(await post(`${CSV}${rows}`, 'text/csv', QUERY))
    const status = await json(await api.fetch(answer.links.self))
    t.match(status, { total_final: false, counts: { total: 0 }, progress: 0 })
    const { rows: jobs } = await api.pool.query(
      `select data ->> 'subject' as file from pgboss.job where name = 'split'`
    )
    t.strictSame(jobs, [{ file: answer.files[0].id }])
  })

  await t.test('several files of one request are all there, in order', async t => {
    const files = { 'a.csv': `${CSV}M-1,roof,1,1\n`, 'b.csv': `${CSV}M-2,roof,1,1\n`, 'c.csv': '' }
    const answer = await json(await post(formOf(files)))
    t.strictSame(
      answer.files.map(file => file.filename),
      ['a.csv', 'b.csv', 'c.csv']
    )
    const status = await json(await api.fetch(answer.links.self))
    t.match(status.counts, { total: 7, pending: 7 })
  })
})
