import type { Json } from '../../model/json.ts'
import type { Reason } from '../../model/reasons.ts'
import type { RecordState } from '../../model/states.ts'

/** A record when all steps are done and only the commit is left. */
export interface JudgedRecord {
  /** Its number in the file from 1; 0 for a document or a file that could not be split. */
  readonly item: number
  readonly line: number | null
  readonly state: RecordState
  /** Hex. */
  readonly idempotencyKey: string
  readonly naturalKey: string | null
  readonly confidence: number | null
  readonly reasons: readonly Reason[]
  /** Envelopes that differ from the file's default. */
  readonly fields: Json
  /** Normalized values. */
  readonly content: Json
  readonly diagnostic: Json
}

/** Milliseconds each stage took for the whole chunk, by stage. */
export type StageMs = Readonly<Record<string, number>>
