import { reasonOf } from '../../model/reasons.ts'
import type { Recalled } from '../decided/recall-decisions.ts'
import type { JudgedRecord } from './judged-record.ts'
import type { HeadOutcome } from './plan-heads.ts'
import type { ReadContender } from './read-otherwise.ts'

export type Identified = JudgedRecord & { readonly id: string }

/** A judged record with its id and its place among other content. */
export interface SettledRecord extends JudgedRecord {
  readonly id: string
  readonly version: number | null
  readonly duplicateOf: string | null
  readonly isVersion: boolean
}

/** Whether a record may follow one that is held, or be decided about. */
export const isOpen = (record: JudgedRecord): boolean => record.state !== 'rejected'

/** Record → the record it follows, from who holds each content (`twins`, by key). */
export function followersOf(
  records: readonly Identified[],
  twins: ReadonlyMap<string, string>
): ReadonlyMap<string, string> {
  return new Map(
    records.filter(isOpen).flatMap(({ id, idempotencyKey }): [string, string][] => {
      const twin = twins.get(idempotencyKey)
      return twin === undefined || twin === id ? [] : [[id, twin]]
    })
  )
}

/** The acceptable records that follow no other: they contend for the heads of their natural keys. */
export function contendersOf(
  records: readonly Pick<Identified, 'id' | 'item' | 'state' | 'naturalKey' | 'idempotencyKey' | 'content'>[],
  followed: ReadonlyMap<string, string>
): readonly ReadContender[] {
  return records.flatMap(({ id, item, state, naturalKey, idempotencyKey, content }): ReadContender[] =>
    state === 'accepted' && naturalKey !== null && !followed.has(id)
      ? [{ recordId: id, naturalKey, idempotencyKey, item, content }]
      : []
  )
}

/** Each record as a follower, a version, a duplicate or what it was judged. */
export function placeRecords(
  records: readonly (Identified & Recalled)[],
  followed: ReadonlyMap<string, string>,
  outcomes: ReadonlyMap<string, HeadOutcome>
): SettledRecord[] {
  return records.map(record => {
    const twin = followed.get(record.id)
    if (twin !== undefined) {
      const reasons = [...record.reasons, reasonOf('DUPLICATE_RECORD')]
      return { ...record, state: 'quarantined', reasons, version: null, duplicateOf: twin, isVersion: false }
    }
    const outcome = outcomes.get(record.id)
    return {
      ...record,
      version: outcome?.version ?? null,
      duplicateOf: outcome?.duplicateOf ?? record.rejectedAs ?? null,
      isVersion: outcome !== undefined && outcome.duplicateOf === null
    }
  })
}
