import type { Reading, ReadingContext } from '../../model/reading.ts'
import { divideDecimals, formatDecimal, multiplyDecimals, parseDecimal } from '../amounts/decimal.ts'
import { type AmountReading, readAmount } from '../money.ts'
import { derived, found, invalid, MAX_VALUE_LENGTH } from '../outcome.ts'
import { foldShort, foldText } from '../text.ts'

export type RentPeriod = 'month' | 'year' | 'quarter' | 'week' | 'psf_year' | 'psf_month'

/** A rent as written and what it comes to a month. */
export interface RentReading {
  /** The amount as written, per `period`. */
  readonly amount: AmountReading
  /** Null when the period is not stated. */
  readonly period: RentPeriod | null
  /** Per month, two decimals; `derived` when converted. Invalid `RATE_PERIOD_UNKNOWN` when it cannot be told. */
  readonly monthly: Reading<string>
  readonly flags: readonly string[]
}

const SQUARE_FOOT =
  /(?:\/|\bper |\ba )? ?(?:psf|p\.s\.f\.|r?sf|r\.s\.f\.|(?:rentable )?square foot|sq\.? ?ft\.?)(?![a-z])/i
const PERIODS: readonly (readonly [RegExp, 'month' | 'year' | 'quarter' | 'week'])[] = [
  [/(?:\/ ?|per |a |each )mo(?:nth|\.)?(?![a-z])|p\.m\.|\bmonthly\b/i, 'month'],
  [/(?:\/ ?|per |a |each )(?:yr|year|annum)(?![a-z])|p\.a\.|\bannual(?:ly)?\b|\byearly\b/i, 'year'],
  [/(?:\/ ?|per |a |each )(?:qtr|quarter)(?![a-z])|\bquarterly\b/i, 'quarter'],
  [/(?:\/ ?|per |a |each )(?:wk|week)(?![a-z])|\bweekly\b/i, 'week']
]
const TRAILER = /\b(?:exclusive|inclusive|nnn|triple net|net|gross|of (?:base )?rent)\b/gi
const ELECTRIC = /\+ ?E\b|plus electric(?:ity)?/i
const NET = /\bnnn\b|triple net/i
const ESTIMATE = /^est(?:\.|imated)? ?/i
const LABEL = /^[a-z][a-z ]{0,30}: ?/i

/**
 * Reads a rent with its period. A period is never assumed silently: `psf` alone is `RATE_PERIOD_UNKNOWN`;
 * `$18.50 NNN` and `$26.00+E` are read per square foot and year with `RATE_PERIOD_ASSUMED`, which `areaSqft`
 * (the rentable area standing beside it) removes for the latter. Weeks are never converted.
 */
export function readRent(raw: string, context: ReadingContext, areaSqft?: number): RentReading {
  const text = foldShort(raw, MAX_VALUE_LENGTH)
  const flags: string[] = []
  const body = text.replace(ESTIMATE, () => (flags.push('ESTIMATE'), '')).replace(LABEL, '')
  const amount = readAmount(stripQualifiers(body), context)
  const period = periodOf(body, flags, areaSqft)
  if (amount.value === null) return { amount, period, monthly: amount, flags }
  return { amount, period, monthly: monthlyRent(amount.value, period, areaSqft), flags }
}

/** What an amount per period comes to a month, rounded half up to the cent. */
export function monthlyRent(amount: string, period: RentPeriod | null, areaSqft?: number): Reading<string> {
  if (period === 'month') return found(amount)
  if (period === null || period === 'week') return invalid(['RATE_PERIOD_UNKNOWN'])
  const isPerFoot = period === 'psf_year' || period === 'psf_month'
  if (isPerFoot && areaSqft === undefined) return invalid(['AREA_UNKNOWN'])
  const area = { units: BigInt(isPerFoot ? (areaSqft ?? 0) : 1), scale: 0 }
  const months = { year: 12n, quarter: 3n, psf_year: 12n, psf_month: 1n }[period]
  const total = multiplyDecimals(parseDecimal(amount), area)
  return derived(formatDecimal(divideDecimals(total, { units: months, scale: 0 }, 2), 2))
}

/** What an amount per period comes to a year, exact; null when the period or a needed area is unknown. */
export function yearlyRent(amount: string, period: RentPeriod | null, areaSqft?: number): string | null {
  if (period === null || period === 'week') return null
  const isPerFoot = period === 'psf_year' || period === 'psf_month'
  if (isPerFoot && areaSqft === undefined) return null
  const times = { month: 12n, quarter: 4n, year: 1n, psf_year: 1n, psf_month: 12n }[period]
  const factor = times * BigInt(isPerFoot ? (areaSqft ?? 0) : 1)
  return formatDecimal(multiplyDecimals(parseDecimal(amount), { units: factor, scale: 0 }), 2)
}

function periodOf(text: string, flags: string[], areaSqft?: number): RentPeriod | null {
  const stated = PERIODS.find(([pattern]) => pattern.test(text))?.[1] ?? null
  if (SQUARE_FOOT.test(text)) {
    if (stated === 'month') return 'psf_month'
    if (stated === 'year') return 'psf_year'
    if (flags.includes('ESTIMATE')) return 'psf_year'
    flags.push('RATE_PERIOD_UNKNOWN')
    return null
  }
  if (stated) return stated
  if (ELECTRIC.test(text) || NET.test(text)) {
    if (ELECTRIC.test(text)) flags.push('PLUS_ELECTRIC')
    if (NET.test(text) || areaSqft === undefined) flags.push('RATE_PERIOD_ASSUMED')
    return 'psf_year'
  }
  flags.push('RATE_PERIOD_UNKNOWN')
  return null
}

function stripQualifiers(text: string): string {
  let rest = text.replace(ELECTRIC, '').replace(SQUARE_FOOT, '').replace(TRAILER, '')
  for (const [pattern] of PERIODS) rest = rest.replace(pattern, '')
  return foldText(rest)
}
