import type { RawRow, RawValue } from '../model/rows.ts'
import { canonicalObject } from './json/parse-record.ts'

/**
 * The content of a record as text, for its idempotency key: RFC 8785 form of its members by name, except that numbers
 * keep their source text, so that nothing passes through a float. A faulty row's content is its source, as a JSON
 * string, which no readable record can equal.
 */
export function contentKeyText(row: RawRow): string {
  if (row.fault !== undefined) return JSON.stringify(row.source ?? '')
  return canonicalObject(row.names, row.values.map(valueText))
}

function valueText(value: RawValue): string {
  if (value === null) return 'null'
  return typeof value === 'string' ? JSON.stringify(value) : value.json
}
