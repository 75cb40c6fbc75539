/** A whole number: a `number` while that holds it exactly, which is many times as fast, a `bigint` beyond. */
export type Whole = number | bigint

// What is exact and not safe is never answered: the nearest number to a sum or product beyond the safe ones is not safe.

export function plus(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isSafeInteger(sum)) return sum
  }
  return BigInt(a) + BigInt(b)
}

export function times(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    // Nothing times a negative number is plain zero too.
    if (Number.isSafeInteger(product)) return product + 0
  }
  return BigInt(a) * BigInt(b)
}

export const negated = (a: Whole): Whole => (typeof a === 'number' ? 0 - a : -a)

/** What is left over when neither is negative and `by` is not zero. */
export const rest = (a: Whole, by: Whole): Whole =>
  typeof a === 'number' && typeof by === 'number' ? a % by : BigInt(a) % BigInt(by)

/** How many times `by` is whole in `a`, when neither is negative and `by` is not zero. */
export function quotient(a: Whole, by: Whole): Whole {
  // A multiple is divided exactly; the quotient of another could be rounded up.
  if (typeof a === 'number' && typeof by === 'number') return (a - (a % by)) / by
  return BigInt(a) / BigInt(by)
}

const POWERS: readonly number[] = Array.from({ length: 16 }, (_, power) => 10 ** power)

/** Ten to a power that is not negative. */
export const tenTo = (power: number): Whole => POWERS[power] ?? 10n ** BigInt(power)

/** Decimal digits, with `-` before them where it is negative. */
export const wholeOf = (digits: string): Whole => (digits.length < 16 ? Number(digits) + 0 : BigInt(digits))
