import { rm, truncate, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import t from 'tap'
import { verify } from '../../src/audit/verify/verify.ts'
import { sweepSpool } from '../../src/intake/sweep-spool.ts'
import { type PayloadStore, unpackedKey } from '../../src/storage/payload-store.ts'
import { formOf } from '../api/bodies.ts'
import { outcomeOf } from '../conformance/case-files.ts'
import { type Deployment, testDeployment } from '../conformance/deployment.ts'
import { JURISDICTION } from '../helpers/factory.ts'
import { testPipeline } from '../helpers/pipeline.ts'
import { makeZip } from '../media/zip-builder.ts'
import { type MadeWorkbook, makeWorkbook, row, text, workbookParts } from '../tabular/xlsx/make-workbook.ts'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const HEADER = row(1, ['Permit Number', 'Permit Type', 'Parcel Number', 'Issued Date', 'Valuation'].map(text))
const permit = (n: number, cells: readonly string[] = []): string =>
  row(n, [
    cells[0] ?? text(`P-${n}`),
    cells[1] ?? 't="s"|<v>0</v>',
    cells[2] ?? '<v>12345678901234567</v>',
    cells[3] ?? 's="1"|<v>45356</v>',
    cells[4] ?? '<v>1234.5599999999999</v>'
  ])
const workbook = (rows: string, more: Partial<MadeWorkbook> = {}): MadeWorkbook => ({
  sheets: [{ name: 'Permits', rows: HEADER + rows }],
  shared: ['<t>roof</t>'],
  formats: [14],
  ...more
})

async function send(deployment: Deployment, bytes: Buffer, more = '') {
  const response = await deployment.api.fetch(`/v1/batches?profile=permit&jurisdiction=53033${more}`, {
    method: 'POST',
    headers: { 'content-type': XLSX },
    body: new Uint8Array(bytes)
  })
  return outcomeOf(deployment, response)
}

const codesOf = (record: { readonly reasons: readonly { readonly code: string }[] }): string[] =>
  record.reasons.map(({ code }) => code)

t.test('a workbook over HTTP', async t => {
  const deployment = await testDeployment(t)
  const verified = async (): Promise<unknown> => {
    const { pool, store } = deployment.api
    return (await verify({ pool, store, payloads: true })).offenders
  }

  await t.test('typed cells become values, each with its sheet row as its line', async t => {
    const rows =
      permit(3) +
      permit(4, [text('P-4'), 't="e"|<v>#N/A</v>']) +
      permit(6, [text('P-6'), text('deck'), text('0042-1'), 's="1"|<v>60</v>']) +
      permit(7, [text('P-7'), text('deck'), text('0042-1'), text('2024-03-05'), '<f>A1*2</f>'])
    const { http, batch, records = [] } = await send(deployment, makeWorkbook(workbook(rows)))
    t.equal(http, 202)
    t.match(batch?.counts, { total: 4, accepted: 1, quarantined: 3 })
    t.match(
      records.map(record => [record.row, record.line, record.state, codesOf(record)[0]]),
      [
        [1, 3, 'accepted', undefined],
        [2, 4, 'quarantined', 'CELL_ERROR'],
        [3, 6, 'quarantined', 'INVALID_DATE'],
        [4, 7, 'quarantined', 'FORMULA_NOT_CALCULATED']
      ]
    )
    const value = (field: string): unknown => records[0]?.fields[field]?.value
    t.strictSame(['submission_id', 'permit_type_code', 'parcel_id', 'issued_date', 'project_valuation'].map(value), [
      'P-3',
      'roof',
      '12345678901234567',
      '2024-03-05',
      '1234.56'
    ])
    t.match(records[1]?.reasons[0]?.message, /in cell B4/)
    t.strictSame(await verified(), [])
  })

  await t.test('a sheet that is named is another batch; one that is not there is said so', async t => {
    const bytes = makeWorkbook(
      workbook(permit(2), {
        sheets: [
          { name: 'June', rows: HEADER + permit(2, [text('JUNE-1')]) },
          { name: 'July', rows: HEADER + permit(2, [text('JULY-1')]) }
        ]
      })
    )
    const idOf = async (more: string) =>
      (await send(deployment, bytes, more)).records?.[0]?.fields['submission_id']?.value
    t.equal(await idOf(''), 'JUNE-1')
    t.equal(await idOf('&sheet=july'), 'JULY-1')
    t.match((await send(deployment, bytes, '&sheet=May')).records, [
      { state: 'quarantined', reasons: [{ code: 'SHEET_MISSING' }] }
    ])
    const refused = await deployment.api.fetch('/v1/batches', {
      method: 'POST',
      body: formOf(
        { 'a.xlsx': new Uint8Array(bytes) },
        { profile: 'permit', jurisdiction: '53033', sheet: 'x'.repeat(101) }
      )
    })
    t.equal(refused.status, 422)
  })

  await t.test('held rows come back as a table of the columns of the sheet', async t => {
    const rows = permit(2, [text('H-2'), '', '', text('2024-02-30'), '<v>0.5</v>']) + permit(3, [text('H-3')])
    const { batch } = await send(deployment, makeWorkbook(workbook(rows)))
    const answer = await deployment.api.fetch(`/v1/batches/${batch?.id}/errors.csv`)
    const lines = (await answer.text()).split('\r\n')
    t.match(lines[0], /^Permit Number,Permit Type,Parcel Number,Issued Date,Valuation,_record_id,_line,/)
    t.match(lines[1], /^H-2,,,2024-02-30,0\.5,[-0-9a-f]{36},2,/)
    t.strictSame(lines.slice(2), [''])
  })

  await t.test('a workbook can be tried out', async t => {
    const { batch, records = [] } = await send(
      deployment,
      makeWorkbook(workbook(permit(2, [text('DRY-1')]))),
      '&dry_run=true'
    )
    t.match(batch?.counts, { total: 1, accepted: 1 })
    t.match(records, [{ line: 2, state: 'accepted' }])
    const { rows } = await deployment.api.pool.query(`select 1 from canonical_record where natural_key like '%dry-1%'`)
    t.strictSame(rows, [], 'and nothing is committed')
  })

  await t.test('one known word by chance is no header', async t => {
    const rows =
      row(1, [text('Status'), text('Permit No (county)'), text('Memo')]) + row(2, ['open', 'A', 'b'].map(text))
    const { records } = await send(deployment, makeWorkbook({ sheets: [{ name: 'a', rows }] }))
    t.match(records, [{ row: null, reasons: [{ code: 'HEADER_MISSING' }] }])
  })

  await t.test('what is no workbook that can be read is one record with its reason', async t => {
    const ole = (...names: string[]): Buffer =>
      Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.alloc(1000),
        ...names.map(name => Buffer.from(`${name}\0`, 'utf16le'))
      ])
    const parts = Object.entries(workbookParts(workbook(permit(2))))
    const zip = (lie: object): Buffer =>
      makeZip(parts.map(([name, content]) => ({ name, content: Buffer.from(content), ...lie })))
    const bomb = workbook(permit(2), { parts: { 'xl/styles.xml': `<styleSheet>${' '.repeat(50e6)}</styleSheet>` } })
    const ods = makeZip([{ name: 'a', content: Buffer.from('a') }])
    Buffer.from('mimetypeapplication/vnd.oasis.opendocument.spreadsheet').copy(ods, 30)
    const files: readonly [string, Buffer, string, RegExp][] = [
      ['locked.xlsx', ole('EncryptionInfo', 'EncryptedPackage'), 'FILE_ENCRYPTED', /password/],
      ['old.xls', ole('Workbook'), 'FILE_TYPE_UNSUPPORTED', /save it as \.xlsx or CSV/],
      ['old.xlsx', ole('Workbook'), 'FILE_TYPE_UNSUPPORTED', /save it as \.xlsx or CSV/],
      ['open.ods', Buffer.concat([ods, Buffer.alloc(100)]), 'FILE_TYPE_UNSUPPORTED', /save it as \.xlsx or CSV/],
      ['cut.xlsx', makeWorkbook(workbook(permit(2))).subarray(0, 900), 'FILE_CORRUPT', /damaged/],
      ['altered.xlsx', zip({ crc: 7 }), 'FILE_CORRUPT', /damaged/],
      ['parts.xlsx', zip({ flags: 1 }), 'FILE_ENCRYPTED', /password/],
      ['bomb.xlsx', makeWorkbook(bomb), 'FILE_TOO_LARGE', /larger/],
      ['xml.xlsx', makeWorkbook(workbook('<row r="2"><c')), 'FILE_CORRUPT', /well-formed/],
      ['empty.xlsx', makeWorkbook({ sheets: [{ name: 'a', rows: '' }] }), 'FILE_EMPTY', /no records/],
      ['headless.xlsx', makeWorkbook({ sheets: [{ name: 'a', rows: row(1, ['<v>1</v>', '<v>2</v>']) }] }), 'HEADER_MISSING', /./]
    ] // biome-ignore format: a table
    const body = formOf(Object.fromEntries(files.map(([name, bytes]) => [name, new Uint8Array(bytes)])))
    const { records = [] } = await outcomeOf(
      deployment,
      await deployment.api.fetch('/v1/batches', { method: 'POST', body })
    )
    t.strictSame(
      records.map(record => [record.filename, codesOf(record)[0]]),
      files.map(([name, , code]) => [name, code])
    )
    for (const [at, [name, , , message]] of files.entries()) t.match(records[at]?.reasons[0]?.message, message, name)
    t.strictSame(await verified(), [])
  })
})

t.test('a workbook of many chunks is split once, and read from what was unpacked', async t => {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '100' })
  p.work()
  const { pool } = p
  const { store, logger } = p.deps
  let rows = ''
  for (let n = 2; n < 1502; n++) rows += permit(n)
  const { id } = await p.submit([{ name: 'permits.xlsx', bytes: makeWorkbook(workbook(rows)), type: XLSX }])
  await p.finished(id)
  const records = await p.records(id)
  t.strictSame(
    records.map(({ item, line, state }) => [item, line, state]),
    Array.from({ length: 1500 }, (_, n) => [n + 1, n + 2, 'accepted'])
  )
  t.strictSame((await pool.query('select count(*)::int as n from chunk')).rows, [{ n: 15 }])

  const { rows: files } = await pool.query<{ id: string; unpacked: string }>(
    `select id, format -> 'unpacked' ->> 'uri' as unpacked from file`
  )
  const { id: file = '', unpacked = '' } = files[0] ?? {}
  const pathOf = (uri: string): string => join(p.config.payloadFolder, uri.slice('file:'.length))
  const left = { spooled: await spooled(store), key: unpackedKey(JURISDICTION, file.replace(/^./, 'f')) }
  const [leftUri = ''] = await store.commit([left])
  const ago = new Date(Date.now() - 3 * 86_400_000)
  for (const uri of [unpacked, leftUri]) await utimes(pathOf(uri), ago, ago)
  const offenders = async () =>
    (await verify({ pool, store, payloads: true })).offenders.map(({ check, subject }) => [check, subject])
  t.strictSame(await offenders(), [['payload-orphan', left.key]], 'what belongs to no file is told')
  const sweep = await sweepSpool({ pool, store, logger, now: () => new Date() })
  t.equal(sweep.payloads, 1, 'and removed, while what a file uses stays')
  t.strictSame(await offenders(), [])
  await truncate(pathOf(unpacked), 100)
  t.strictSame(await offenders(), [['payload-size', file]])
  await rm(pathOf(unpacked))
  t.strictSame(await offenders(), [['payload-missing', file]])
})

async function spooled(store: PayloadStore) {
  const spool = store.createSpool({ limitBytes: 100 })
  await pipeline(Readable.from([Buffer.from('left')]), spool)
  return spool.result()
}
