import type { Reading, ReadingContext } from '../model/reading.ts'
import { isNotANumber, readAbsence } from './absence.ts'
import { formatDecimal, parseDecimal, shiftPoint } from './amounts/decimal.ts'
import { decimalSignOf } from './amounts/decimal-sign.ts'
import { readNumberWords } from './amounts/number-words.ts'
import { readNumeral } from './amounts/numeral.ts'
import { peelAmount } from './amounts/peel.ts'
import { isWithinRepairGate, repairDigits } from './ocr.ts'
import { absent, ambiguous, found, invalid, MAX_VALUE_LENGTH, withFlags } from './outcome.ts'
import { foldText } from './text.ts'

const PLAIN_INTEGER = /^(?:0|[1-9]\d{0,14})$/
const PLAIN_WHOLE = /^(?:0|-?[1-9]\d{0,17})$/
const PLAIN_DECIMAL = /^(?:0|-?[1-9]\d{0,17}|-?(?:0|[1-9]\d{0,17})\.\d{0,17}[1-9])$/
const FRACTIONS: Readonly<Record<string, string>> = { '1/2': '5', '1/4': '25', '3/4': '75' }
const MIXED_FRACTION = /^(?:(\d{1,6})[ -])?(1\/2|1\/4|3\/4)$/

/** Whether `readDecimal` surely gives the text back as it stands, without a flag; false proves nothing. */
export function isPlainDecimal(raw: string, context: ReadingContext): boolean {
  return decimalSignOf(context) === '.' ? PLAIN_DECIMAL.test(raw) : PLAIN_WHOLE.test(raw)
}

/** Whether `readInteger` surely reads the digits as they stand; false proves nothing. */
export const isPlainInteger = (raw: string): boolean => PLAIN_INTEGER.test(raw)

/**
 * A decimal number as canonical text, exact and without trailing zeros (`2.5`, `-122.425`). Also reads
 * `2 1/2`, `2½` and number words. `INVALID_NUMBER` or `AMBIGUOUS_NUMBER` with both readings otherwise.
 */
export function readDecimal(raw: string, context: ReadingContext): Reading<string> {
  if (isPlainDecimal(raw, context)) return found(raw)
  if (raw.length > MAX_VALUE_LENGTH) return invalid(['INVALID_NUMBER'])
  const text = foldText(
    raw
      .replace(/(?<=\d)(?=[½¼¾])/g, ' ')
      .normalize('NFKC')
      .replace(/[−⁄]/g, mark => (mark === '⁄' ? '/' : '-'))
  )
  const absence = readAbsence(text)
  if (absence) return absence
  if (isNotANumber(text)) return absent('PLACEHOLDER')
  const reading = readDecimalText(text, context)
  if (reading.status !== 'invalid' || context.source !== 'ocr') return reading
  const { text: repaired, repairs } = repairDigits(text)
  if (repairs === 0 || !isWithinRepairGate(repairs, text)) return reading
  const second = readDecimalText(repaired, context)
  return second.status === 'invalid' ? reading : withFlags(second, ['OCR_REPAIR'])
}

/**
 * A whole number. `72.0` is 72; `72.5` is invalid `NOT_INTEGER`; grouped `2,140` is 2140 because nothing
 * else is whole, `2,000` undeclared may be 2. Beyond 2^53 − 1 it is invalid `OUT_OF_RANGE`: no digit is ever lost.
 */
export function readInteger(raw: string, context: ReadingContext): Reading<number> {
  if (PLAIN_INTEGER.test(raw)) return found(Number(raw))
  const reading = readDecimal(raw, context)
  if (reading.status === 'ambiguous') return wholeOf(reading, raw)
  if (reading.value === null) return { value: null, status: reading.status, flags: reading.flags }
  if (reading.value.includes('.')) return invalid(['NOT_INTEGER', 'INVALID_NUMBER'])
  const value = Number(reading.value)
  return Number.isSafeInteger(value) ? found(value, reading.flags) : invalid(['OUT_OF_RANGE', 'INVALID_NUMBER'])
}

/** Of the readings of `2,140` only the grouped one is whole; of `1.234` the dot leaves a slip open, so a person decides. */
function wholeOf(reading: Reading<string>, raw: string): Reading<number> {
  const whole = (reading.readings ?? []).filter(value => !value.includes('.')).map(Number)
  const [only] = whole
  if (whole.length > 1) return ambiguous(['AMBIGUOUS_NUMBER'], whole)
  if (only === undefined) return invalid(['NOT_INTEGER', 'INVALID_NUMBER'])
  return raw.includes(',') ? found(only) : invalid(['AMBIGUOUS_NUMBER'], whole)
}

function readDecimalText(text: string, context: ReadingContext): Reading<string> {
  const mixed = MIXED_FRACTION.exec(text)
  if (mixed) return found(`${mixed[1] ?? '0'}.${FRACTIONS[mixed[2] ?? ''] ?? '0'}`)
  const peeled = peelAmount(text, 'USD')
  if (!peeled || peeled.currency !== null || peeled.negatives > 1) return invalid(['INVALID_NUMBER'])
  const numeral = readNumeral(peeled.numeral, { decimal: decimalSignOf(context) })
  const values = numeral.values.map(value => {
    const decimal = shiftPoint(parseDecimal(value), peeled.scale)
    return formatDecimal(peeled.negatives > 0 ? { ...decimal, units: -decimal.units } : decimal)
  })
  const flags = peeled.scale === 0 ? numeral.flags : [...numeral.flags, 'SCALED_SUFFIX']
  if (values.length > 1) return ambiguous(flags, values)
  const [value] = values
  if (value !== undefined) return found(value, flags)
  const words = readNumberWords(text)
  return words && words.hundredths === null ? found(`${words.whole}`) : invalid(['INVALID_NUMBER'])
}
