import type { LoadedKind, ReferenceRow } from '../../db/registries/load-table.ts'
import type { RawRow, RawValue } from '../../model/rows.ts'
import { readBoolean } from '../../normalize/codes/boolean.ts'
import { type ColumnNames, REFERENCE_COLUMNS, type ReferenceColumn } from './reference-columns.ts'

const MAX_KEY = 100
const MAX_TEXT = 500
const MAX_ITEMS = 50
const CONTROL = /[\p{Cc}\p{Cs}]/u

/** A row as it is loaded, or what is wrong with it: names of columns and what they must hold, never a value. */
export type CheckedRow =
  | { readonly ok: true; readonly row: ReferenceRow }
  | { readonly ok: false; readonly fault: string }

type Cell = { readonly value: ReferenceRow[string] } | { readonly fault: string }

/** Text of a cell; a JSON number keeps its digits, and any other JSON value is none. */
function textOf(value: RawValue | undefined): string | null | undefined {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim()
  return /^-?\d{1,40}$/.test(value.json) ? value.json : undefined
}

function readText({ name, type }: ReferenceColumn, value: RawValue | undefined): Cell {
  const text = textOf(value)
  const most = type === 'key' ? MAX_KEY : MAX_TEXT
  if (text === undefined) return { fault: `${name} is neither text nor a whole number` }
  if (text === null) return { value: null }
  if (text.length > most) return { fault: `${name} is longer than ${most} characters` }
  if (CONTROL.test(text)) return { fault: `${name} holds control characters` }
  return { value: text }
}

function readFlag({ name }: ReferenceColumn, value: RawValue | undefined): Cell {
  const text = typeof value === 'object' && value !== null ? value.json : (value ?? '')
  if (text.trim() === '') return { value: false }
  const reading = readBoolean(text)
  return reading.value === null ? { fault: `${name} is neither yes nor no` } : { value: reading.value }
}

function itemsOf(value: RawValue | undefined): unknown[] {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return value.split(/[;|]/)
  const parsed: unknown = JSON.parse(value.json)
  return Array.isArray(parsed) ? parsed : [parsed]
}

function readList({ name }: ReferenceColumn, value: RawValue | undefined): Cell {
  const items = itemsOf(value)
  if (!items.every(item => typeof item === 'string')) return { fault: `${name} is not a list of texts` }
  const texts = [...new Set(items.map(item => item.trim()).filter(item => item !== ''))]
  if (texts.length > MAX_ITEMS) return { fault: `${name} has more than ${MAX_ITEMS} entries` }
  if (texts.some(item => item.length > MAX_KEY || CONTROL.test(item)))
    return { fault: `an entry of ${name} is no name` }
  return { value: texts.length === 0 ? null : texts }
}

const readCell = (column: ReferenceColumn, value: RawValue | undefined): Cell => {
  if (column.type === 'boolean') return readFlag(column, value)
  return column.type === 'list' ? readList(column, value) : readText(column, value)
}

/** The members of a GeoJSON feature are its properties; a row of a table is what it is. */
function cellsOf(raw: RawRow): ReadonlyMap<string, RawValue> {
  const at = raw.names.indexOf('properties')
  const value = at < 0 ? undefined : raw.values[at]
  if (raw.values[raw.names.indexOf('type')] !== 'Feature' || typeof value !== 'object' || value === null) {
    return new Map(raw.names.map((name, i) => [name, raw.values[i] ?? null]))
  }
  const properties: unknown = JSON.parse(value.json, (_, inner: unknown, context?: { source?: string }) =>
    typeof inner === 'number' ? { json: context?.source ?? String(inner) } : inner
  )
  if (typeof properties !== 'object' || properties === null) return new Map()
  return new Map(Object.entries(properties).map(([name, inner]): [string, RawValue] => [name, rawOf(inner)]))
}

function rawOf(inner: unknown): RawValue {
  if (inner === null || typeof inner === 'string') return inner
  if (typeof inner === 'object' && 'json' in inner && typeof inner.json === 'string') return { json: inner.json }
  return { json: JSON.stringify(inner) }
}

/** The names a row has: those of its cells, or of a feature's properties. */
export const namesOf = (raw: RawRow): readonly string[] => [...cellsOf(raw).keys()]

/** Checks one row of a file. */
export function checkRow(kind: LoadedKind, columns: ColumnNames, raw: RawRow): CheckedRow {
  if (raw.fault) return { ok: false, fault: `it cannot be read (${raw.fault.code})` }
  const cells = cellsOf(raw)
  const row: Record<string, ReferenceRow[string]> = {}
  for (const column of REFERENCE_COLUMNS[kind]) {
    const name = columns.get(column.name)
    const cell = readCell(column, name === undefined ? undefined : cells.get(name))
    if ('fault' in cell) return { ok: false, fault: cell.fault }
    if (cell.value === null && column.required) return { ok: false, fault: `${column.name} is missing` }
    row[column.type === 'key' ? 'key' : column.name] = cell.value
  }
  return { ok: true, row: { ...row, line: raw.line } as ReferenceRow }
}
