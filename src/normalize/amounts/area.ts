import type { Reading, ReadingContext } from '../../model/reading.ts'
import { readInteger } from '../number.ts'
import { found, invalid, MAX_VALUE_LENGTH, withFlags } from '../outcome.ts'
import { foldText } from '../text.ts'
import { multiplyDecimals, parseDecimal, roundDecimal } from './decimal.ts'
import { readNumeral } from './numeral.ts'

/** Square feet of one square metre, from 1 ft = 0.3048 m. */
const SQUARE_FEET_PER_SQUARE_METRE = parseDecimal('10.7639104')
const APPROXIMATE = /^(?:approximately|approx\.?|about|circa|ca\.|±|~|\+\/-) ?/i
const UNIT =
  / ?(?:(?:rentable|usable|gross|leasable|net) )?(?:(m2|sq\.? ?m\.?|sqm|square met(?:er|re)s?)|[rug]?\.?s\.?f\.?|sq\.? ?ft\.?|sqft|square fee?t?)$/i

/**
 * A floor area in whole square feet. Square metres are converted exactly, rounded half up and flagged
 * `UNIT_CONVERTED`; `approximately` is flagged `APPROXIMATE`.
 */
export function readArea(raw: string, context: ReadingContext): Reading<number> {
  if (raw.length > MAX_VALUE_LENGTH) return invalid(['INVALID_NUMBER'])
  const text = foldText(raw.replaceAll('²', '2').normalize('NFKC'))
  const figure = text.replace(APPROXIMATE, '')
  const flags = figure === text ? [] : ['APPROXIMATE']
  const unit = UNIT.exec(figure)
  const number = unit ? figure.slice(0, unit.index) : figure
  if (unit?.[1] !== undefined) return withFlags(convert(number, context), flags)
  return withFlags(readInteger(number, unit ? { ...context, decimal: context.decimal ?? '.' } : context), flags)
}

function convert(number: string, context: ReadingContext): Reading<number> {
  const [value] = readNumeral(number, { decimal: context.decimal ?? '.' }).values
  if (value === undefined) return invalid(['INVALID_NUMBER'])
  const feet = roundDecimal(multiplyDecimals(parseDecimal(value), SQUARE_FEET_PER_SQUARE_METRE), 0)
  const whole = Number(feet.units)
  return Number.isSafeInteger(whole) ? found(whole, ['UNIT_CONVERTED']) : invalid(['OUT_OF_RANGE'])
}
