import type { RawRow, RawValue } from '../../src/model/rows.ts'
import { permit } from '../../src/profiles/permit/permit.ts'
import { rowMapper } from '../../src/profiles/tabular/row-mapper.ts'
import type { RowContext } from '../../src/profiles/tabular/source-options.ts'

export const CONTEXT: RowContext = { today: '2026-06-30', jurisdiction: '53033' }

/** Cuts delimited text with quoted cells into rows; enough for fixtures, and strict about nothing. */
export function rowsOf(text: string, delimiter = ','): RawRow[] {
  const cells = new RegExp(`("(?:[^"]|"")*"|[^${delimiter}\\n]*)(${delimiter}|\\n|$)`, 'g')
  const rows: { line: number; cells: string[] }[] = []
  let current: string[] = []
  let line = 1
  let startLine = 1
  for (const [whole, cell = '', end = ''] of text
    .replace(/^\ufeff/, '')
    .replaceAll('\r\n', '\n')
    .matchAll(cells)) {
    if (whole === '' && current.length === 0) break
    current.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    line += whole.split('\n').length - 1
    if (end === delimiter) continue
    rows.push({ line: startLine, cells: current })
    current = []
    startLine = line
  }
  const [header, ...data] = rows
  const names = header?.cells ?? []
  return data.map((entry, at) => ({ row: at + 1, line: entry.line, names, values: entry.cells }))
}

/** One record of named values, as a JSON record or a row gives them. */
export function rowOf(members: Readonly<Record<string, RawValue>>): RawRow {
  return { row: 1, line: 2, names: Object.keys(members), values: Object.values(members) }
}

/** A permit with every required field; `changes` replaces or, with undefined, removes members. */
export function permitRow(changes: Readonly<Record<string, RawValue | undefined>> = {}): RawRow {
  const members: Record<string, RawValue | undefined> = {
    permit_number: 'BP-0001',
    permit_type: 'roof',
    parcel_id: '22-118',
    valuation: '8400.00',
    ...changes
  }
  const kept = Object.entries(members).flatMap(([name, value]): [string, RawValue][] =>
    value === undefined ? [] : [[name, value]]
  )
  return rowOf(Object.fromEntries(kept))
}

/** Maps one row of a permit file under `CONTEXT`. */
export function mapPermit(row: RawRow, context: Partial<RowContext> = {}) {
  return rowMapper(permit, { ...CONTEXT, ...context })(row)
}

/** `code field` of every reason that holds a record. */
export function blocking(reasons: readonly { code: string; field: string | null; severity: string }[]): string[] {
  return reasons.filter(reason => reason.severity === 'block').map(reason => `${reason.code} ${reason.field ?? '-'}`)
}
