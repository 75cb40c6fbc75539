import type { Json } from './json.ts'
import type { RowFault } from './rows.ts'

/** One chunk of a file as planned by splitting: a byte range of rows, a whole document, or a fault of the whole file. */
export interface ChunkPlan {
  readonly kind: 'rows' | 'document' | 'fault'
  readonly byteStart: number | null
  readonly byteEnd: number | null
  /** The first record's number in its file (from 1), or 0 for a document or a file-level fault. */
  readonly firstItem: number
  readonly firstLine: number | null
  readonly records: number
  readonly fault: RowFault | null
  /** Hex SHA-256 of the bytes of a chunk of rows. */
  readonly digest?: string
}

/** The one chunk of a document, or of a file that ends as one record with a reason. */
export const wholeFile = (kind: 'document' | 'fault', fault: RowFault | null): ChunkPlan => ({
  kind,
  byteStart: null,
  byteEnd: null,
  firstItem: 0,
  firstLine: null,
  records: 1,
  fault
})

/** What splitting has found so far. `final` is false when a split job must go on from `progress`. */
export interface FilePlan {
  readonly format: Json
  readonly chunks: readonly ChunkPlan[]
  readonly final: boolean
  readonly progress: Json
}
