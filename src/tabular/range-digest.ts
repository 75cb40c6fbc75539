import { createHash, type Hash } from 'node:crypto'

const ALGORITHM = 'sha256'

/**
 * Digests of the byte ranges that a file is cut into, made while it is read once. Where a range ends is known only after
 * bytes behind it were read: those are hashed twice, as the end of this range and as the beginning of the next, so that
 * none have to be kept.
 */
export class RangeDigest {
  /** Bytes of the range up to `#sureEnd`; bytes from there to `#at` alone; both together. */
  #sure = createHash(ALGORITHM)
  #tail: Hash | null = null
  #both: Hash | null = null
  #sureEnd: number
  #at: number
  /** Bytes read and not hashed yet, from `#at` on. */
  #pieces: Uint8Array[] = []

  /** `offset`: the byte of the file at which the first range begins. */
  constructor(offset: number) {
    this.#sureEnd = offset
    this.#at = offset
  }

  /** The bytes of a source, which must begin at `offset`, as they pass. */
  async *watch(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      this.#pieces.push(piece)
      yield piece
    }
  }

  /** Bytes up to `end` belong to this range. */
  take(end: number): void {
    if (end <= this.#sureEnd) return
    const both = this.#both
    this.#advance(end, both === null ? [this.#sure] : [both])
    if (both !== null) this.#sure = both
    this.#tail = null
    this.#both = null
    this.#sureEnd = end
  }

  /** Bytes up to `end` were read; behind those taken they belong to this range or to the next. */
  pass(end: number): void {
    if (end <= this.#at) return
    this.#tail ??= createHash(ALGORITHM)
    this.#both ??= this.#sure.copy()
    this.#advance(end, [this.#tail, this.#both])
  }

  /** Hex SHA-256 of the range that ends at `end`, at which the next one begins. */
  close(end: number): string {
    this.take(end)
    const digest = this.#sure.digest('hex')
    this.#sure = createHash(ALGORITHM)
    this.#both = this.#tail?.copy() ?? null
    return digest
  }

  #advance(to: number, hashes: readonly Hash[]): void {
    while (this.#at < to) {
      const [piece] = this.#pieces
      // A unit that the file cuts off at its end has bytes that are nowhere.
      if (piece === undefined) break
      const part = piece.subarray(0, to - this.#at)
      for (const hash of hashes) hash.update(part)
      if (part.length === piece.length) this.#pieces.shift()
      else this.#pieces[0] = piece.subarray(part.length)
      this.#at += part.length
    }
    this.#at = to
  }
}
