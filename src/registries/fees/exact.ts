import { negated, plus, quotient, rest, tenTo, times, type Whole, wholeOf } from './whole.ts'

/** An exact decimal number: `units` × 10^-`scale`. */
export interface Exact {
  readonly units: Whole
  readonly scale: number
}

export const ZERO: Exact = { units: 0, scale: 0 }

const PLAIN = /^(-?)(\d{1,20})(?:\.(\d{1,12}))?$/

/** Reads plain decimal text, such as `-12.50`; throws a RangeError for anything else. */
export function exact(text: string): Exact {
  const match = PLAIN.exec(text)
  if (!match) throw new RangeError('A fee is computed from an amount that is not a plain decimal.')
  const [, sign = '', whole = '', fraction = ''] = match
  const units = wholeOf(whole + fraction)
  return { units: sign === '' ? units : negated(units), scale: fraction.length }
}

/** Amounts of schedules, which every record is charged by, are read once. */
const constants = new Map<string, Exact>()
const MAX_CONSTANTS = 20_000

/** As `exact`, for the amounts that a schedule is made of. */
export function constant(text: string): Exact {
  let value = constants.get(text)
  if (value === undefined) {
    if (constants.size >= MAX_CONSTANTS) constants.clear()
    value = exact(text)
    constants.set(text, value)
  }
  return value
}

const unitsAt = (value: Exact, scale: number): Whole =>
  value.scale === scale ? value.units : times(value.units, tenTo(scale - value.scale))

/** The finer scale of the two. */
const finer = (a: Exact, b: Exact): number => (a.scale > b.scale ? a.scale : b.scale)

export function add(a: Exact, b: Exact): Exact {
  const scale = finer(a, b)
  return { units: plus(unitsAt(a, scale), unitsAt(b, scale)), scale }
}

export function subtract(a: Exact, b: Exact): Exact {
  return add(a, { units: negated(b.units), scale: b.scale })
}

export function multiply(a: Exact, b: Exact): Exact {
  return { units: times(a.units, b.units), scale: a.scale + b.scale }
}

/** Per cent of an amount, without loss. */
export const percentOf = (amount: Exact, percent: Exact): Exact => {
  const product = multiply(amount, percent)
  return { ...product, scale: product.scale + 2 }
}

/** Negative, zero or positive, as `a` is below, equal to or above `b`. */
export function compare(a: Exact, b: Exact): number {
  const scale = finer(a, b)
  const [left, right] = [unitsAt(a, scale), unitsAt(b, scale)]
  if (left < right) return -1
  return left > right ? 1 : 0
}

/** How many units, begun ones counted whole, an amount holds; neither is negative and the unit is not zero. */
export function unitsBegun(amount: Exact, unit: Exact): Exact {
  const scale = finer(amount, unit)
  const [of, by] = [unitsAt(amount, scale), unitsAt(unit, scale)]
  const whole = quotient(of, by)
  return { units: rest(of, by) > 0 ? plus(whole, 1) : whole, scale: 0 }
}

/** Plain decimal text with at least `decimals` decimals; zeros beyond are dropped, nothing else. */
export function exactText({ units, scale }: Exact, decimals = 0): string {
  const sign = units < 0 ? '-' : ''
  const digits = (units < 0 ? negated(units) : units).toString().padStart(scale + 1, '0')
  if (scale === decimals && scale > 0) return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
  const whole = digits.slice(0, digits.length - scale)
  let fraction = digits.slice(digits.length - scale)
  while (fraction.length > decimals && fraction.endsWith('0')) fraction = fraction.slice(0, -1)
  fraction = fraction.padEnd(decimals, '0')
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`
}

export const ROUNDING_MODES = ['half_up', 'half_even', 'ceil', 'floor'] as const
export type RoundingMode = (typeof ROUNDING_MODES)[number]

/** Whether what is left over a number of whole units makes one more of them; nothing here is negative. */
function goesUp(whole: Whole, left: Whole, unit: Whole, mode: RoundingMode): boolean {
  if (left <= 0 || mode === 'floor') return false
  if (mode === 'ceil') return true
  const twice = times(2, left)
  if (twice > unit) return true
  if (twice < unit) return false
  return mode === 'half_up' || rest(whole, 2) > 0
}

/** An amount that is not negative, rounded to a multiple of `unit`. */
export function roundTo(amount: Exact, unit: Exact, mode: RoundingMode): Exact {
  const scale = finer(amount, unit)
  const [value, step] = [unitsAt(amount, scale), unitsAt(unit, scale)]
  const whole = quotient(value, step)
  return { units: times(goesUp(whole, rest(value, step), step, mode) ? plus(whole, 1) : whole, step), scale }
}

/** Whole cents of an amount that is not negative; undefined when it has fractions of one, or more than a number holds exactly. */
export function centsOf({ units, scale }: Exact): number | undefined {
  const shift = scale - 2
  const factor = tenTo(Math.abs(shift))
  if (shift > 0 && rest(units, factor) > 0) return undefined
  const cents = Number(shift > 0 ? quotient(units, factor) : times(units, factor))
  return Number.isSafeInteger(cents) ? cents : undefined
}
