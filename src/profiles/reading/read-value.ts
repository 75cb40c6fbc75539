import type { Json } from '../../model/json.ts'
import type { Reading } from '../../model/reading.ts'
import { compareDecimals, parseDecimal } from '../../normalize/amounts/decimal.ts'
import { readBoolean } from '../../normalize/codes/boolean.ts'
import { readDate } from '../../normalize/date.ts'
import { readIdentifier } from '../../normalize/identifier.ts'
import { readMoney } from '../../normalize/money.ts'
import { readDecimal, readInteger } from '../../normalize/number.ts'
import { readText } from '../../normalize/text.ts'
import type { Field, FieldType, ReadContext } from '../profile.ts'
import { mojibakeOf } from './mojibake.ts'

/** What `numeric(18,2)` holds before its point; the views promise that type. */
const MAX_MONEY_DIGITS = 16
const CENTS = 2

/**
 * Whether a text, or JSON text, holds the character that stands for one that was lost. Whoever wrote it no longer knew
 * what stood there, and nobody can tell from it a name or an address that is right.
 */
export const hasLostCharacter = (raw: string): boolean =>
  raw.includes('\ufffd') || (raw.includes('\\') && /\\ufffd/i.test(raw))

function invalidReading(code: string, reading?: Reading): Reading {
  const readings = reading?.value === null || reading === undefined ? {} : { readings: [reading.value] }
  return { value: null, status: 'invalid', flags: [...(reading?.flags ?? []), code], ...readings }
}

/** An amount in whole cents. Fractions of a cent are never rounded away: a person decides. */
function readAmount(raw: string, context: ReadContext): Reading {
  const reading = readMoney(raw, context)
  if (reading.value === null) return reading
  const point = reading.value.indexOf('.')
  const digits = reading.value.startsWith('-') ? point - 1 : point
  const isStorable = digits <= MAX_MONEY_DIGITS && reading.value.length - point - 1 === CENTS
  return isStorable ? reading : invalidReading('INVALID_NUMBER', reading)
}

const READERS: Readonly<Record<Exclude<FieldType, 'enum' | 'list'>, (raw: string, context: ReadContext) => Reading>> = {
  text: readText,
  name: readText,
  address: readText,
  identifier: readIdentifier,
  date: readDate,
  money: readAmount,
  integer: readInteger,
  decimal: readDecimal,
  boolean: readBoolean
}

function readOption(field: Field, raw: string): Reading {
  const reading = readText(raw)
  if (reading.value === null) return reading
  const folded = reading.value.toLowerCase()
  const option = field.options?.find(candidate => candidate.toLowerCase() === folded)
  return option === undefined ? invalidReading('UNMAPPED_ENUM') : { ...reading, value: option }
}

function constrainNumber(field: Field, text: string, reading: Reading): Reading {
  const { nonNegative, min, max } = field.constraints
  if (nonNegative && text.startsWith('-')) return invalidReading('NEGATIVE_AMOUNT', reading)
  if (min === undefined && max === undefined) return reading
  const number = parseDecimal(text)
  const isBelow = min !== undefined && compareDecimals(number, parseDecimal(min)) < 0
  const isAbove = max !== undefined && compareDecimals(number, parseDecimal(max)) > 0
  return isBelow || isAbove ? { ...reading, flags: [...reading.flags, 'OUT_OF_RANGE'] } : reading
}

/** Three characters or more without a digit; less may be an identifier of few letters. */
const WORD = /^\P{Nd}{3,}$/u

function constrain(field: Field, value: Json, reading: Reading, isData: boolean): Reading {
  const { maxLength, pattern, numbered } = field.constraints
  if (typeof value === 'number') return constrainNumber(field, String(value), reading)
  if (typeof value !== 'string') return reading
  if (field.type === 'money' || field.type === 'decimal') return constrainNumber(field, value, reading)
  if (maxLength !== undefined && value.length > maxLength) return invalidReading('FIELD_INVALID')
  if (numbered && isData && WORD.test(value)) return invalidReading('FIELD_INVALID', reading)
  return pattern !== undefined && !pattern.test(value) ? invalidReading('FIELD_INVALID', reading) : reading
}

/** The reader of one member type, without a field's constraints: for the members of list items. */
export function readAs(type: Exclude<FieldType, 'enum' | 'list'>, raw: string, context: ReadContext): Reading {
  return READERS[type](raw, context)
}

/**
 * Reads one text as a value of a field, under its constraints. Everything that is wrong or was assumed stands in
 * `flags`; a value the field cannot hold is never given as `value`. Not for lists.
 */
export function readValue(field: Field, raw: string, context: ReadContext): Reading {
  if (field.type === 'list') return invalidReading('FIELD_INVALID')
  if (hasLostCharacter(raw)) return invalidReading('ENCODING_INVALID')
  const before = context.source === 'cell' || context.source === 'json' ? mojibakeOf(raw) : null
  if (before !== null) return { value: null, status: 'ambiguous', flags: ['ENCODING_INVALID'], readings: [raw, before] }
  let reading: Reading
  if (field.reader !== undefined) reading = field.reader.read(raw, context)
  else if (field.type === 'enum') reading = readOption(field, raw)
  else reading = READERS[field.type](raw, context)
  const isData = context.source === 'cell' || context.source === 'json'
  return reading.value === null ? reading : constrain(field, reading.value, reading, isData)
}
