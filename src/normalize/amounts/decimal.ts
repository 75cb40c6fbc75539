/** An exact decimal number: `units` × 10^-`scale`. */
export interface Decimal {
  readonly units: bigint
  readonly scale: number
}

/** Reads canonical decimal text (`-12.50`) without loss. Throws a RangeError on anything else: callers pass their own output. */
export function parseDecimal(text: string): Decimal {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) throw new RangeError('not canonical decimal text')
  const point = text.indexOf('.')
  if (point < 0) return { units: BigInt(text), scale: 0 }
  return { units: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 }
}

/** Canonical text with at least `minScale` decimals; no digit is dropped except zeros beyond `minScale`. */
export function formatDecimal(decimal: Decimal, minScale = 0): string {
  const sign = decimal.units < 0n ? '-' : ''
  const digits = (decimal.units < 0n ? -decimal.units : decimal.units).toString().padStart(decimal.scale + 1, '0')
  const whole = digits.slice(0, digits.length - decimal.scale)
  let fraction = digits.slice(digits.length - decimal.scale)
  let end = fraction.length
  while (end > minScale && fraction[end - 1] === '0') end -= 1
  fraction = fraction.slice(0, end).padEnd(minScale, '0')
  return fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`
}

/** Exact sum. */
export function addDecimals(left: Decimal, right: Decimal): Decimal {
  const scale = Math.max(left.scale, right.scale)
  return { units: unitsAt(left, scale) + unitsAt(right, scale), scale }
}

/** Exact product. */
export function multiplyDecimals(left: Decimal, right: Decimal): Decimal {
  return { units: left.units * right.units, scale: left.scale + right.scale }
}

/** Quotient rounded half away from zero to `scale` decimals. Throws a RangeError on a zero divisor. */
export function divideDecimals(left: Decimal, right: Decimal, scale: number): Decimal {
  if (right.units === 0n) throw new RangeError('division by zero')
  const shift = scale + right.scale - left.scale
  const numerator = shift >= 0 ? left.units * 10n ** BigInt(shift) : left.units
  const denominator = shift >= 0 ? right.units : right.units * 10n ** BigInt(-shift)
  return { units: roundedQuotient(numerator, denominator), scale }
}

/** Rounded half away from zero to `scale` decimals. */
export function roundDecimal(decimal: Decimal, scale: number): Decimal {
  if (decimal.scale <= scale) return { units: unitsAt(decimal, scale), scale }
  return { units: roundedQuotient(decimal.units, 10n ** BigInt(decimal.scale - scale)), scale }
}

/** Negative, zero or positive, as `left` is below, equal to or above `right`. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const scale = Math.max(left.scale, right.scale)
  const difference = unitsAt(left, scale) - unitsAt(right, scale)
  if (difference === 0n) return 0
  return difference < 0n ? -1 : 1
}

/** The distance between two numbers, never negative. */
export function distance(left: Decimal, right: Decimal): Decimal {
  const difference = addDecimals(left, { ...right, units: -right.units })
  return difference.units < 0n ? { ...difference, units: -difference.units } : difference
}

/** Moves the decimal point `places` to the right (left when negative), exactly. */
export function shiftPoint(decimal: Decimal, places: number): Decimal {
  if (places <= decimal.scale) return { units: decimal.units, scale: decimal.scale - places }
  return { units: decimal.units * 10n ** BigInt(places - decimal.scale), scale: 0 }
}

function unitsAt(decimal: Decimal, scale: number): bigint {
  return decimal.units * 10n ** BigInt(scale - decimal.scale)
}

function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const isNegative = numerator < 0n !== denominator < 0n
  const top = numerator < 0n ? -numerator : numerator
  const bottom = denominator < 0n ? -denominator : denominator
  const rounded = (2n * top + bottom) / (2n * bottom)
  return isNegative ? -rounded : rounded
}
