import type { Json } from '../../model/json.ts'
import type { Reason } from '../../model/reasons.ts'
import type { RecordState } from '../../model/states.ts'
import type { EntryFrame, Timeline } from '../audit-entries.ts'

export interface RecordOwner {
  readonly jurisdiction: string
  readonly batchId: string
  readonly fileId: string
  readonly fileNumber: number
  readonly chunkId: string
  readonly profile: string
  readonly manifest: number
}

/** A record as it becomes durable, with its first audit entry. */
export interface RecordRow {
  readonly id: string
  /** Of its commitments: 16 bytes in hex. */
  readonly salt: string
  /** Its number in the file from 1; 0 for a document or a file that could not be split. */
  readonly item: number
  readonly line: number | null
  readonly state: RecordState
  /** Hex. */
  readonly idempotencyKey: string
  readonly naturalKey: string | null
  readonly version: number | null
  readonly duplicateOf: string | null
  readonly confidence: number | null
  readonly reasons: readonly Reason[]
  /** Envelopes that differ from the file's default. */
  readonly fields: Json
  /** Normalized values. Stored as a version of content when `isVersion`, with the record itself when it is held. */
  readonly content: Json
  readonly isVersion: boolean
  readonly diagnostic: Json
  /** Index into the timelines. */
  readonly timeline: number
  /** Canonical JSON of the audit entry's detail; null for none. */
  readonly detail: string | null
}

/** What the audit entries of the set share. */
export interface RecordAudit {
  readonly frame: EntryFrame
  /** Hex: the hash of the batch's first entry, which all of them follow. */
  readonly previous: string
  readonly timelines: readonly Timeline[]
  /** Canonical JSON of the detail of plain records. */
  readonly plainDetail: string
}

/** The reason codes of a record as its audit entry has them: JSON text. */
export const codesOf = (row: Pick<RecordRow, 'reasons'>): string =>
  row.reasons.length === 0 ? '[]' : JSON.stringify(row.reasons.map(reason => reason.code))
