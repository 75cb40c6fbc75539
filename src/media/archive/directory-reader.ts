import { buffer } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import { RandomAccessReader } from 'yauzl'
import type { OpenRange } from '../zip-source.ts'

/** Bytes read at a time: headers are small and stand close together, and a store is slow to open. */
const BLOCK_BYTES = 256 * 1024

/** Gives yauzl the headers of an archive that lies in a store. What the store throws is kept, to be told from faults of the archive. */
export class DirectoryReader extends RandomAccessReader {
  readonly #open: OpenRange
  readonly #size: number
  #block = { start: 0, bytes: Buffer.alloc(0) }
  failure: unknown

  constructor(open: OpenRange, size: number) {
    super()
    this.#open = open
    this.#size = size
  }

  override read(...[target, offset, length, position, done]: Parameters<RandomAccessReader['read']>): void {
    const copy = callbackify(async () => {
      const bytes = await this.bytesAt(position, length)
      bytes.copy(target, offset)
    })
    copy(done)
  }

  /** So many bytes from `start` on. Throws when the archive ends before, and what the store throws, which is kept. */
  async bytesAt(start: number, length: number): Promise<Buffer> {
    const bytes = await this.#bytes(start, length).catch((error: unknown) => {
      this.failure ??= error
      throw error
    })
    if (bytes.length < length) throw new Error('The archive ends within a header.')
    return bytes
  }

  async #bytes(start: number, length: number): Promise<Buffer> {
    if (start < 0 || start + length > this.#size) return Buffer.alloc(0)
    const at = start - this.#block.start
    if (at < 0 || at + length > this.#block.bytes.length) {
      const end = Math.min(this.#size, start + Math.max(length, BLOCK_BYTES)) - 1
      this.#block = { start, bytes: await buffer(await this.#open({ start, end })) }
      return this.#block.bytes.subarray(0, length)
    }
    return this.#block.bytes.subarray(at, at + length)
  }
}
