import type { ReasonCode } from '../../../src/model/reasons.ts'
import type { ExpectedRecord, SampleFile } from '../manifest.ts'
import type { Permit } from './permit.ts'

/** How one office writes its exports: column names with what stands under them, and the punctuation. */
export interface Dialect {
  readonly columns: readonly (readonly [header: string, cell: (permit: Permit) => string])[]
  readonly delimiter: string
  readonly lineEnd: '\n' | '\r\n'
  readonly byteOrderMark?: true
}

/** Stands in a cell for one byte that is not UTF-8; it is put in after encoding. */
export const BAD_BYTE = '\uE000'

/** A planted fault: what is wrong with which row, and what it must end as. */
export interface RowFault {
  /** From 1. */
  readonly row: number
  readonly state: ExpectedRecord['state']
  readonly code?: ReasonCode
  /** Cells to replace, by header. */
  readonly cells?: Readonly<Record<string, string>>
  /** The line itself in place of the written one. */
  readonly line?: (line: string) => string
}

/** A data file under construction: one text per line, and what its rows must end as. */
export interface Sheet {
  readonly dialect: Dialect
  readonly rows: readonly (readonly string[])[]
  readonly faults: readonly RowFault[]
  /** A last line that is no record of the office, such as a sum. */
  readonly trailer?: string
}

/** The cells of the permits in the dialect's columns. */
export function rowsOf(dialect: Dialect, permits: readonly Permit[]): string[][] {
  return permits.map(permit => dialect.columns.map(([, cell]) => cell(permit)))
}

/** The row with some cells replaced, by header. Throws on a header the dialect has not. */
export function withCells(
  dialect: Dialect,
  row: readonly string[],
  cells: Readonly<Record<string, string>>
): readonly string[] {
  const headers = dialect.columns.map(([header]) => header)
  const changed = [...row]
  for (const [header, text] of Object.entries(cells)) {
    const index = headers.indexOf(header)
    if (index < 0) throw new RangeError(`no column ${header}`)
    changed[index] = text
  }
  return changed
}

/** The finished file. A trailer counts as one more row, which must be held. */
export function delimitedFile(path: string, sheet: Sheet): SampleFile {
  const { dialect, faults, trailer } = sheet
  const lines = sheet.rows.map((row, index) => {
    const fault = faults.find(one => one.row === index + 1)
    const line = lineOf(withCells(dialect, row, fault?.cells ?? {}), dialect.delimiter)
    return fault?.line ? fault.line(line) : line
  })
  const header = lineOf(
    dialect.columns.map(([name]) => name),
    dialect.delimiter
  )
  const all = [header, ...lines, ...(trailer === undefined ? [] : [trailer])]
  const text = `${dialect.byteOrderMark ? '\uFEFF' : ''}${all.join(dialect.lineEnd)}${dialect.lineEnd}`
  const records: ExpectedRecord[] = faults.map(({ row, state, code }) => ({
    file: path,
    row,
    state,
    ...(code && { code })
  }))
  if (trailer !== undefined) records.push({ file: path, row: lines.length + 1, state: 'quarantined' })
  return { path, content: withBadBytes(text), rows: all.length - 1, records }
}

function lineOf(cells: readonly string[], delimiter: string): string {
  const mustQuote = (cell: string): boolean => cell.includes(delimiter) || /["\r\n]/.test(cell)
  return cells.map(cell => (mustQuote(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)
}

function withBadBytes(text: string): Buffer {
  const parts = text.split(BAD_BYTE).map(part => Buffer.from(part, 'utf8'))
  return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [Buffer.of(0xe9), part])))
}
