import type { RawRow } from '../../../model/rows.ts'
import type { PayloadStore } from '../../../storage/payload-store.ts'
import { readRows } from '../../../tabular/split-file.ts'
import { type FileFormat, rowsUri } from '../../split/file-format.ts'
import { type DigestedRange, withRangeBytes } from '../../work/payload-bytes.ts'

/** Where the rows of a chunk lie in a payload. */
export interface ChunkRange extends DigestedRange {
  readonly firstItem: number
  readonly firstLine: number | null
  readonly records: number
}

/**
 * The rows of these numbers of a chunk, read from the payload as they were when they were worked. Throws `PAYLOAD_CORRUPT`
 * when the bytes are others by now.
 */
export async function readAgain(
  store: PayloadStore,
  file: { readonly payloadUri: string; readonly format: FileFormat },
  chunk: ChunkRange,
  items: ReadonlySet<number>
): Promise<ReadonlyMap<number, RawRow>> {
  const found = new Map<number, RawRow>()
  const { tabular } = file.format
  const start = { row: chunk.firstItem, line: chunk.firstLine ?? 1, records: chunk.records }
  await withRangeBytes(store, rowsUri(file.format, file.payloadUri), chunk, async bytes => {
    for await (const rows of readRows(bytes, tabular, start)) {
      for (const row of rows.filter(one => items.has(one.row))) found.set(row.row, row)
      if (found.size === items.size) break
    }
  })
  return found
}
