import type { ChunkWork } from '../../db/work/chunks.ts'
import { AppError } from '../../errors.ts'
import type { PayloadStore } from '../../storage/payload-store.ts'
import { fromStored, rowsUri } from '../split/file-format.ts'

/**
 * Hands the bytes of a chunk of rows to `read`, as a stream that is closed afterwards: what fails before it reads, or
 * finds that there is nothing to read, leaves no file open.
 */
export async function withChunkBytes<T>(
  store: PayloadStore,
  chunk: ChunkWork,
  read: (bytes: AsyncIterable<Uint8Array>) => Promise<T>
): Promise<T> {
  const { byteStart, byteEnd } = chunk
  if (byteStart === null || byteEnd === null) throw new AppError('INTERNAL', 'A chunk of rows has no byte range.')
  const bytes = await store.open(rowsUri(chunk.format === null ? null : fromStored(chunk.format), chunk.payloadUri), {
    start: byteStart,
    end: byteEnd - 1
  })
  try {
    return await read(bytes)
  } finally {
    bytes.destroy()
  }
}
