/** A source of repeatable choices. */
export interface Random {
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number
  /** One of the list, which must not be empty. */
  pick<T>(list: readonly T[]): T
  /** That many decimal digits; the first is never 0. */
  digits(count: number): string
}

/** Choices that depend on the seed alone (mulberry32), the same on every machine. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
  const below = (limit: number): number => next() % limit
  return {
    below,
    pick<T>(list: readonly T[]): T {
      const chosen = list[below(list.length)]
      if (chosen === undefined) throw new RangeError('nothing to pick from')
      return chosen
    },
    digits(count) {
      const rest = Array.from({ length: count - 1 }, () => below(10))
      return [1 + below(9), ...rest].join('')
    }
  }
}
