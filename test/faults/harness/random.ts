/** All chance of a run comes from one seed, so that it can be repeated. */
export interface Chance {
  readonly seed: number
  /** From 0 up to 1. */
  next(): number
  /** A whole number below `n`. */
  below(n: number): number
  /** A whole number of `from` to `to`, both included. */
  between(from: number, to: number): number
  pick<T>(items: readonly T[]): T
  /** Another source that depends on this one's seed and the name alone: what one part draws changes nothing for another. */
  fork(name: string): Chance
}

/** mulberry32: small, quick, and the same everywhere. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (n: number): number => Math.floor(next() * n)
  return {
    seed,
    next,
    below,
    between: (from, to) => from + below(to - from + 1),
    pick<T>(items: readonly T[]): T {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    fork: name => chanceOf(Buffer.from(name).reduce((hash, byte) => Math.imul(hash ^ byte, 16_777_619), seed))
  }
}
