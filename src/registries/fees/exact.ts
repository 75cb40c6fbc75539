/** An exact decimal number: `units` × 10^-`scale`. */
export interface Exact {
  readonly units: bigint
  readonly scale: number
}

export const ZERO: Exact = { units: 0n, scale: 0 }

const PLAIN = /^(-?)(\d{1,20})(?:\.(\d{1,12}))?$/

/** Reads plain decimal text, such as `-12.50`; throws a RangeError for anything else. */
export function exact(text: string): Exact {
  const match = PLAIN.exec(text)
  if (!match) throw new RangeError('A fee is computed from an amount that is not a plain decimal.')
  const [, sign = '', whole = '', fraction = ''] = match
  const units = BigInt(whole + fraction)
  return { units: sign === '' ? units : -units, scale: fraction.length }
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

const unitsAt = (value: Exact, scale: number): bigint =>
  value.scale === scale ? value.units : value.units * 10n ** BigInt(scale - value.scale)

/** Both at the finer scale of the two. */
function aligned(a: Exact, b: Exact): readonly [a: bigint, b: bigint, scale: number] {
  const scale = Math.max(a.scale, b.scale)
  return [unitsAt(a, scale), unitsAt(b, scale), scale]
}

export function add(a: Exact, b: Exact): Exact {
  const [left, right, scale] = aligned(a, b)
  return { units: left + right, scale }
}

export function subtract(a: Exact, b: Exact): Exact {
  return add(a, { ...b, units: -b.units })
}

export function multiply(a: Exact, b: Exact): Exact {
  return { units: a.units * b.units, scale: a.scale + b.scale }
}

/** Per cent of an amount, without loss. */
export const percentOf = (amount: Exact, percent: Exact): Exact => {
  const product = multiply(amount, percent)
  return { ...product, scale: product.scale + 2 }
}

/** Negative, zero or positive, as `a` is below, equal to or above `b`. */
export function compare(a: Exact, b: Exact): number {
  const [left, right] = aligned(a, b)
  if (left === right) return 0
  return left < right ? -1 : 1
}

/** How many units, begun ones counted whole, an amount holds; neither is negative and the unit is not zero. */
export function unitsBegun(amount: Exact, unit: Exact): Exact {
  const [of, by] = aligned(amount, unit)
  return { units: (of + by - 1n) / by, scale: 0 }
}

/** Plain decimal text with at least `decimals` decimals; zeros beyond are dropped, nothing else. */
export function exactText({ units, scale }: Exact, decimals = 0): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  let fraction = digits.slice(digits.length - scale)
  while (fraction.length > decimals && fraction.endsWith('0')) fraction = fraction.slice(0, -1)
  fraction = fraction.padEnd(decimals, '0')
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`
}

export const ROUNDING_MODES = ['half_up', 'half_even', 'ceil', 'floor'] as const
export type RoundingMode = (typeof ROUNDING_MODES)[number]

/** Whether what is left over a number of whole units makes one more of them; nothing here is negative. */
function goesUp(whole: bigint, rest: bigint, unit: bigint, mode: RoundingMode): boolean {
  if (rest === 0n || mode === 'floor') return false
  if (mode === 'ceil') return true
  if (2n * rest === unit) return mode === 'half_up' || whole % 2n === 1n
  return 2n * rest > unit
}

/** An amount that is not negative, rounded to a multiple of `unit`. */
export function roundTo(amount: Exact, unit: Exact, mode: RoundingMode): Exact {
  const [value, step, scale] = aligned(amount, unit)
  const whole = value / step
  const rest = value % step
  return { units: (goesUp(whole, rest, step, mode) ? whole + 1n : whole) * step, scale }
}

/** Whole cents of an amount; undefined when it has fractions of one, or more than a number holds exactly. */
export function centsOf({ units, scale }: Exact): number | undefined {
  const shift = scale - 2
  const factor = 10n ** BigInt(Math.abs(shift))
  if (shift > 0 && units % factor !== 0n) return undefined
  const cents = Number(shift > 0 ? units / factor : units * factor)
  return Number.isSafeInteger(cents) ? cents : undefined
}
