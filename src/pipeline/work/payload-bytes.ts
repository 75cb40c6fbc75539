import type { ChunkWork } from '../../db/work/chunks.ts'
import { AppError } from '../../errors.ts'
import type { PayloadStore } from '../../storage/payload-store.ts'
import { fromStored, rowsUri } from '../split/file-format.ts'

/** The bytes of a chunk of rows, as a stream. */
export async function openChunk(store: PayloadStore, chunk: ChunkWork): Promise<AsyncIterable<Uint8Array>> {
  const { byteStart, byteEnd } = chunk
  if (byteStart === null || byteEnd === null) throw new AppError('INTERNAL', 'A chunk of rows has no byte range.')
  return store.open(rowsUri(chunk.format === null ? null : fromStored(chunk.format), chunk.payloadUri), {
    start: byteStart,
    end: byteEnd - 1
  })
}
