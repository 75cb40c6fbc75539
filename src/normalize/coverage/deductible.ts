import type { ReadingContext } from '../../model/reading.ts'
import { compareDecimals, distance, parseDecimal } from '../amounts/decimal.ts'
import { readPercent } from '../amounts/percent.ts'
import { percentOf } from '../amounts/sums.ts'
import { readMoney } from '../money.ts'
import { MAX_VALUE_LENGTH } from '../outcome.ts'
import { foldShort } from '../text.ts'

/** One deductible: an amount, a percentage of something, or a time. Percent as printed (`2`), money with two decimals. */
export interface Deductible {
  readonly peril: string | null
  readonly amount: string | null
  readonly percent: string | null
  readonly basis: 'coverage_a' | null
  readonly min: string | null
  readonly hours: number | null
}

export interface DeductibleReading {
  readonly deductibles: readonly Deductible[]
  readonly flags: readonly string[]
}

export interface DeductibleOptions {
  /** Coverage A in canonical decimal text, to check a stated amount against its percentage. */
  readonly coverageA?: string
  /** True when the heading says the column holds percentages. */
  readonly isPercentColumn?: boolean
}

const EMPTY: Deductible = { peril: null, amount: null, percent: null, basis: null, min: null, hours: null }
const PERILS: readonly (readonly [RegExp, string])[] = [
  [/\baop\b|all other perils/i, 'all_other_perils'],
  [/windstorm or hail|wind ?\/ ?hail|wind and hail/i, 'wind_hail'],
  [/named storm/i, 'named_storm'],
  [/hurricane/i, 'hurricane'],
  [/earthquake/i, 'earthquake'],
  [/all perils/i, 'all_perils'],
  [/comprehensive|\bcomp\b/i, 'comprehensive'],
  [/collision|\bcoll\b/i, 'collision']
]
const HOURS = /^(\d{1,3}) ?(?:hours?|hrs?)\b/i
const PERCENT = /(\d{1,3}(?:\.\d{1,4})?) ?%/
const PAIR = /^(?:ded(?:uctible)?\.? )?\$?([\d,]{1,12}) ?\/ ?\$?([\d,]{1,12})$/i
const MINIMUM = /(\$ ?[\d,]{1,15}(?:\.\d\d)?) min(?:imum)?\b/i
const MONEY = /\$ ?[\d,]{1,15}(?:\.\d\d)?/
/** A stated amount is rounded to the whole unit: ± 1. */
const TOLERANCE = parseDecimal('1')

/**
 * Reads a deductible as printed. A percentage without a basis is `BASIS_UNKNOWN` and never an amount; a bare
 * figure below one is `PERCENT_OR_AMOUNT_AMBIGUOUS`; an amount that is not its percentage of coverage A is
 * `DEDUCTIBLE_MISMATCH`.
 */
export function readDeductible(
  raw: string,
  context: ReadingContext,
  options: DeductibleOptions = {}
): DeductibleReading {
  const text = foldShort(raw, MAX_VALUE_LENGTH)
  const pair = PAIR.exec(text)
  if (pair) return readPair(pair, context)
  const hours = HOURS.exec(text)
  if (hours) return { deductibles: [{ ...EMPTY, peril: 'waiting_period', hours: Number(hours[1]) }], flags: [] }
  const peril = PERILS.find(([pattern]) => pattern.test(text))?.[1] ?? null
  if (PERCENT.test(text)) return readPercentDeductible(text, { ...EMPTY, peril }, context, options)
  if (options.isPercentColumn) {
    const { percent, flags } = readPercent(text, context, true)
    return { deductibles: [{ ...EMPTY, peril, percent }], flags }
  }
  if (/^0?\.\d{1,4}$/.test(text)) return { deductibles: [], flags: ['PERCENT_OR_AMOUNT_AMBIGUOUS'] }
  const amount = readMoney(MONEY.exec(text)?.[0] ?? text, { ...context, decimal: context.decimal ?? '.' })
  if (amount.value === null) return { deductibles: [], flags: amount.flags }
  return { deductibles: [{ ...EMPTY, peril, amount: amount.value }], flags: amount.flags }
}

function readPair(pair: RegExpExecArray, context: ReadingContext): DeductibleReading {
  const [first, second] = [pair[1], pair[2]].map(part => readMoney(part ?? '', { ...context, decimal: '.' }).value)
  if (!first || !second) return { deductibles: [], flags: ['INVALID_NUMBER'] }
  const comprehensive = { ...EMPTY, peril: 'comprehensive', amount: first }
  return { deductibles: [comprehensive, { ...EMPTY, peril: 'collision', amount: second }], flags: [] }
}

function readPercentDeductible(
  text: string,
  empty: Deductible,
  context: ReadingContext,
  options: DeductibleOptions
): DeductibleReading {
  const percent = PERCENT.exec(text)?.[1] ?? null
  const minimum = MINIMUM.exec(text)
  const min = minimum ? readMoney(minimum[1] ?? '', context).value : null
  const rest = minimum ? text.replace(minimum[0], '') : text
  const stated = MONEY.exec(rest)
  const amount = stated ? readMoney(stated[0], context).value : null
  const basis = /coverage a\b/i.test(text) ? 'coverage_a' : null
  const flags = basis === null && empty.peril === null ? ['BASIS_UNKNOWN'] : []
  const deductible = { ...empty, percent, amount, basis, min } as const
  return { deductibles: [deductible], flags: [...flags, ...mismatch(deductible, options.coverageA)] }
}

function mismatch(deductible: Deductible, coverageA: string | undefined): readonly string[] {
  const { amount, percent, basis } = deductible
  if (amount === null || percent === null || basis === null || coverageA === undefined) return []
  const apart = distance(parseDecimal(amount), parseDecimal(percentOf(percent, coverageA)))
  return compareDecimals(apart, TOLERANCE) <= 0 ? [] : ['DEDUCTIBLE_MISMATCH']
}
