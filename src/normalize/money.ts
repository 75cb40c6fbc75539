import type { Reading, ReadingContext } from '../model/reading.ts'
import { isBlackedOut, isNotANumber, readAbsence } from './absence.ts'
import { dollarOf } from './amounts/currency.ts'
import { formatDecimal, parseDecimal, shiftPoint } from './amounts/decimal.ts'
import { decimalSignOf } from './amounts/decimal-sign.ts'
import { readNumberWords } from './amounts/number-words.ts'
import { numeralEvidence, readNumeral } from './amounts/numeral.ts'
import { type PeeledAmount, peelAmount } from './amounts/peel.ts'
import { repairMoney } from './amounts/repair-money.ts'
import { compareWordsAndDigits, formatWorded } from './amounts/words-and-digits.ts'
import { absent, ambiguous, found, invalid, MAX_VALUE_LENGTH, NO_FLAGS, withFlags } from './outcome.ts'
import { foldText } from './text.ts'

/** An amount with the currency it was written in; null when none was written. */
export interface AmountReading extends Reading<string> {
  readonly currency: string | null
}

const PLAIN = /^\d{1,18}$/
const PLAIN_CENTS = /^\d{1,18}\.\d\d$/
const PLAIN_TENTHS = /^\d{1,18}\.\d$/
const GROUPED_DOLLARS = /^\$[1-9]\d{0,2}(?:,\d{3})*\.\d\d$/
/** Decimals of an amount of money. */
const CENTS = 2
const RANGE = /(?<=[\dkmb)]) ?(?:-|–|—|to) ?(?=[$€£\d])/gi
const WORDS_THEN_DIGITS = /^([a-z][a-z ,/\d-]*?) ?(?:dollars?)? ?\(([^()]{1,40})\) ?(?:dollars?)?$/i
const DIGITS_THEN_WORDS = /^([^()a-z]{1,40}) ?\(([a-z][a-z ,/\d-]*?) ?(?:dollars?)?\)$/i
const DASHES = /[−–—‐‑]/g

/**
 * An amount of money as canonical decimal text with at least two decimals (`8400.00`, `-26.40`), exact.
 * Not found: `INVALID_NUMBER`; `AMBIGUOUS_NUMBER`, `WORDS_DIGITS_MISMATCH`, `RANGE_NOT_SCALAR`,
 * `MULTIPLE_CANDIDATES` (all with readings); `OCR_SUSPECT`; the kinds of nothing. Found with assumptions: `EU_DECIMAL`,
 * `GROUP_DOT`, `INNER_SPACE`, `SCALED_SUFFIX`, `SCIENTIFIC_NOTATION`, `OCR_REPAIR`,
 * `SUBCENT_DIGITS` (more than two decimals, none dropped). Any currency is accepted and reported.
 */
export function readAmount(raw: string, context: ReadingContext): AmountReading {
  const plain = readPlainAmount(raw, context)
  if (plain !== null) return { value: plain, status: 'found', flags: NO_FLAGS, currency: null }
  if (raw.length > MAX_VALUE_LENGTH) return { ...invalid(['INVALID_NUMBER']), currency: null }
  const text = foldText(raw.normalize('NFKC').replace(DASHES, '-'))
  const absence = readAbsence(text)
  if (absence) return { ...absence, currency: null }
  if (isNotANumber(text)) return { ...absent('PLACEHOLDER'), currency: null }
  if (isBlackedOut(text)) return { value: null, status: 'redacted', flags: ['REDACTED'], currency: null }
  const reading = readAmountText(text, context)
  if (reading.status !== 'invalid') return reading
  const repaired = context.source === 'ocr' ? repairMoney(text, fixed => readAmountText(fixed, context)) : null
  return repaired ?? readSeveral(text, context) ?? reading
}

/** An amount in one of the forms nearly all cells have, read without taking it apart; null for any other. */
export function readPlainAmount(raw: string, context: ReadingContext): string | null {
  if (raw.length > 24) return null
  if (PLAIN.test(raw)) return `${stripZeros(raw)}.00`
  if (context.decimal === ',') return null
  if (PLAIN_CENTS.test(raw)) return stripZeros(raw)
  return PLAIN_TENTHS.test(raw) ? `${stripZeros(raw)}0` : null
}

/** As `readAmount`, and an amount in another currency than the context's is invalid `UNEXPECTED_CURRENCY`. */
export function readMoney(raw: string, context: ReadingContext): Reading<string> {
  const plain = readPlainAmount(raw, context)
  if (plain !== null) return found(plain)
  const isDollar = context.decimal !== ',' && (context.currency ?? 'USD') === 'USD'
  if (isDollar && raw.length <= 32 && GROUPED_DOLLARS.test(raw)) return found(raw.replace(/[$,]/g, ''))
  const { currency, ...reading } = readAmount(raw, context)
  if (currency === null || currency === (context.currency ?? 'USD')) return reading
  return invalid(['UNEXPECTED_CURRENCY', ...reading.flags], valuesOf(reading))
}

/** Both ends of a written range (`15,000 - 20,000`, `$1.00 TO $500.00`), or invalid. */
export function readMoneyRange(raw: string, context: ReadingContext): Reading<readonly [string, string]> {
  const reading = readAmount(raw, context)
  const [low, high] = reading.readings ?? []
  const isRange = reading.flags.includes('RANGE_NOT_SCALAR') && reading.readings?.length === 2
  if (!isRange || low === undefined || high === undefined) return invalid(['INVALID_NUMBER'])
  return found(
    [low, high] as const,
    reading.flags.filter(flag => flag !== 'RANGE_NOT_SCALAR')
  )
}

/** What one amount proves on its own about the decimal sign of its column; null when nothing. */
export function decimalEvidence(raw: string): '.' | ',' | null {
  if (PLAIN_CENTS.test(raw)) return '.'
  if (raw.length > 60 || !/[.,]/.test(raw)) return null
  const peeled = peelAmount(foldText(raw), 'USD')
  return peeled && /^[\d.,]+$/.test(peeled.numeral) ? numeralEvidence(peeled.numeral) : null
}

function readAmountText(text: string, context: ReadingContext): AmountReading {
  const single = readSingle(text, context)
  if (single.status !== 'invalid') return single
  return readRange(text, context) ?? readWorded(text, context) ?? single
}

function readSingle(text: string, context: ReadingContext): AmountReading {
  const peeled = peelAmount(text, dollarOf(context.currency ?? 'USD'))
  if (!peeled) return { ...invalid(['INVALID_NUMBER']), currency: null }
  const numeral = readNumeral(peeled.numeral, {
    decimal: decimalSignOf(context),
    commaGroups: peeled.currency === 'USD',
    spaceGroups: context.source === 'cell' || context.source === 'json'
  })
  const values = numeral.values.map(value => applyMarks(value, peeled))
  return { ...judge(values, numeral.flags, peeled), currency: peeled.currency }
}

function judge(values: readonly string[], flags: readonly string[], peeled: PeeledAmount): Reading<string> {
  const [value] = values
  if (value === undefined) return invalid(['INVALID_NUMBER'])
  const all = peeled.scale === 0 ? flags : [...flags, ...scaleFlags(peeled)]
  if (values.length > 1) return ambiguous(all, values)
  if (peeled.negatives > 1) return ambiguous(['AMBIGUOUS_NUMBER', ...all], [value, value.replace(/^-/, '')])
  const hasSubcents = value.length - value.indexOf('.') - 1 > CENTS
  return found(value, hasSubcents ? [...all, 'SUBCENT_DIGITS'] : all)
}

/** `$12,333 M` may be a slip: grouped figures are seldom scaled as well. */
function scaleFlags(peeled: PeeledAmount): string[] {
  return /\d,\d{3}/.test(peeled.numeral) ? ['SCALED_SUFFIX', 'GROUPED_AND_SCALED'] : ['SCALED_SUFFIX']
}

function applyMarks(value: string, peeled: PeeledAmount): string {
  const decimal = shiftPoint(parseDecimal(value), peeled.scale)
  return formatDecimal(peeled.negatives > 0 ? { ...decimal, units: -decimal.units } : decimal, CENTS)
}

function readRange(text: string, context: ReadingContext): AmountReading | null {
  const breaks = [...text.matchAll(RANGE)]
  const [only] = breaks
  if (breaks.length !== 1 || !only) return null
  const low = readSingle(text.slice(0, only.index), context)
  const high = readSingle(text.slice(only.index + only[0].length), context)
  const ends = [...valuesOf(low), ...valuesOf(high)]
  if (valuesOf(low).length === 0 || valuesOf(high).length === 0) return null
  const flags = [...new Set(['RANGE_NOT_SCALAR', ...low.flags, ...high.flags])]
  return { ...ambiguous(flags, ends), currency: low.currency ?? high.currency }
}

function valuesOf(reading: Reading<string>): readonly string[] {
  return reading.value === null ? (reading.readings ?? []) : [reading.value]
}

function readWorded(text: string, context: ReadingContext): AmountReading | null {
  if (!/[a-z]{2}/i.test(text)) return null
  const wordsFirst = WORDS_THEN_DIGITS.exec(text)
  const both = wordsFirst ?? DIGITS_THEN_WORDS.exec(text)
  if (both) {
    const [first, second] = [both[1] ?? '', both[2] ?? '']
    const digits = readSingle((wordsFirst ? second : first).trim(), context)
    if (digits.value === null) return null
    const reading = compareWordsAndDigits((wordsFirst ? first : second).trim(), digits.value)
    return reading.status === 'invalid' ? null : { ...withFlags(reading, digits.flags), currency: digits.currency }
  }
  const hasDollars = /\bdollars?\b/i.test(text)
  const words = readNumberWords(text.replace(/ ?\bdollars?$/i, ''))
  if (!words) return null
  const currency = hasDollars ? dollarOf(context.currency ?? 'USD') : null
  return { ...found(formatDecimal(parseDecimal(formatWorded(words)), CENTS)), currency }
}

/** More than one amount in the text: all of them, for a caller to choose from by what stands beside them. */
function readSeveral(text: string, context: ReadingContext): AmountReading | null {
  const pieces = [...text.matchAll(/(?<![\w.,])[$€£]? ?\d[\d.,]*/g)]
    .filter(piece => !/[\w%]/.test(text[piece.index + piece[0].length] ?? ''))
    .map(piece => piece[0])
  if (pieces.length < 2 || pieces.length > 12 || !/[$€£]|\b[A-Z]{3}\b/.test(text)) return null
  const readings = pieces.map(piece => readSingle(piece.trim().replace(/[.,]$/, ''), context))
  const values = [...new Set(readings.flatMap(reading => reading.value ?? []))]
  return values.length < 2 ? null : { ...ambiguous(['MULTIPLE_CANDIDATES'], values), currency: null }
}

function stripZeros(text: string): string {
  return text.charCodeAt(0) === 0x30 ? text.replace(/^0+(?=\d)/, '') : text
}
