/** Changes of header that are told apart; a file with more stays foreign to its end. */
const MAX_CHANGES = 100

/**
 * Which rows of a file stand under a header other than its own, as in files that were put together: their cells must not
 * be read by the first header's names. Kept as physical lines, in order: a foreign header, the own one again, and so on.
 */
export class ForeignRows {
  readonly #lines: number[]

  constructor(lines: readonly number[] = []) {
    this.#lines = [...lines]
  }

  /** Plain data from which another one goes on. */
  get lines(): readonly number[] {
    return this.#lines
  }

  /** The line of the foreign header that a row on `line` stands under, or null. */
  headerOf(line: number): number | null {
    if (this.#lines.length === 0) return null
    const above = this.#lines.filter(change => change < line)
    return above.length % 2 === 1 ? (above.at(-1) ?? null) : null
  }

  /** A header on `line`. What is known already, because the line is read again, changes nothing. */
  meet(line: number, isOwn: boolean): void {
    const isKnown = line <= (this.#lines.at(-1) ?? 0)
    const isUnder = this.#lines.length % 2 === 1
    if (isKnown || isOwn !== isUnder || this.#lines.length > MAX_CHANGES) return
    this.#lines.push(line)
  }
}
