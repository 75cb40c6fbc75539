import { zipOf } from '../documents/zip.ts'
import type { ExpectedRecord, SampleFile } from '../manifest.ts'
import type { Dialect, RowFault } from './delimited.ts'
import { withCells } from './delimited.ts'

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The second cell format is a date. */
const STYLES = `<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`

const relation = (id: number, kind: string, target: string): string =>
  `<Relationship Id="rId${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`

const relations = (...all: readonly string[]): string =>
  `<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`

const CONTENT_TYPES = `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/></Types>`

const WORKBOOK = `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Permits" sheetId="1" r:id="rId1"/></sheets></workbook>`

const DAY_MS = 86_400_000
/** Day 0 of the calendar of workbooks, as it counts from March 1900 on. */
const DAY_ZERO = Date.UTC(1899, 11, 30)

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const letterOf = (column: number): string => String.fromCharCode(65 + column)

/** The day's number in the workbook's calendar; undefined for text that is no day. */
function dayNumber(text: string): number | undefined {
  const at = Date.parse(`${text}T00:00:00Z`)
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(at)) return undefined
  return new Date(at).toISOString().startsWith(text) ? (at - DAY_ZERO) / DAY_MS : undefined
}

/** Days as numbers that are shown as days, amounts as numbers, all else as text: as an office keeps them. */
function cellOf(header: string, text: string, place: string): string {
  if (text === '') return ''
  const day = header.endsWith('Date') ? dayNumber(text) : undefined
  if (day !== undefined) return `<c r="${place}" s="1"><v>${day}</v></c>`
  if (header === 'EstProjectCost' && /^-?\d+(?:\.\d+)?$/.test(text)) return `<c r="${place}"><v>${Number(text)}</v></c>`
  return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`
}

function sheetOf(dialect: Dialect, rows: readonly (readonly string[])[]): string {
  const headers = dialect.columns.map(([header]) => header)
  const lines = [headers, ...rows].map((cells, index) => {
    const made = cells.map((text, column) =>
      cellOf(index === 0 ? '' : (headers[column] ?? ''), text, `${letterOf(column)}${index + 1}`)
    )
    return `<row r="${index + 1}">${made.join('')}</row>`
  })
  return `<worksheet xmlns="${MAIN}"><sheetData>${lines.join('')}</sheetData></worksheet>`
}

/** A workbook of one sheet with the dialect's columns, of at most 26. */
export function workbookFile(
  path: string,
  sheet: {
    readonly dialect: Dialect
    readonly rows: readonly (readonly string[])[]
    readonly faults: readonly RowFault[]
  }
): SampleFile {
  const rows = sheet.rows.map((row, index) => {
    const fault = sheet.faults.find(one => one.row === index + 1)
    return withCells(sheet.dialect, row, fault?.cells ?? {})
  })
  const parts: readonly (readonly [string, string])[] = [
    ['[Content_Types].xml', CONTENT_TYPES],
    ['_rels/.rels', relations(relation(1, 'officeDocument', 'xl/workbook.xml'))],
    ['xl/workbook.xml', WORKBOOK],
    [
      'xl/_rels/workbook.xml.rels',
      relations(relation(1, 'worksheet', 'worksheets/sheet1.xml'), relation(2, 'styles', 'styles.xml'))
    ],
    ['xl/styles.xml', STYLES],
    ['xl/worksheets/sheet1.xml', sheetOf(sheet.dialect, rows)]
  ]
  const records = sheet.faults.map(
    ({ row, state, code }): ExpectedRecord => ({ file: path, row, state, ...(code && { code }) })
  )
  const content = zipOf(parts.map(([name, text]) => [name, Buffer.from(XML + text)] as const))
  return { path, content, rows: rows.length, records }
}

/** An archive of sound files, with what a Mac leaves beside them. */
export function archiveFile(path: string, files: readonly SampleFile[]): SampleFile {
  if (files.some(file => file.records.length > 0)) throw new RangeError('records in an archive have no place to name')
  const left = [['__MACOSX/._permits', Buffer.from('left by a Mac')]] as const
  const content = zipOf([...files.map(file => [file.path, file.content] as const), ...left])
  return { path, content, rows: files.reduce((sum, file) => sum + file.rows, 0), records: [] }
}
