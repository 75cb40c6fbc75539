import { createHash } from 'node:crypto'
import type { ChunkWork } from '../../db/work/chunks.ts'
import { AppError } from '../../errors.ts'
import type { PayloadStore } from '../../storage/payload-store.ts'
import { fromStored, rowsUri } from '../split/file-format.ts'

/**
 * Hands the bytes of a chunk of rows to `read`, as a stream that is closed afterwards: what fails before it reads, or
 * finds that there is nothing to read, leaves no file open. Throws `PAYLOAD_CORRUPT`, whatever was read, when the bytes
 * are not those that were split.
 */
export async function withChunkBytes<T>(
  store: PayloadStore,
  chunk: ChunkWork,
  read: (bytes: AsyncIterable<Uint8Array>) => Promise<T>
): Promise<T> {
  const uri = rowsUri(chunk.format === null ? null : fromStored(chunk.format), chunk.payloadUri)
  return withRangeBytes(store, uri, chunk, read)
}

/** Where the bytes of a chunk lie, and their SHA-256; null where it is not known. */
export interface DigestedRange {
  readonly byteStart: number | null
  readonly byteEnd: number | null
  readonly digest: Buffer | null
}

/** The same for a range of an object of the store. */
export async function withRangeBytes<T>(
  store: PayloadStore,
  uri: string,
  { byteStart, byteEnd, digest }: DigestedRange,
  read: (bytes: AsyncIterable<Uint8Array>) => Promise<T>
): Promise<T> {
  if (byteStart === null || byteEnd === null) throw new AppError('INTERNAL', 'A chunk of rows has no byte range.')
  const bytes = await store.open(uri, { start: byteStart, end: byteEnd - 1 })
  try {
    const hashed = new HashedBytes(bytes)
    const result = await read(hashed.passing())
    const found = await hashed.digest()
    if (digest !== null && !digest.equals(found)) {
      throw new AppError('PAYLOAD_CORRUPT', 'The stored bytes of a chunk are not those that were split.')
    }
    return result
  } finally {
    bytes.destroy()
  }
}

/** Bytes that are hashed as they pass, also those that the reader leaves. */
class HashedBytes {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #hash = createHash('sha256')

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async *passing(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const { value, done } = await this.#source.next()
      if (done) return
      this.#hash.update(value)
      yield value
    }
  }

  async digest(): Promise<Buffer> {
    for await (const _ of this.passing()) continue
    return this.#hash.digest()
  }
}
