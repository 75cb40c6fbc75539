import { createHash } from 'node:crypto'
import { Block } from './block.ts'

/** Bytes of a passed-over stretch that are kept to be seen. */
const SHOWN_BYTES = 16_384

/**
 * What is passed over because it cannot be held in memory or read: its beginning is kept to be seen, its digest keeps
 * two different ones apart. Gives the same whatever pieces the stretch came in.
 */
export class Skipped {
  readonly #hash = createHash('sha256')
  readonly #shown: Buffer[] = []
  #bytes = 0

  /** Adds `start` to `end` (units) of the block. */
  add(block: Block, start: number, end: number): void {
    const bytes = block.bytes.subarray(start * block.unit, end * block.unit)
    this.#hash.update(bytes)
    if (this.#bytes < SHOWN_BYTES) this.#shown.push(Buffer.from(bytes.subarray(0, SHOWN_BYTES - this.#bytes)))
    this.#bytes += bytes.length
  }

  /** The beginning as storable text, and for longer ones length and digest of the whole. Ends the use of this object. */
  source(encoding: Block['encoding']): string {
    const shown = new Block(Buffer.concat(this.#shown), encoding, true)
    const text = shown.show(0, shown.length)
    return this.#bytes <= SHOWN_BYTES ? text : `${text} … [${this.#bytes} bytes, sha-256 ${this.#hash.digest('hex')}]`
  }
}
