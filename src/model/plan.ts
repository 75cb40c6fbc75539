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
}

/** What splitting has found so far. `final` is false when a split job must go on from `progress`. */
export interface FilePlan {
  readonly format: Json
  readonly chunks: readonly ChunkPlan[]
  readonly final: boolean
  readonly progress: Json
}
