import type { Reading, ReadingContext } from '../../model/reading.ts'
import { readAbsence } from '../absence.ts'
import { ambiguous, found, invalid, MAX_VALUE_LENGTH } from '../outcome.ts'
import { foldText } from '../text.ts'
import { compareDecimals, type Decimal, distance, formatDecimal, parseDecimal, shiftPoint } from './decimal.ts'
import { decimalSignOf } from './decimal-sign.ts'
import { readNumberWords } from './number-words.ts'
import { readNumeral } from './numeral.ts'

/** A share: `value` is the exact fraction of one (`0.0833`), `percent` the figure as printed (`8.33`). */
export interface PercentReading extends Reading<string> {
  readonly percent: string | null
}

const FRACTION_WORDS: ReadonlyMap<string, Decimal> = new Map([
  ['one half', { units: 5000n, scale: 4 }],
  ['one-half', { units: 5000n, scale: 4 }],
  ['one quarter', { units: 2500n, scale: 4 }],
  ['one-quarter', { units: 2500n, scale: 4 }],
  ['three quarters', { units: 7500n, scale: 4 }],
  ['one third', { units: 3333n, scale: 4 }],
  ['one-third', { units: 3333n, scale: 4 }],
  ['two thirds', { units: 6667n, scale: 4 }],
  ['two-thirds', { units: 6667n, scale: 4 }]
])
const UNIT = / ?(%|percent|per cent|pct\.?|basis points?|bps?)$/i
const BOTH = /^([a-z][a-z -]{0,80}) (?:percent|per cent) ?\(([\d.,]{1,12}) ?%\)$/i
/** Words and digits of a percentage may differ by the rounding of the digits: 0.01 point. */
const ROUNDING: Decimal = { units: 1n, scale: 2 }

/**
 * A percentage as an exact fraction. A number without a sign or unit is one only when `isPercentColumn`
 * says its heading does; otherwise `PERCENT_OR_AMOUNT_AMBIGUOUS`, never a guess.
 */
export function readPercent(raw: string, context: ReadingContext, isPercentColumn = false): PercentReading {
  if (raw.length > MAX_VALUE_LENGTH) return { ...invalid(['INVALID_NUMBER']), percent: null }
  const text = foldText(raw.normalize('NFKC'))
  const absence = readAbsence(text)
  if (absence) return { ...absence, percent: null }
  const both = BOTH.exec(text)
  if (both) return comparePercents(both[1] ?? '', both[2] ?? '', context)
  const unit = UNIT.exec(text)
  const figure = readFigure(unit ? text.slice(0, unit.index) : text, context)
  if (figure === null) return { ...invalid(['INVALID_NUMBER']), percent: null }
  if (!unit && !isPercentColumn) return { ...invalid(['PERCENT_OR_AMOUNT_AMBIGUOUS']), percent: null }
  const isBasisPoints = /^b/i.test(unit?.[1] ?? '')
  return asPercent(isBasisPoints ? shiftPoint(figure, -2) : figure)
}

function asPercent(percent: Decimal, flags: readonly string[] = []): PercentReading {
  return { ...found(formatDecimal(shiftPoint(percent, -2)), flags), percent: formatDecimal(percent) }
}

function comparePercents(words: string, digits: string, context: ReadingContext): PercentReading {
  const worded = readWordedFigure(words)
  const printed = readFigure(digits, context)
  if (!worded || !printed) return { ...invalid(['INVALID_NUMBER']), percent: null }
  const apart = distance(worded, printed)
  if (compareDecimals(apart, { units: 0n, scale: 0 }) === 0) return asPercent(printed)
  if (compareDecimals(apart, ROUNDING) <= 0) return asPercent(printed, ['WORDS_DIGITS_ROUNDED'])
  const readings = [worded, printed].map(figure => formatDecimal(shiftPoint(figure, -2)))
  return { ...ambiguous(['WORDS_DIGITS_MISMATCH'], readings), percent: null }
}

function readFigure(text: string, context: ReadingContext): Decimal | null {
  const { values } = readNumeral(text.trim(), { decimal: decimalSignOf(context) ?? '.' })
  const [value] = values
  return value === undefined ? readWordedFigure(text) : parseDecimal(value)
}

/** `three`, `twenty-five`, `eight and one third`. */
function readWordedFigure(text: string): Decimal | null {
  const words = text.trim().toLowerCase()
  const at = words.lastIndexOf(' and ')
  const fraction = FRACTION_WORDS.get(at < 0 ? words : words.slice(at + 5))
  if (fraction && at < 0) return fraction
  const whole = readNumberWords(fraction ? words.slice(0, at) : words)
  if (!whole || whole.hundredths !== null) return null
  return { units: whole.whole * 10_000n + (fraction?.units ?? 0n), scale: 4 }
}
