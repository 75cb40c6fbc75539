import { connect } from 'node:net'
import { type Test, test } from 'tap'
import { json, TEST_LIMITS, type TestApi, testApi } from '../../helpers/app.ts'
import { until } from '../../helpers/worker-process.ts'
import { CASE_TYPE, CSV, END, filePart, fixture, formOf, part, sendRaw } from '../bodies.ts'

const QUERY = '/v1/batches?profile=permit&jurisdiction=53033'

async function assertNothingKept(t: Test, api: TestApi, name: string): Promise<void> {
  const { rows } = await api.pool.query(
    `select (select count(*) from batch)::int as batches, (select count(*) from file)::int as files,
       (select count(*) from chunk)::int as chunks, (select count(*) from audit_entry)::int as entries,
       (select count(*) from submission_key)::int as keys`
  )
  t.strictSame(rows, [{ batches: 0, files: 0, chunks: 0, entries: 0, keys: 0 }], `${name}: no rows`)
  t.strictSame(await api.files(), [], `${name}: no files`)
}

test('bodies that are refused whole', async t => {
  const api = await testApi(t)
  const send = { port: api.port, key: api.admin }
  const ok = filePart()

  const malformed: Record<string, [string, string?]> = {
    'no closing boundary': [ok],
    'cut in the middle of a file': [ok.slice(0, 150)],
    'cut in a part header': [ok.slice(0, 40)],
    'empty body': [''],
    'only the closing boundary': [END],
    'only fields': [part('name="profile"', 'permit') + END],
    'another boundary': [ok.replaceAll('--X', '--Y') + '--Y--\r\n'],
    'no boundary': [ok + END, 'multipart/form-data'],
    'boundary too long': [ok + END, `multipart/form-data; boundary=${'b'.repeat(71)}`],
    'a name of the prototype': [`${part('name="__proto__"', '1')}${ok}${END}`],
    'a part without a header': [`--X\r\n\r\nx\r\n${ok}${END}`],
    'a folded part header': [`--X\r\n Content-Disposition: form-data; name="z"\r\n\r\n1\r\n${ok}${END}`],
    'a part that is not form-data': [`--X\r\nContent-Disposition: attachment; name="z"\r\n\r\n1\r\n${ok}${END}`],
    'a part header that never ends': [`--X\r\nContent-Disposition: form-data; name="f"; filename="${'a'.repeat(2000)}`],
    'no part headers at all': ['x'.repeat(5000)],
    'bytes that are not multipart': ['\0\xff'.repeat(500)]
  }
  for (const [name, [body, contentType]] of Object.entries(malformed)) {
    const response = await sendRaw({ ...send, ...(contentType ? { contentType } : {}) }, body)
    t.equal(response.status, 400, name)
    t.match(JSON.parse(response.body), { code: /^BODY_/, status: 400, request_id: /./ }, name)
  }
  await assertNothingKept(t, api, 'malformed')

  await t.test('the header that made a parser hang for ever ends', async t => {
    const body = `--X\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: text/plain\r\n${'y'.repeat(80)}`
    const response = await sendRaw(send, body)
    t.equal(response.status, 400)
  })

  await t.test('cases of bodies without a boundary or without bytes', async t => {
    const without = await sendRaw({ ...send, contentType: 'multipart/form-data' }, await fixture('up07.bin'))
    t.equal(without.status, 400)
    t.equal((await sendRaw({ ...send, contentType: CASE_TYPE }, '')).status, 400)
    for (const type of ['text/csv', 'application/json', 'application/pdf']) {
      const empty = await sendRaw({ ...send, contentType: type }, '')
      t.equal(empty.status, 400, type)
      t.equal(JSON.parse(empty.body).code, 'BODY_EMPTY', type)
    }
  })

  await t.test('a body cut at any offset is never taken', async t => {
    const whole = Buffer.from(part('name="source"', 'portal') + ok + filePart(`${CSV}Z,1,2,3\n`, 'b.csv') + END)
    const statuses = new Map<number, number>()
    // The closing CRLF is not part of the closing boundary.
    for (let length = 0; length < whole.length - 2; length += 1) {
      const { status } = await sendRaw(send, whole.subarray(0, length))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    t.strictSame([...statuses.keys()], [400], JSON.stringify([...statuses]))
    for (let length = 1; length < whole.length; length += 53) {
      const { status } = await sendRaw({ ...send, length: whole.length, halfClose: true }, whole.subarray(0, length))
      t.ok(status === 0 || status === 400, `aborted at ${length}: ${status}`)
    }
    // A client that broke off sees no answer: what it had sent is removed a moment after it is gone.
    await until(async () => (await api.files()).length === 0)
    await assertNothingKept(t, api, 'cut')
  })

  await t.test('types that are not read, and encoded bodies', async t => {
    for (const contentType of ['application/xml', 'image/heic', 'text/html', 'text/csv2', 'nonsense']) {
      const response = await sendRaw({ ...send, contentType }, CSV)
      t.equal(response.status, 415, contentType)
      t.equal(JSON.parse(response.body).code, 'MEDIA_TYPE_UNSUPPORTED')
    }
    const brotli = await sendRaw({ ...send, contentType: 'text/csv', headers: { 'content-encoding': 'br' } }, CSV)
    t.equal(brotli.status, 415)
    const form = { ...send, headers: { 'content-encoding': 'gzip' } }
    t.equal((await sendRaw(form, filePart() + END)).status, 415, 'a form in gzip')
  })

  await t.test('fields that are missing or not allowed', async t => {
    const wrong: [string, string][] = [
      ['profile=nonsense&jurisdiction=53033', 'PROFILE_UNKNOWN'],
      ['jurisdiction=53033', 'FIELD_INVALID'],
      ['profile=permit', 'JURISDICTION_INVALID'],
      ['profile=permit&jurisdiction=5303', 'JURISDICTION_INVALID'],
      ['profile=permit&jurisdiction=../x', 'JURISDICTION_INVALID'],
      ['profile=permit&jurisdiction=53033&lane=fast', 'FIELD_INVALID'],
      ['profile=permit&jurisdiction=53033&source=%00', 'FIELD_INVALID'],
      ['profile=permit&jurisdiction=53033&force=maybe', 'FIELD_INVALID']
    ]
    for (const [query, code] of wrong) {
      const response = await sendRaw({ ...send, path: `/v1/batches?${query}` }, ok + END)
      t.equal(response.status, 422, query)
      t.equal(JSON.parse(response.body).code, code, query)
      t.notMatch(response.body, /nonsense|fast|maybe/, 'no value is repeated')
    }
  })

  await t.test('a file sent without a file name is not dropped beside another', async t => {
    for (const content of [CSV, CSV.repeat(200)]) {
      const response = await sendRaw(send, ok + part('name="file"', content, 'text/csv') + END)
      t.equal(response.status, 422)
      t.match(JSON.parse(response.body), { code: 'FIELD_INVALID', field: 'file' })
    }
  })
  await assertNothingKept(t, api, 'in the end')
})

test('limits hold exactly', async t => {
  const api = await testApi(t, { limits: { requestBytes: 2_500_000 } })
  const post = (body: FormData) => api.fetch(QUERY, { method: 'POST', body })
  const code = async (response: Response) => `${response.status} ${(await json(response)).code ?? ''}`.trim()
  const bytes = (size: number): Buffer<ArrayBuffer> => Buffer.alloc(size, CSV)

  const raw = (size: number) =>
    api.fetch(QUERY, { method: 'POST', body: bytes(size), headers: { 'content-type': 'text/csv' } })
  t.equal(await code(await raw(TEST_LIMITS.fileBytes)), '202')
  t.equal(await code(await raw(TEST_LIMITS.fileBytes + 1)), '413 FILE_TOO_LARGE')
  t.equal(await code(await post(formOf({ 'a.csv': bytes(TEST_LIMITS.fileBytes) }))), '202')
  t.equal(await code(await post(formOf({ 'a.csv': bytes(TEST_LIMITS.fileBytes + 1) }))), '413 FILE_TOO_LARGE')
  t.equal(await code(await post(formOf({ 'a.csv': bytes(TEST_LIMITS.fileBytes + 1) }))), '413 FILE_TOO_LARGE', 'again')
  const before = (await api.files()).length

  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.csv`, `${CSV}F-${i},roof,1,1\n`]))
  t.equal(await code(await post(formOf(many(TEST_LIMITS.parts)))), '202')
  t.equal(await code(await post(formOf(many(TEST_LIMITS.parts + 1)))), '413 TOO_MANY_PARTS')

  const three = { 'a.csv': bytes(900_000), 'b.csv': bytes(900_001), 'c.csv': bytes(900_002) }
  t.equal(await code(await post(formOf(three))), '413 REQUEST_TOO_LARGE')
  const stream = {
    method: 'POST',
    body: new Blob([filePart(bytes(900_000).toString()).repeat(4) + END]).stream(),
    headers: { 'content-type': 'multipart/form-data; boundary=X' },
    duplex: 'half' as const
  }
  const chunked = await api.fetch(QUERY, stream)
  t.equal(await code(chunked), '413 REQUEST_TOO_LARGE', 'without a Content-Length')
  t.equal(await code(await post(formOf({ 'a.csv': CSV }, { source: 'x'.repeat(5000) }))), '413 REQUEST_TOO_LARGE')
  t.equal((await api.files()).length, before + TEST_LIMITS.parts, 'refused requests left nothing')
})

test('a client that is too slow is cut, and others are served meanwhile', async t => {
  const api = await testApi(t, {
    limits: {
      stallMs: 300,
      minBytesPerSecond: 1000,
      headersTimeoutMs: 400,
      requestTimeoutMs: 3000,
      connectionsCheckMs: 50,
      lingerMs: 200
    }
  })
  const open = (first: string) =>
    new Promise<string>(resolve => {
      const socket = connect(api.port, '127.0.0.1')
      let answer = ''
      socket.on('data', block => {
        answer += block.toString()
      })
      socket.on('error', () => undefined)
      socket.on('close', () => {
        clearInterval(drip)
        resolve(answer)
      })
      socket.write(first)
      const drip = setInterval(() => socket.write('x'), 100)
    })
  const head = `POST ${QUERY} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.admin}\r\nContent-Length: 100000\r\n`
  const slow = [
    open(`${head}Content-Type: text/csv\r\n\r\n`),
    open(`${head}Content-Type: multipart/form-data; boundary=X\r\n\r\n${filePart().slice(0, 120)}`),
    open('POST /v1/batches HTTP/1.1\r\nHost: a\r\nX-')
  ]
  t.equal((await api.fetch(QUERY, { method: 'POST', body: formOf({ 'a.csv': CSV }) })).status, 202)
  const [rawBody, multipart, headers] = await Promise.all(slow)
  t.match(rawBody, /^HTTP\/1\.1 400 .*BODY_TRUNCATED/s)
  t.match(multipart, /^HTTP\/1\.1 400 .*BODY_TRUNCATED/s)
  t.match(headers, /^HTTP\/1\.1 408 /)
  t.equal((await api.files()).length, 1, 'only the honest file is there')
})
