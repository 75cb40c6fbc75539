import { AppError } from '../../errors.ts'
import type { Envelope, Fields } from '../../model/envelope.ts'
import type { Reason, ReasonCode } from '../../model/reasons.ts'
import type { Candidate } from '../candidate.ts'
import type { Field, Profile, ReadContext } from '../profile.ts'
import { reasonsOfFields } from '../reading/field-reasons.ts'
import { jurisdictionFromBatch } from '../reading/jurisdiction-from-batch.ts'
import { mapEnum } from '../reading/map-enum.ts'
import { readList } from '../reading/read-list.ts'
import { readValue } from '../reading/read-value.ts'
import type { JudgeContext } from './judge.ts'

/** What corrections are read under. */
export interface CorrectionContext {
  /** `YYYY-MM-DD`. */
  readonly today: string
  readonly jurisdiction: string
  readonly jurisdictionRules?: JudgeContext['jurisdictionRules']
}

const NO_FLAGS: readonly string[] = Object.freeze([])
const CLEARED: readonly string[] = Object.freeze(['CLEARED_BY_HAND'])

function envelopeOfCorrection(field: Field, text: string | null, context: ReadContext): Envelope | null {
  const base = { raw: text, origin: null, confidence: 1, flags: NO_FLAGS }
  if (text === null) return { ...base, value: null, status: 'absent', confidence: 0, flags: CLEARED }
  const reading = field.type === 'list' ? readList(field, text, false, context) : readValue(field, text, context)
  if (reading.value === null) return null
  return { ...base, value: reading.value, status: 'human', flags: reading.flags }
}

function correctionsRefused(profile: Profile, refused: readonly string[]): string {
  const isSet = (name: string): boolean =>
    Object.hasOwn(profile.fields, name) && profile.fields[name]?.filledBy !== 'registry'
  const unread = refused.filter(isSet)
  const unknown = refused.filter(name => !isSet(name))
  return [
    unread.length === 0
      ? []
      : `These values cannot be read, or not in one way only: ${unread.join(', ')}. Write dates as YYYY-MM-DD and amounts with a point.`,
    unknown.length === 0
      ? []
      : `These are no fields of ${profile.name} that a person sets: ${unknown.join(', ')}. GET /v1/profiles/${profile.name}/schema lists all.`
  ]
    .flat()
    .join(' ')
}

function readCorrections(
  profile: Profile,
  corrections: Readonly<Record<string, string | null>>,
  context: CorrectionContext
): Map<string, Envelope> {
  const envelopes = new Map<string, Envelope>()
  const refused: string[] = []
  for (const [name, text] of Object.entries(corrections)) {
    const field = Object.hasOwn(profile.fields, name) ? profile.fields[name] : undefined
    const envelope =
      field === undefined || field.filledBy === 'registry'
        ? null
        : envelopeOfCorrection(field, text, { ...context, yearPivot: field.yearPivot, decimal: '.', source: 'text' })
    if (envelope === null) refused.push(name)
    else envelopes.set(name, envelope)
  }
  if (refused.length > 0) {
    throw new AppError('FIELD_INVALID', correctionsRefused(profile, refused), { details: { fields: refused } })
  }
  return envelopes
}

/**
 * The companions of corrected fields follow them, unless they were corrected themselves. Those that were derived are derived
 * anew: the words of an office may have said them, and those in force now are asked afterwards.
 */
function mapCompanions(
  profile: Profile,
  fields: Record<string, Envelope>,
  corrected: ReadonlyMap<string, Envelope>
): void {
  for (const { name, mapped } of Object.values(profile.fields)) {
    const source = fields[name]
    if (mapped === undefined || source === undefined || corrected.has(mapped.field)) continue
    const before = fields[mapped.field]
    if (!corrected.has(name) && before?.status !== 'derived') continue
    const companion = mapEnum(mapped, source)
    if (companion === null) delete fields[mapped.field]
    else if (corrected.has(name) || companion.value !== before?.value) fields[mapped.field] = companion
  }
}

function isSettledByHand(profile: Profile, fields: Fields): boolean {
  const isHuman = (name: string): boolean => fields[name]?.status === 'human'
  const required = Object.values(profile.fields).filter(
    field => field.required && field.name !== profile.jurisdictionField
  )
  return required.every(field => isHuman(field.name)) && profile.requireOneOf.every(group => group.some(isHuman))
}

/** Reasons that only the rules of a jurisdiction give: those in force now give them anew. */
const OF_JURISDICTIONS: ReadonlySet<ReasonCode> = new Set([
  'STATUTORY_FIELD_MISSING',
  'VALUE_NOT_ALLOWED',
  'OUTSIDE_LIMITS',
  'ZONING_CONFLICT',
  'APPLICATION_EXPIRED',
  'PARCEL_FORMAT_UNUSUAL'
])

/** Reasons that a value is not what others of its document make: the last of its readings is what they do. */
const OF_SUMS: ReadonlySet<ReasonCode> = new Set(['PREMIUM_SUM_MISMATCH'])

/** True for a reason that a correction does not meet: another value that still is not what the parts make. */
function isStillUnmet({ code, field }: Reason, before: Fields, after: Fields): boolean {
  if (field === null || !OF_SUMS.has(code)) return false
  const made = before[field]?.readings?.at(-1)
  return made !== undefined && after[field]?.value !== made
}

const keyOf = (reason: Reason): string => `${reason.code} ${reason.field ?? ''}`

/** Reasons about the record as a whole stand until every required field was entered by hand; others are made anew. */
function keptReasons(profile: Profile, candidate: Candidate, fields: Fields, context: CorrectionContext): Reason[] {
  const { today, jurisdiction } = context
  const view = { fields: candidate.fields, today, jurisdiction }
  const made = [
    ...profile.rules.flatMap(rule => rule.check(view)),
    ...(context.jurisdictionRules?.(candidate.fields) ?? [])
  ]
  const ofRules = new Set(made.map(keyOf))
  const isSettled = isSettledByHand(profile, fields)
  return candidate.reasons.filter(reason => {
    if (reason.code === 'LOW_CONFIDENCE' || OF_JURISDICTIONS.has(reason.code) || ofRules.has(keyOf(reason)))
      return false
    if (reason.field === null) return !isSettled
    if (isStillUnmet(reason, candidate.fields, fields)) return !isSettled
    return fields[reason.field] === candidate.fields[reason.field]
  })
}

/**
 * Applies a clerk's corrections: each named field becomes a `human` value of confidence 1, read again under the
 * field's own rules; null says that nothing stands there. The result is to be judged anew.
 * @throws AppError `FIELD_INVALID` naming every correction that is unknown, unreadable or ambiguous; then none applies.
 */
export function applyCorrections(
  profile: Profile,
  candidate: Candidate,
  corrections: Readonly<Record<string, string | null>>,
  context: CorrectionContext
): Candidate {
  const corrected = readCorrections(profile, corrections, context)
  const fields: Record<string, Envelope> = { ...candidate.fields, ...Object.fromEntries(corrected) }
  mapCompanions(profile, fields, corrected)
  if (profile.jurisdictionField !== undefined) {
    fields[profile.jurisdictionField] ??= jurisdictionFromBatch(context.jurisdiction)
  }
  const kept = keptReasons(profile, candidate, fields, context)
  // What the parts make stays with the value, for the next correction to be held against.
  for (const reason of kept) {
    const { field } = reason
    const [before, after] = field === null ? [] : [candidate.fields[field], fields[field]]
    if (field !== null && after && before?.readings && isStillUnmet(reason, candidate.fields, fields))
      fields[field] = { ...after, readings: before.readings }
  }
  const known = new Set(kept.map(keyOf))
  const made = reasonsOfFields(profile, fields).filter(reason => !known.has(keyOf(reason)))
  return { fields, extra: candidate.extra, reasons: [...kept, ...made] }
}
