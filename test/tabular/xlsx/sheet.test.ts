import { randomBytes } from 'node:crypto'
import t from 'tap'
import { ZipFault } from '../../../src/media/unzip.ts'
import type { ReasonCode } from '../../../src/model/reasons.ts'
import { firstPosition } from '../../../src/tabular/split-file.ts'
import { makeZip } from '../../media/zip-builder.ts'
import { outline, readChunk, splitAll } from '../read-all.ts'
import { escapeXml, type MadeWorkbook, makeWorkbook, row, text, workbookParts } from './make-workbook.ts'
import { rowsOf, unpack } from './unpack.ts'

const NAMES = ['permit_number', 'parcel_id', 'permit_type', 'status']
const header = (number: number): string => row(number, NAMES.map(text))
const permit = (number: number, id: string): string => row(number, [id, `22-${number}`, 'roof', 'issued'].map(text))
const sheet = (rows: string, behind?: string): MadeWorkbook => ({
  sheets: [{ name: 'Permits', rows, ...(behind === undefined ? {} : { behind }) }]
})
const merged = (...areas: string[]): string =>
  `<mergeCells>${areas.map(area => `<mergeCell ref="${area}"/>`).join('')}</mergeCells>`
const ids = (rows: readonly { readonly values: readonly unknown[] }[]): unknown[] => rows.map(({ values }) => values[0])

t.test('titles above the header, blank rows, styled blanks and the header again are no records', async t => {
  const blank = '<row r="6"><c r="A6" s="0"/><c r="B6" t="inlineStr"><is><t> </t></is></c></row>'
  const rows = row(1, [text('Permits of June')]) + header(3) + permit(5, 'A') + blank + header(7) + permit(9, 'B')
  t.strictSame(outline(await rowsOf(t, sheet(rows, merged('A1:D1')))), ['1 5 ok', '2 9 ok'])
})

t.test('rows and cells without their numbers stand one behind the other', async t => {
  const plain = (cells: readonly string[]): string =>
    `<row>${cells.map(cell => `<c t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`
  const rows = await rowsOf(t, sheet(plain(NAMES) + plain(['A', 'p', 'roof', 'issued'])))
  t.match(rows, [{ row: 1, line: 2, values: ['A', 'p', 'roof', 'issued'] }])
})

t.test('the first visible sheet is read, or the one that is named, hidden or not', async t => {
  const file: MadeWorkbook = {
    sheets: [
      { name: 'Lists', state: 'veryHidden', rows: header(1) + permit(2, 'HIDDEN') },
      { name: 'June', rows: header(1) + permit(2, 'JUNE') },
      { name: 'July & more', rows: header(1) + permit(2, 'JULY') }
    ]
  }
  const june = await rowsOf(t, file)
  t.strictSame(ids(june), ['JUNE', undefined], 'another one with records is not passed over in silence')
  t.match(june[1]?.fault, { code: 'CONTENT_OUTSIDE_READ', detail: /^sheet 3 of 3 holds records too/ })
  t.strictSame(ids(await rowsOf(t, file, ' july & MORE')), ['JULY'])
  t.strictSame(ids(await rowsOf(t, file, 'Lists')), ['HIDDEN'])
  t.match((await unpack(file)).decision, { ok: true, format: { evidence: { sheet: 2, sheets: 3, rows: 2 } } })
  t.match((await unpack(file, 'May')).decision, { ok: false, fault: { code: 'SHEET_MISSING' } })
})

t.test('a sheet that holds no records is passed over for one that does', async t => {
  const records = header(1) + permit(2, 'A')
  const cover = row(1, [text('City of Example')]) + row(3, [text('Permits of June')])
  for (const rows of [
    '',
    cover,
    row(1, [text('status'), text('Meaning')]) + row(2, ['open', 'in work'].map(text)),
    header(1)
  ]) {
    const file = {
      sheets: [
        { name: 'Sheet1', rows },
        { name: 'Data', rows: records }
      ]
    }
    t.strictSame(ids(await rowsOf(t, file)), ['A'], rows.slice(0, 40))
    t.match((await unpack(file)).decision, { ok: true, format: { evidence: { sheet: 2 } } })
  }
  const listsBehind = {
    sheets: [
      { name: 'Data', rows: records },
      { name: 'Lists', rows: cover },
      { name: 'Empty', rows: '' }
    ]
  }
  t.strictSame(ids(await rowsOf(t, listsBehind)), ['A'], 'and nothing is said of sheets without records')
  const none = {
    sheets: [
      { name: 'A', rows: cover },
      { name: 'B', rows: cover }
    ]
  }
  t.match((await unpack(none)).decision, { ok: false, fault: { code: 'HEADER_MISSING' } })
})

t.test('hidden rows are records like others, and counted', async t => {
  const hidden = row(2, ['A', '22', 'roof', 'issued'].map(text), 'hidden="1"')
  const { decision } = await unpack(sheet(header(1) + hidden + permit(3, 'B')))
  t.match(decision, { ok: true, format: { evidence: { hidden_rows: 1 } } })
  t.strictSame(ids(await rowsOf(t, sheet(header(1) + hidden + permit(3, 'B')))), ['A', 'B'])
})

t.test('merged header cells name every column they lie over', async t => {
  const top = row(1, [text('permit_number'), text('parcel_id'), '', text('status')])
  const values = (b: string, c: string): string => row(2, ['A', b, c, 'issued'].map(text))
  const over = merged('B1:C1')
  t.match(await rowsOf(t, sheet(top + values('22-1', '22-1'), over)), [
    { names: ['permit_number', 'parcel_id', 'status'], values: ['A', '22-1', 'issued'] }
  ])
  t.match(await rowsOf(t, sheet(top + values('22-1', '22-9'), over)), [
    { fault: { code: 'DUPLICATE_HEADER', detail: 'columns B “parcel_id” and C “parcel_id”' } }
  ])
})

t.test('a header of two rows: group titles over column titles', async t => {
  const rows =
    row(1, [text('permit_number'), text('parcel_id'), text('valuation'), '', text('status')]) +
    row(2, ['', '', text('land'), text('building'), '']) +
    row(3, ['A', '22', '1', '2', 'issued'].map(text))
  const found = await rowsOf(t, sheet(rows, merged('A1:A2', 'B1:B2', 'C1:D1', 'E1:E2')))
  t.match(found, [
    { row: 1, line: 3, names: ['permit_number', 'parcel_id', 'valuation land', 'valuation building', 'status'] }
  ])
})

t.test('rows under merged cells are held: what belongs to them is not clear', async t => {
  const rows = header(1) + [2, 3, 4, 5, 6].map(n => permit(n, `P-${n}`)).join('')
  t.strictSame(outline(await rowsOf(t, sheet(rows, merged('B3:B4', 'Z2:Z6', 'C6:D6')))), [
    '1 2 ok',
    '2 3 MERGED_CELLS',
    '3 4 MERGED_CELLS',
    '4 5 ok',
    '5 6 MERGED_CELLS'
  ])
})

t.test('cells beyond the last named column hold their row, empty ones do not', async t => {
  const rows =
    header(1) +
    row(
      2,
      ['A', 'b', 'c', 'd', '', 'note'].map(cell => (cell ? text(cell) : ''))
    )
  const more = row(3, [...['B', 'b', 'c', 'd'].map(text), text(' ')])
  t.match(await rowsOf(t, sheet(rows + more)), [
    { fault: { code: 'COLUMN_COUNT_MISMATCH', detail: 'cell F2 stands under no column name' } },
    { values: ['B', 'b', 'c', 'd'] }
  ])
})

t.test('rows that add up others are held, wherever their label stands; names that begin so are not', async t => {
  const cells = (number: number, ...shown: string[]): string =>
    row(
      number,
      shown.map(cell => (/^\d+$/.test(cell) ? `<v>${cell}</v>` : text(cell)))
    )
  const rows = await rowsOf(
    t,
    sheet(
      header(1) +
        cells(2, 'A', '22', 'roof', 'Total Roofing LLC') +
        cells(3, 'Totals Ltd', '23', 'roof', 'issued') +
        cells(4, 'Grand Total:', '2', '', '') +
        cells(5, '', '', 'Total', '300') +
        cells(6, 'Number of permits: 2', '', '', '')
    )
  )
  t.strictSame(outline(rows), ['1 2 ok', '2 3 ok', '3 4 ROW_UNPARSABLE', '4 5 ROW_UNPARSABLE', '5 6 ROW_UNPARSABLE'])
  t.equal(rows[2]?.fault?.detail, 'a summary row')
})

t.test('rows under another header are held', async t => {
  const other = row(3, [text('status'), text('permit_number'), text('parcel_id'), text('fee')])
  t.strictSame(outline(await rowsOf(t, sheet(header(1) + permit(2, 'A') + other + permit(4, 'B')))), [
    '1 2 ok',
    '2 3 ROW_UNPARSABLE',
    '3 4 ROW_UNPARSABLE'
  ])
})

t.test('a row too large or too wide is held alone', async t => {
  const long = Array.from({ length: 40 }, () => text(randomBytes(16_000).toString('hex')))
  const wide = `<row r="3"><c r="A3"><v>1</v></c><c r="XFD3"><v>1</v></c></row>`
  const rows = header(1) + row(2, long) + wide + permit(4, 'A')
  t.strictSame(outline(await rowsOf(t, sheet(rows))), ['1 2 RECORD_TOO_LARGE', '2 3 ROW_UNPARSABLE', '3 4 ok'])
})

const sample = (): MadeWorkbook => sheet(header(1) + permit(2, 'A'))
const withPart = (name: string, content: string | null): MadeWorkbook => ({ ...sample(), parts: { [name]: content } })
const SHEET = 'xl/worksheets/sheet1.xml'

const FAULTS: readonly [string, MadeWorkbook | Buffer, ReasonCode][] = [
  ['no sheet part', withPart(SHEET, null), 'FILE_CORRUPT'],
  ['no list of sheets', withPart('xl/workbook.xml', null), 'FILE_CORRUPT'],
  ['XML cut off', withPart(SHEET, '<worksheet><sheetData><row r="1">'), 'FILE_CORRUPT'],
  ['a sheet that is none', withPart(SHEET, '<worksheet/>'), 'FILE_CORRUPT'],
  ['bytes that are no text', withPart(SHEET, '<worksheet>\u0001</worksheet>'), 'FILE_CORRUPT'],
  ['a document type', withPart(SHEET, '<!DOCTYPE a [<!ENTITY b "c">]><worksheet><sheetData/></worksheet>'), 'FILE_CORRUPT'],
  ['deep nesting', withPart(SHEET, '<a>'.repeat(10_000)), 'FILE_CORRUPT'],
  ['a text that is not there', sheet(header(1) + row(2, ['t="s"|<v>7</v>'])), 'FILE_CORRUPT'],
  ['rows out of order', sheet(header(2) + permit(1, 'A')), 'FILE_CORRUPT'],
  ['cells out of order', sheet(`<row r="1"><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row>`), 'FILE_CORRUPT'],
  ['a reference that is none', sheet(`<row r="1"><c r="AAAA1"><v>1</v></c></row>`), 'FILE_CORRUPT'],
  ['a binary workbook', withPart('_rels/.rels', workbookParts(sample())['_rels/.rels']?.replace('workbook.xml', 'workbook.bin') ?? ''), 'FILE_TYPE_UNSUPPORTED'],
  ['no rows', sheet(''), 'FILE_EMPTY'],
  ['no header', sheet(row(1, ['<v>1</v>', '<v>2</v>']) + row(2, ['<v>1</v>', '<v>2</v>'])), 'HEADER_MISSING'],
  ['only hidden sheets', { sheets: [{ name: 'a', state: 'hidden', rows: header(1) }] }, 'SHEET_MISSING']
] // biome-ignore format: a table

for (const [name, file, code] of FAULTS) {
  t.test(`refused whole: ${name}`, async t => {
    t.match((await unpack(file)).decision, { ok: false, fault: { code } })
  })
}

t.test('an archive that is damaged, locked or a bomb', async t => {
  const entries = Object.entries(workbookParts(sample())).map(([name, content]) => ({
    name,
    content: Buffer.from(content)
  }))
  const bomb = withPart(SHEET, `<worksheet><sheetData>${' '.repeat(20e6)}</sheetData></worksheet>`)
  const reasonOf = (file: Buffer | MadeWorkbook): Promise<unknown> =>
    unpack(file).then(
      () => null,
      error => (error instanceof ZipFault ? error.reason : error)
    )
  t.equal(await reasonOf(makeWorkbook(sample()).subarray(0, 900)), 'FILE_CORRUPT')
  t.equal(await reasonOf(makeZip(entries.map(entry => ({ ...entry, crc: 1 })))), 'FILE_CORRUPT')
  t.equal(await reasonOf(makeZip(entries.map(entry => ({ ...entry, flags: 1 })))), 'FILE_ENCRYPTED')
  t.equal(await reasonOf(bomb), 'FILE_TOO_LARGE')
})

t.test('prefixed names and UTF-16 read the same', async t => {
  const { [SHEET]: plain = '' } = workbookParts(sample())
  const prefixed = plain.replace(/<(\/?)(?=[a-z])/g, '<$1x:').replace('xmlns=', 'xmlns:x=')
  t.strictSame(ids(await rowsOf(t, withPart(SHEET, prefixed))), ['A'])
  const parts = workbookParts(sample())
  const zip = makeZip(
    Object.entries(parts).map(([name, content]) => ({
      name,
      content:
        name === SHEET ? Buffer.from(`\ufeff${content.replace('UTF-8', 'UTF-16')}`, 'utf16le') : Buffer.from(content)
    }))
  )
  t.strictSame(ids(await rowsOf(t, zip)), ['A'])
})

t.test('chunks read again what splitting saw, from any position, in the same way each time', async t => {
  let rows = header(1)
  for (let n = 2; n < 1500; n++) {
    if (n === 700) rows += header(n)
    else if (n % 97 === 0) rows += row(n, [text(`E-${n}`), 't="e"|<v>#REF!</v>'])
    else if (n % 13 !== 0) rows += permit(n, escapeXml(`Ä-${n}\n"x"`))
  }
  const { decision, bytes } = await unpack(sheet(rows, merged('A900:A903')))
  if (!decision.ok) throw new Error(decision.fault.code)
  const { format } = decision
  t.strictSame((await unpack(sheet(rows, merged('A900:A903')))).bytes, bytes)
  const bounds = { records: 100, bytes: 25e6 }
  const all = await splitAll(bytes, format, { bounds })
  const again = []
  for (const chunk of all.chunks) again.push(...(await readChunk(bytes, format, chunk, 777)))
  t.strictSame(again, all.rows)
  const third = all.chunks[2]
  const rest = await splitAll(bytes, format, { bounds, from: third?.next ?? firstPosition(format), blockBytes: 999 })
  t.strictSame(rest.chunks, all.chunks.slice(3))
})
