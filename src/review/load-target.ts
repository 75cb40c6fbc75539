import type { Tx } from '../db/pool.ts'
import { isSpokenFor } from '../db/review/corrections.ts'
import { type HeldRecord, lockRecord } from '../db/review/held-records.ts'
import { AppError } from '../errors.ts'
import type { Json } from '../model/json.ts'
import type { Candidate } from '../profiles/candidate.ts'
import { expandFields, type RecordPlace, type StoredEnvelope } from '../profiles/judge/compact-fields.ts'
import type { Profile } from '../profiles/profile.ts'
import type { RecordTarget, ReviewDeps } from './review-deps.ts'

/** Locks the record and makes sure that it is held and unchanged since the caller saw it. */
export async function loadTarget(tx: Tx, target: RecordTarget): Promise<HeldRecord> {
  const record = await lockRecord(tx, target.jurisdiction, target.recordId)
  if (!record) throw new AppError('NOT_FOUND', 'There is no such record.')
  if (record.revision !== target.revision) {
    throw new AppError('REVISION_STALE', 'The record has changed since you read it. Read it again and decide anew.', {
      details: { current_revision: record.revision }
    })
  }
  if (record.state !== 'quarantined') {
    throw new AppError('RECORD_NOT_HELD', `The record is ${record.state}, not held; there is nothing to decide.`)
  }
  if (record.duplicateOf) {
    throw new AppError('RECORD_NOT_HELD', 'The record follows another one with the same content. Decide there.', {
      details: { duplicate_of: record.duplicateOf }
    })
  }
  if (await isSpokenFor(tx, target.jurisdiction, record.id)) {
    throw new AppError('RECORD_NOT_HELD', 'A corrected row for this record is being worked on. Look again in a moment.')
  }
  return record
}

/** The profile a record is judged under now. */
export function profileOfRecord(deps: Pick<ReviewDeps, 'profiles'>, record: HeldRecord): Profile {
  const profile = deps.profiles.get(record.profile)
  if (!profile) throw new AppError('PROFILE_UNKNOWN', `The profile ${record.profile} is not loaded here.`)
  return profile
}

/** Where a record stands in its file: what its stored envelopes are relative to. */
export function placeOf(record: Pick<HeldRecord, 'jurisdiction' | 'item' | 'line' | 'format'>): RecordPlace {
  const columns = (record.format as { columns?: Record<string, string> } | null)?.columns ?? {}
  return {
    jurisdiction: record.jurisdiction,
    row: record.item,
    line: record.line ?? 0,
    columnOf: field => columns[field]
  }
}

/** The candidate as it was judged, rebuilt from what is stored. */
export function candidateOf(profile: Profile, record: HeldRecord): Candidate {
  const content = (record.content ?? {}) as Readonly<Record<string, Json>>
  const { extra = {}, ...values } = content
  const stored = record.fields as Readonly<Record<string, StoredEnvelope>>
  return {
    fields: expandFields(profile, stored, values, placeOf(record)),
    extra: extra as Readonly<Record<string, Json>>,
    reasons: record.reasons
  }
}
