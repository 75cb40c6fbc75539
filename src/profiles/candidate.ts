import type { Fields } from '../model/envelope.ts'
import type { Json } from '../model/json.ts'
import type { Reason } from '../model/reasons.ts'

/** What was read of one record, before it is judged. */
export interface Candidate {
  /** Found fields, required fields that are absent, and every field with something to tell; other fields are left out. */
  readonly fields: Fields
  /** Submitted content that belongs to no field, by the name it was sent under. */
  readonly extra: Readonly<Record<string, Json>>
  readonly reasons: readonly Reason[]
}
