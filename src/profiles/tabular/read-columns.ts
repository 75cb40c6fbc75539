import type { Envelope, Origin } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import type { RawValue } from '../../model/rows.ts'
import { foldColumnName } from '../fold-column-name.ts'
import type { Field } from '../profile.ts'
import { readValue } from '../reading/read-value.ts'
import type { FieldColumns } from './map-columns.ts'
import type { PlainReader } from './plain/plain-cell.ts'
import { type ColumnContext, envelopeOf, foundAsWritten, isBlank, readCell } from './read-cell.ts'

/** One row's cells and where they stand. */
export interface CellRow {
  readonly names: readonly string[]
  readonly values: readonly RawValue[]
  readonly row: number
  readonly line: number
}

/** The columns of one field with what their cells are read under. */
export interface FieldPlan extends FieldColumns {
  /** By position in the row. */
  readonly contexts: ReadonlyMap<number, ColumnContext>
  readonly context: ColumnContext
  /** The only column of the field and what reads its plain cells; null where more than one cell decides. */
  readonly plain: { readonly at: number; readonly read: PlainReader } | null
}

/** A column as it is named in origins: one without a name by its ordinal. */
export const columnNameAt = ({ names }: Pick<CellRow, 'names'>, at: number): string => names[at] || String(at + 1)

/** The origin of one cell. */
export function originOf(row: CellRow, at: number): Origin {
  return { row: row.row, column: columnNameAt(row, at), line: row.line }
}

function readAt(plan: FieldPlan, row: CellRow, at: number): Envelope {
  return readCell(plan.field, row.values[at] ?? null, plan.contexts.get(at) ?? plan.context, originOf(row, at))
}

/** A cautious guess, not a measurement: the column's name leaves room for another meaning. */
const INFERRED_CONFIDENCE = 0.95

const sameValue = (a: Json, b: Json): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** Two columns of one field that say different things: no value, both as readings. */
function conflict(first: Envelope, second: Envelope, code: string): Envelope {
  const readings = [...(first.readings ?? [first.value]), ...(second.readings ?? [second.value])].filter(
    value => value !== null
  )
  return { ...first, value: null, status: 'ambiguous', confidence: 0, flags: [code], readings }
}

function readOwn(plan: FieldPlan, row: CellRow): Envelope | null {
  let found: Envelope | null = null
  let foundAt = -1
  for (const at of plan.own) {
    if (isBlank(row.values[at])) continue
    const envelope = readAt(plan, row, at)
    if (found === null) {
      found = envelope
      foundAt = at
    } else if (!sameValue(found.value, envelope.value) || (envelope.value === null && found.raw !== envelope.raw)) {
      const isSameName = foldColumnName(row.names[at] ?? '') === foldColumnName(row.names[foundAt] ?? '')
      found = conflict(found, envelope, isSameName ? 'DUPLICATE_HEADER' : 'MULTIPLE_CANDIDATES')
    }
  }
  if (!plan.isInferred || found === null) return found
  return {
    ...found,
    flags: [...found.flags, 'COLUMN_INFERRED'],
    confidence: Math.min(found.confidence, INFERRED_CONFIDENCE)
  }
}

/** Only where the field has no column of its own: a blank in that one says that this row has no value. */
function readFallback(plan: FieldPlan, row: CellRow): Envelope | null {
  if (plan.own.length > 0) return null
  const at = plan.fallbacks.find(position => {
    const value = row.values[position]
    return !isBlank(value) && (typeof value === 'string' || !value?.json.startsWith('{'))
  })
  if (at === undefined) return null
  const envelope = readAt(plan, row, at)
  return { ...envelope, flags: [...envelope.flags, 'FALLBACK_COLUMN'] }
}

function partText(value: RawValue | undefined): string {
  if (value === null || value === undefined) return ''
  return (typeof value === 'string' ? value : value.json).trim()
}

function composedReading(field: Field, value: string, context: ColumnContext) {
  const reading = readValue(field, value, context.cell)
  return reading.value === null ? reading : { ...reading, status: 'derived' as const }
}

function readComposition(plan: FieldPlan, row: CellRow): Envelope | null {
  if (plan.composition === null) return null
  const { composition, parts } = plan.composition
  const filled = parts.filter(([, at]) => !isBlank(row.values[at]))
  if (!composition.needs.every(need => filled.some(([part]) => part === need))) return null
  const texts = filled.map(([part, at]): [string, string] => [part, partText(row.values[at])])
  const raw = texts.map(([, text]) => text).join(' ')
  const column = filled.map(([, at]) => row.names[at]).join(' + ')
  const origin = { row: row.row, column, line: row.line }
  const composed = composition.compose(Object.fromEntries(texts))
  if (composed === null) return envelopeOf({ value: null, status: 'invalid', flags: ['FIELD_INVALID'] }, raw, origin)
  const reading = composedReading(plan.field, composed.value, plan.context)
  return envelopeOf({ ...reading, flags: [...reading.flags, ...composed.flags] }, raw, origin)
}

/** One field of one row: its own columns, else columns that make it together, else columns that stand in. Null: nothing there. */
export function readColumns(plan: FieldPlan, row: CellRow): Envelope | null {
  const { plain } = plan
  const cell = plain === null ? null : row.values[plain.at]
  if (plain !== null && typeof cell === 'string') {
    if (cell === '') return null
    const value = plain.read(cell)
    if (value !== undefined) return foundAsWritten(value, cell, originOf(row, plain.at))
  }
  return readOwn(plan, row) ?? readComposition(plan, row) ?? readFallback(plan, row)
}
