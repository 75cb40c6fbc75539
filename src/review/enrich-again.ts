import type { KeptAnswers } from '../db/registries/answers.ts'
import type { Envelope, Fields } from '../model/envelope.ts'
import type { Reason, ReasonCode } from '../model/reasons.ts'
import { type EnrichDeps, type EnrichedChunk, enrichDrafts } from '../pipeline/enrich/enrich-drafts.ts'
import type { Candidate } from '../profiles/candidate.ts'
import type { Profile } from '../profiles/profile.ts'

/** What registries say where a person may know better: it warns once the person has entered the value. */
const OVERRULED: ReadonlySet<ReasonCode> = new Set([
  'PARCEL_NO_MATCH',
  'PARCEL_MULTIPLE',
  'PARCEL_RETIRED',
  'ZONING_NO_MATCH',
  'PROPERTY_NO_MATCH',
  'PROPERTY_MULTIPLE',
  'REGISTRY_STALE'
])

/** Reasons that enrichment gives; it gives them anew. */
const OF_REGISTRIES: ReadonlySet<ReasonCode> = new Set([
  ...OVERRULED,
  'ENRICH_UNAVAILABLE',
  'FEE_SCHEDULE_MISSING',
  'FEE_INPUT_MISSING',
  'FEE_NOT_COVERED',
  'OWNER_DIFFERS',
  'ADDRESS_DIFFERS'
])

const isFromRegistry = ({ origin }: Envelope): boolean => origin !== null && 'registry' in origin

/** A value that stands, without what a registry had said of it. */
function withoutRemarks(envelope: Envelope): Envelope {
  const flags = envelope.flags.filter(flag => !OF_REGISTRIES.has(flag as ReasonCode))
  if (flags.length === envelope.flags.length || envelope.value === null) return envelope
  const { readings: _, ...rest } = envelope
  return { ...rest, flags }
}

/** The candidate as it was before it was enriched. */
function unenriched(profile: Profile, { fields, extra, reasons }: Candidate): Candidate {
  const kept = Object.entries(fields).filter(
    ([name, envelope]) => profile.fields[name]?.filledBy !== 'registry' || !isFromRegistry(envelope)
  )
  return {
    fields: Object.fromEntries(kept.map(([name, envelope]) => [name, withoutRemarks(envelope)])),
    extra,
    reasons: reasons.filter(({ code }) => !OF_REGISTRIES.has(code))
  }
}

const entered = (fields: Fields, { code, field }: Reason): boolean =>
  OVERRULED.has(code) && field !== null && fields[field]?.status === 'human'

/** A candidate, and what registries answered about it; null when none was asked. */
export interface EnrichedAgain {
  readonly candidate: Candidate
  readonly answers: KeptAnswers | null
}

/**
 * Asks the registries again about a record that a person has changed, so that nothing stays in it that was told of other
 * values: zoning of another parcel, the fee of another valuation. What a person entered against a registry is warned of; a
 * registry that is away, or a fee that cannot be told, holds the record. Of registries that are no longer configured nothing
 * stays.
 */
export async function enrichAgain(
  deps: EnrichDeps,
  chunk: EnrichedChunk & { readonly profileOf: Profile },
  candidate: Candidate
): Promise<EnrichedAgain> {
  const before = unenriched(chunk.profileOf, candidate)
  if ((await deps.sources(chunk.jurisdiction)).size === 0) return { candidate: before, answers: null }
  const draft = { item: 0, line: null, idempotencyKey: '', diagnostic: null, candidate: before }
  const { drafts, answers } = await enrichDrafts(deps, chunk, [draft], new AbortController().signal)
  const enriched = drafts[0]?.candidate ?? before
  const { fields } = enriched
  const reasons = enriched.reasons.map(reason =>
    entered(fields, reason) ? { ...reason, severity: 'warn' as const } : reason
  )
  return { candidate: { ...enriched, reasons }, answers }
}

/** Whether a record has reasons that registries gave. */
export const isHeldByRegistry = (reasons: readonly Reason[]): boolean =>
  reasons.some(({ code }) => OF_REGISTRIES.has(code))
