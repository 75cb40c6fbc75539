import type { Reading, ReadingContext } from '../model/reading.ts'
import { isNotANumber, readAbsence } from './absence.ts'
import { isTurned, withoutInvisible } from './invisible.ts'
import { absent, ambiguous, found, invalid, MAX_VALUE_LENGTH, withFlags } from './outcome.ts'
import { isPlainText } from './plain.ts'
import { foldShort, foldText } from './text.ts'

/** Longest identifier kept; longer text in an identifier field is a shifted column. */
const MAX_IDENTIFIER_LENGTH = 200
const PLAIN = /^[A-WYZ]{0,8}-?\d[\d-]*$/
const COERCED = /^[-+]?\d{1,20}(?:[.,]\d{0,20}e[-+]?|e\+)\d{1,3}$/i
const ZEROS = /^(?=[0.\- ]*$)[.\- ]*0/
/**
 * What a spreadsheet leaves of a longer number: its first fifteen digits and zeros. One zero is left alone, as every
 * tenth number of sixteen digits ends so by itself.
 */
const CUT = /^[-+]?[1-9]\d{14}00+$/
/** What a binary float leaves of one: at most seventeen digits and zeros. */
const CUT_FLOAT = /^-?[1-9]\d{16}0+$/
/** What a data frame writes for a whole number once a cell of its column was empty. */
const FLOATED = /^(\d{1,20})\.0+$/
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
/** What a spreadsheet makes of `1-3`, `3-14` or `MAR1`: a day, shown as one. A prefix of capitals is an office's own. */
const DATED = new RegExp(
  `^(?:\\d{1,2}-${MONTH}|${MONTH}-\\d{1,2}|\\d{1,2}-${MONTH}-\\d{2,4}|\\d{4}-\\d{2}-\\d{2}[ T]\\d{2}:\\d{2}.*|\\d{1,2}/\\d{1,2}/\\d{4}(?: .*)?)$`
)
/** A number of thousands as programs show it: where it counts something it has these commas, where it names something it has none. */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3}){1,9}$/
/** What spreadsheets put before a number that is to stay text, and do not show. */
const TEXT_MARK = /^'(?=[^']*\d)[^']+$/
/** Words that stand where one number was asked for. They may be the value of another kind of field, as a status is. */
const NO_IDENTIFIERS = new Set(
  'multiple|multiple parcels|various|varies|several|pending|unassigned|not assigned|none assigned|not issued|undefined|unspecified|exempt|see list|see file|see notes|see note|see comments|see description|see above|see below|ditto|same|true|false|yes|no'.split(
    '|'
  )
)
const LONGEST_WORD = 16
/** What stands between identifiers of one cell. */
const BETWEEN = / ?[;|&] ?|, ?| and | \/ |\r?\n/i
/** JSON's truth values: no office numbers anything so. */
const TRUTH = /^(?:true|false)$/
const JSON_NUMBER = /^-?\d+$/
const JSON_FRACTION = /^-?\d+\.\d+$/
const JSON_EXPONENT = /^-?\d+(?:\.\d+)?e[-+]?\d+$/i

/**
 * An identifier as text, white space folded, otherwise as written: leading zeros, case and separators stay.
 * `1.70312E+13` is `ID_NUMERIC_COERCED` (a spreadsheet lost digits, it is never expanded) while
 * `860914e1` is kept, unless it is a number of JSON, which is kept by its source text and flagged `COERCED_TO_STRING` only
 * when it has no exponent. In data files also `22118.0` and `3-Jan`, which a data frame and a spreadsheet made of other
 * texts, are `ID_NUMERIC_COERCED`, as are `1,234,567` and a fraction that is a number of JSON; several of one form are
 * `MULTIPLE_CANDIDATES`, and a number whose digits behind the fifteenth are two zeros or more was cut short; nothing but zeros is a `PLACEHOLDER`, as is `Various`; the mark before `'0012` that makes it text is
 * left out. Characters that cannot be seen are left out and
 * flagged `HIDDEN_CHARACTERS`; text that they show in another order than it is written in is invalid.
 */
export function readIdentifier(raw: string, context: ReadingContext): Reading<string> {
  const isData = context.source === 'cell' || context.source === 'json'
  if (context.source !== 'json' && raw.length <= 40 && PLAIN.test(raw)) {
    if (!isData) return found(raw)
    if (raw.charCodeAt(0) === 0x30 && ZEROS.test(raw)) return absent('PLACEHOLDER')
    return CUT.test(raw) ? invalid(['ID_NUMERIC_COERCED'], [raw]) : found(raw)
  }
  if (raw.length > MAX_IDENTIFIER_LENGTH * 2) return invalid(['FIELD_INVALID'])
  const seen = withoutInvisible(raw)
  if (seen === raw) return readSeen(raw, context)
  return isTurned(raw) ? invalid(['FIELD_INVALID']) : hiddenReading(readIdentifier(seen, context))
}

/** Characters that cannot be seen are left out of a value and told of. */
function hiddenReading(reading: Reading<string>): Reading<string> {
  return reading.value === null ? reading : withFlags(reading, ['HIDDEN_CHARACTERS'])
}

function readSeen(raw: string, context: ReadingContext): Reading<string> {
  const isData = context.source === 'cell' || context.source === 'json'
  const text = foldText(raw)
  const absence = readAbsence(text)
  if (absence) return absence
  if (text.length > MAX_IDENTIFIER_LENGTH) return invalid(['FIELD_INVALID'])
  if (isNotANumber(text)) return absent('PLACEHOLDER')
  if (isData && TEXT_MARK.test(text)) return hiddenReading(readSeen(text.slice(1), context))
  if (context.source === 'json' && TRUTH.test(text)) return invalid(['FIELD_INVALID'])
  // A character was lost before this file was written, and what it was decides which thing is named.
  if (text.includes('\ufffd')) return invalid(['ENCODING_INVALID'])
  if (COERCED.test(text) || (context.source === 'json' && JSON_EXPONENT.test(text)))
    return invalid(['ID_NUMERIC_COERCED'])
  const damage = isData ? readDamage(text, raw) : null
  if (damage) return damage
  // A number of JSON is written without the zeros at its end: 12.1 may have been 12.10.
  if (context.source === 'json' && JSON_FRACTION.test(text)) return invalid(['ID_NUMERIC_COERCED'], [text])
  if (context.source === 'json' && CUT_FLOAT.test(text)) return invalid(['ID_NUMERIC_COERCED'], [text])
  if (context.source === 'json' && JSON_NUMBER.test(text)) return found(text, ['COERCED_TO_STRING'])
  return found(text)
}

/** A text that begins with a letter, holds a digit and is longer than `MAR-1` shows no trace of a program, and without one of these marks behind its first digit it is not several. */
const LETTERED = /^[A-Za-z][^\d]{0,40}\d[^,;|& ]*$/
const LEAST_LETTERED = 7

/** Whether `readIdentifier` surely gives the text of a cell back as it stands, without a flag; false proves nothing. */
export function isPlainIdentifier(raw: string): boolean {
  if (raw.length > MAX_IDENTIFIER_LENGTH) return false
  if (raw.length <= 40 && PLAIN.test(raw)) return !CUT.test(raw) && (raw.charCodeAt(0) !== 0x30 || !ZEROS.test(raw))
  return raw.length >= LEAST_LETTERED && LETTERED.test(raw) && isPlainText(raw)
}

/** What programs leave of identifiers in the cells of data files; null for text that shows no such trace. */
function readDamage(text: string, raw: string): Reading<string> | null {
  if (ZEROS.test(text)) return absent('PLACEHOLDER')
  if (CUT.test(text)) return invalid(['ID_NUMERIC_COERCED'], [text])
  if (text.length <= LONGEST_WORD && NO_IDENTIFIERS.has(text.toLowerCase())) return absent('PLACEHOLDER')
  const floated = FLOATED.exec(text)?.[1] ?? (GROUPED.test(text) ? text.replaceAll(',', '') : undefined)
  if (floated !== undefined) return invalid(['ID_NUMERIC_COERCED'], [floated])
  if (DATED.test(text)) return invalid(['ID_NUMERIC_COERCED'])
  const several = severalIn(raw.trim())
  return several === null ? null : ambiguous(['MULTIPLE_CANDIDATES'], several)
}

/** Identifiers of one form, side by side in one cell: none of them is the one that was asked for. */
function severalIn(text: string): string[] | null {
  const parts = text.split(BETWEEN, MOST_SEVERAL + 1)
  const [first = ''] = parts
  if (parts.length < 2 || parts.length > MOST_SEVERAL || (first.match(/\d/g)?.length ?? 0) < LEAST_DIGITS) return null
  const form = formOf(first)
  return parts.every(part => formOf(part) === form) ? [...new Set(parts)] : null
}

const MOST_SEVERAL = 50
/** Fewer digits may be the lots of one parcel: `12, 14`. */
const LEAST_DIGITS = 4

const formOf = (text: string): string => text.replace(/\d/g, '9').replace(/[A-Z]/gi, 'A')

/** An identifier without separators and case, for look-ups and comparisons only; empty for text too long to be one. */
export function identifierKey(raw: string): string {
  const text = foldShort(raw, MAX_VALUE_LENGTH)
  return text.toUpperCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
