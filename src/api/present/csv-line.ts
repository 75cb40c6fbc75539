import { BLDS_EXTRA, BLDS_NAMES } from '../../profiles/permit/blds-names.ts'
import type { Profile } from '../../profiles/profile.ts'
import { guardCell } from '../../tabular/write/formula-guard.ts'
import type { RecordBody } from './schemas.ts'

/** Columns before the profile's own; their names cannot be names of fields. */
const OWN_COLUMNS = ['_record_id', '_file', '_row', '_line', '_state', '_codes', '_duplicate_of'] as const

/** One cell: quoted where needed, and never something a spreadsheet runs. */
export function csvCell(text: string): string {
  const safe = guardCell(text)
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const lineOf = (cells: readonly unknown[]): string => `${cells.map(cell => csvCell(textOf(cell))).join(',')}\r\n`

/** A table of records: its header and a line for each. */
export interface Table {
  readonly header: string
  readonly lineOf: (record: RecordBody) => string
}

function ownCells(record: RecordBody): unknown[] {
  const codes = record.reasons.map(reason => reason.code).join(' ')
  return [record.id, record.filename, record.row, record.line, record.state, codes, record.duplicate_of]
}

/** Records as a table of the profile's fields: normalized values, lists as JSON. */
export function fieldTable(profile: Profile): Table {
  const names = Object.keys(profile.fields)
  return {
    header: lineOf([...OWN_COLUMNS, ...names]),
    lineOf: record => lineOf([...ownCells(record), ...names.map(name => record.fields[name]?.value)])
  }
}

/** What BLDS has no name for, as sent or found; empty when there is nothing. */
function bldsExtra({ fields, extra }: RecordBody): Record<string, unknown> | null {
  const others = Object.entries(fields).filter(([name, { value }]) => BLDS_NAMES[name] === undefined && value !== null)
  const all = { ...extra, ...Object.fromEntries(others.map(([name, { value }]) => [name, value])) }
  return Object.keys(all).length === 0 ? null : all
}

/** Permits as a table under the names of BLDS, with everything else in its `ExtraFields`. */
export function bldsTable(): Table {
  const names = Object.keys(BLDS_NAMES)
  return {
    header: lineOf([...OWN_COLUMNS, ...Object.values(BLDS_NAMES), BLDS_EXTRA]),
    lineOf: record => lineOf([...ownCells(record), ...names.map(name => record.fields[name]?.value), bldsExtra(record)])
  }
}

/** A permit whose fields go by their names in BLDS; those that have none there keep their own. */
export function underBldsNames(record: RecordBody): RecordBody {
  const fields = Object.entries(record.fields).map(([name, envelope]) => [BLDS_NAMES[name] ?? name, envelope])
  return { ...record, fields: Object.fromEntries(fields) }
}
