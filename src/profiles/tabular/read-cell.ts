import type { Envelope, Origin } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import type { Reading } from '../../model/reading.ts'
import type { RawValue } from '../../model/rows.ts'
import type { Field, FieldType, ReadContext } from '../profile.ts'
import { readList } from '../reading/read-list.ts'
import { readValue } from '../reading/read-value.ts'
import { scalarIn } from '../reading/scalar-in.ts'
import { parseSourceJson } from '../reading/source-json.ts'

/**
 * Assumptions that leave room for another reading. A cell without one is read by rule and as sure as its file;
 * 0.95 is a cautious guess below that, not a measurement.
 */
const ASSUMPTIONS = new Set(['TWO_DIGIT_YEAR', 'DATE_ORDER_SWITCHED', 'INNER_SPACE', 'SCALED_SUFFIX', 'EXCEL_SERIAL'])
const ASSUMED_CONFIDENCE = 0.95

const NO_FLAGS: readonly string[] = Object.freeze([])
const INVALID: Reading = { value: null, status: 'invalid', flags: ['FIELD_INVALID'] }
/** The code, one that holds the record, follows from the type of the field. */
const UNREADABLE: Reading = { value: null, status: 'invalid', flags: NO_FLAGS }

/** How cells and typed JSON values of one column are read. */
export interface ColumnContext {
  readonly cell: ReadContext
  readonly json: ReadContext
}

function confidenceOf(reading: Reading): number {
  if (reading.value === null) return 0
  return reading.flags.some(flag => ASSUMPTIONS.has(flag)) ? ASSUMED_CONFIDENCE : 1
}

/** The envelope of a reading of submitted data. */
export function envelopeOf(reading: Reading, raw: string | null, origin: Origin | null): Envelope {
  const { value, status, flags, readings } = reading
  if (value !== null && flags.length === 0) return { value, raw, status, confidence: 1, origin, flags: NO_FLAGS }
  const envelope: Envelope = { value, raw, status, confidence: confidenceOf(reading), origin, flags }
  return readings === undefined ? envelope : { ...envelope, readings }
}

/** The envelope of a cell that says only one thing. */
export function foundAsWritten(value: Json, raw: string, origin: Origin): Envelope {
  return { value, raw, status: 'found', confidence: 1, origin, flags: NO_FLAGS }
}

/** Dates and numbers: one that is there and is not read is missed, required or not. */
const TELLING_TYPES = new Set<FieldType>(['date', 'money', 'integer', 'decimal'])

function readJson(field: Field, json: string, context: ReadContext): Reading {
  if (field.type === 'list') return readList(field, json, true, context)
  if (!json.startsWith('{') && !json.startsWith('[')) return readValue(field, json, context)
  const text = scalarIn(parseSourceJson(json), field.type === 'money')
  if (text !== null) return readValue(field, text, context)
  return !field.required && TELLING_TYPES.has(field.type) ? UNREADABLE : INVALID
}

const EQUALS_SIGN = 0x3d
/** Text in the form of a formula that gives it, as programs write it so that a spreadsheet keeps its zeros. */
const WRAPPED = /^="([^"]*)"$/

/** What a spreadsheet puts before a number that is to stay text, and does not show; identifiers are read without it anyway. */
const TEXT_MARK = /^'(?=[^']*\d)[^']+$/
const APOSTROPHE = 0x27

function unwrapped(field: Field, cell: string): string {
  const first = cell.charCodeAt(0)
  if (first === EQUALS_SIGN) return WRAPPED.exec(cell)?.[1] ?? cell
  return first === APOSTROPHE && TELLING_TYPES.has(field.type) && TEXT_MARK.test(cell) ? cell.slice(1) : cell
}

/** Nothing but white space, or JSON's null. */
export function isBlank(value: RawValue | undefined): boolean {
  if (value === null || value === undefined || value === '' || value === '=""') return true
  return typeof value === 'string' ? value.charCodeAt(0) <= 0x20 && value.trim() === '' : value.json === 'null'
}

/** Reads one cell or member that is not blank. */
export function readCell(field: Field, value: RawValue, context: ColumnContext, origin: Origin): Envelope {
  if (value === null) return envelopeOf({ value: null, status: 'absent', flags: NO_FLAGS }, null, origin)
  if (typeof value !== 'string') return envelopeOf(readJson(field, value.json, context.json), value.json, origin)
  const text = unwrapped(field, value)
  const reading =
    field.type === 'list' ? readList(field, text, false, context.cell) : readValue(field, text, context.cell)
  return envelopeOf(reading, value, origin)
}
