import type { Json } from '../../../model/json.ts'
import type { RawRow, RawValue } from '../../../model/rows.ts'
import { expandFields, type StoredEnvelope } from '../../../profiles/judge/compact-fields.ts'
import type { Profile } from '../../../profiles/profile.ts'
import { twinsOf } from '../../../tabular/delimited/columns.ts'

const textOf = (value: RawValue | undefined): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : value.json
}

/** Makes the function that gives the cells of rows under columns; a row that was not cut into cells has empty ones. */
export function cellsUnder(columns: readonly string[]): (row: RawRow) => string[] {
  const twins = twinsOf(columns)
  const names = columns.map((name, at) => columns[twins[at] ?? -1] ?? name)
  return row => {
    const at = new Map(row.values.length === row.names.length ? row.names.map((name, i) => [name, i] as const) : [])
    return names.map(name => textOf(row.values[at.get(name) ?? -1]))
  }
}

/** The columns of a table of records whose rows cannot be read again: the fields that a submission can give. */
export const fieldColumns = (profile: Profile): string[] =>
  Object.values(profile.fields)
    .filter(field => field.filledBy === 'submission')
    .map(field => field.name)

export interface StoredPlace {
  readonly jurisdiction: string
  readonly item: number
  readonly line: number | null
  readonly format: Json
}

/** What was read for each of those columns, as it was written. */
export function storedCells(
  profile: Profile,
  record: { readonly fields: Json; readonly content: Json },
  place: StoredPlace
): string[] {
  const columns = (place.format as { columns?: Record<string, string> } | null)?.columns ?? {}
  const fields = expandFields(
    profile,
    record.fields as Readonly<Record<string, StoredEnvelope>>,
    (record.content ?? {}) as Readonly<Record<string, Json>>,
    {
      jurisdiction: place.jurisdiction,
      row: place.item,
      line: place.line ?? 0,
      columnOf: field => columns[field]
    }
  )
  return fieldColumns(profile).map(name => fields[name]?.raw ?? '')
}
