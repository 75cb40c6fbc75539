/** A small seeded generator (mulberry32), so that a failing run can be repeated. */
export class Random {
  readonly seed: number
  #state: number

  constructor(seed: number) {
    this.seed = seed
    this.#state = seed
  }

  /** A whole number from 0 to `below` − 1. */
  below(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new RangeError('nothing to pick from')
    return item
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => String(this.below(10))).join('')
  }

  text(characters: string, longest: number): string {
    const all = Array.from(characters)
    return Array.from({ length: this.below(longest + 1) }, () => this.pick(all)).join('')
  }
}

/** The seed of this run: `DOCKET_TEST_SEED`, else a new one. Tests print it. */
export function testSeed(): number {
  return Number(process.env['DOCKET_TEST_SEED'] ?? Date.now() % 1_000_000_007)
}
