import type { ChunkWork } from '../../db/work/chunks.ts'
import { canonicalParcel } from '../../normalize/codes/parcel.ts'
import { type ParcelScheme, parcelSchemeOf } from '../../normalize/codes/parcel-schemes.ts'
import type { Candidate } from '../../profiles/candidate.ts'
import {
  canonicalList,
  PARCELS,
  prepareParcel,
  unprepareParcel,
  withoutDueDay
} from '../../profiles/jurisdiction-rules/prepare.ts'
import type { Profile } from '../../profiles/profile.ts'
import { type Draft, diagnosticOf, failedCandidate } from '../work/judge-candidates.ts'
import type { RulesInForce } from './jurisdiction-rules.ts'

/** Under which rules one record stands. */
export interface RecordRules {
  readonly jurisdiction: string
  /** RFC 3339. */
  readonly receivedAt: string
  readonly profile: Profile
  readonly inForce: RulesInForce | undefined
}

const schemeFor = (profile: Profile, jurisdiction: string): ParcelScheme | null =>
  profile.fields['parcel_id'] === undefined ? null : parcelSchemeOf(jurisdiction)

/**
 * What one record is before it is judged again, as `prepareDrafts` makes it of many; what rules had said of it before that
 * are no longer in force is gone.
 */
export function prepareCandidate(judged: Candidate, rules: RecordRules): Candidate {
  const { jurisdiction, receivedAt, profile, inForce } = rules
  const candidate = withoutDueDay(judged)
  if (inForce) return inForce.rules.prepare(candidate, receivedAt)
  const scheme = schemeFor(profile, jurisdiction)
  return scheme ? prepareParcel(candidate, scheme, 'keep') : unprepareParcel(candidate)
}

/** Whether a row that has nothing to tell stays as it is: its parcel numbers have no other form. */
function isAsCanonical({ plain }: Draft, scheme: ParcelScheme): boolean {
  if (plain && canonicalList(plain.values[PARCELS], scheme) !== null) return false
  const value = plain?.values['parcel_id']
  if (typeof value !== 'string') return plain !== undefined && plain !== null
  const canonical = canonicalParcel(value, scheme)
  return canonical === null || canonical.value === value
}

function prepared(draft: Draft, scheme: ParcelScheme): Draft {
  if (isAsCanonical(draft, scheme)) return draft
  const before = draft.candidate
  const candidate = prepareParcel(before, scheme, 'keep')
  if (candidate === before) return draft
  const { item, line, idempotencyKey, diagnostic } = draft
  return { item, line, idempotencyKey, diagnostic, candidate }
}

/**
 * What records are before they are enriched: parcel numbers in the form of their office, and what the rules of the
 * jurisdiction derive. A jurisdiction that has neither costs nothing. A record that this fails on is held.
 */
export function prepareDrafts(
  chunk: ChunkWork,
  drafts: readonly Draft[],
  { profile, inForce }: { readonly profile: Profile; readonly inForce: RulesInForce | undefined }
): readonly Draft[] {
  const scheme = schemeFor(profile, chunk.jurisdiction)
  if (!inForce && !scheme) return drafts
  return drafts.map(draft => {
    try {
      if (!inForce) return scheme ? prepared(draft, scheme) : draft
      const { item, line, idempotencyKey, diagnostic } = draft
      const candidate = inForce.rules.prepare(draft.candidate, chunk.receivedAt)
      return { item, line, idempotencyKey, diagnostic, candidate }
    } catch (error) {
      const { item, line, idempotencyKey } = draft
      const diagnostic = diagnosticOf('extracted', error, chunk.manifestVersion)
      return { item, line, idempotencyKey, candidate: failedCandidate(item, line), diagnostic }
    }
  })
}
