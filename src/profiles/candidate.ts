import type { Fields } from '../model/envelope.ts'
import type { Json } from '../model/json.ts'
import type { Reason } from '../model/reasons.ts'
import type { StoredEnvelope } from './judge/compact-fields.ts'

/** What was read of one record, before it is judged. */
export interface Candidate {
  /** Found fields, required fields that are absent, and every field with something to tell; other fields are left out. */
  readonly fields: Fields
  /** Submitted content that belongs to no field, by the name it was sent under. */
  readonly extra: Readonly<Record<string, Json>>
  readonly reasons: readonly Reason[]
}

/**
 * A record with a value in every field it must have, all of them surely read and none with anything to tell: what nearly
 * every row of a clean file comes to, without an envelope for each value.
 */
export interface PlainReading {
  /** The normalized values by field, and content of no field under `extra`: as `judge` answers them. */
  readonly values: Readonly<Record<string, Json>>
  /** Its envelopes as `compactFields` stores them. */
  readonly stored: Readonly<Record<string, StoredEnvelope>>
}
