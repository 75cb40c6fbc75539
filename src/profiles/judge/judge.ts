import type { Envelope, Fields } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import { type Reason, reasonOf, stateFromReasons } from '../../model/reasons.ts'
import type { RecordState } from '../../model/states.ts'
import type { Candidate } from '../candidate.ts'
import type { Profile } from '../profile.ts'
import { recordOf } from '../shaped-record.ts'
import { naturalKeyOf } from './natural-key.ts'

/** What a record is judged under. */
export interface JudgeContext {
  /** `YYYY-MM-DD`. */
  readonly today: string
  readonly jurisdiction: string
  /** What the rules of the jurisdiction say of a record; left out where it has none. */
  readonly jurisdictionRules?: (fields: Fields) => readonly Reason[]
  /** Least confidence, 0–1; default the profile's own. */
  readonly threshold?: number
}

/** What became of a candidate, before duplicates are looked at. */
export interface Judgement {
  readonly state: RecordState
  readonly reasons: readonly Reason[]
  /** Probability that all required fields are right, 0–1. */
  readonly confidence: number
  /** Null when a part is missing; such a record is never accepted. */
  readonly naturalKey: string | null
  /** The normalized values by field, and content of no field under `extra`. */
  readonly values: Readonly<Record<string, Json>>
}

/** The normalized values of a record as canonical content: fields without value are left out. */
export function valuesOf(candidate: Pick<Candidate, 'fields' | 'extra'>): Record<string, Json> {
  const names: string[] = []
  const found: Json[] = []
  for (const name in candidate.fields) {
    const value = candidate.fields[name]?.value
    if (value === null || value === undefined) continue
    names.push(name)
    found.push(value)
  }
  const values = recordOf(names, found)
  if (Object.keys(candidate.extra).length > 0) values['extra'] = candidate.extra
  return values
}

const requiredNames = new WeakMap<Profile, readonly string[]>()

function requiredOf(profile: Profile): readonly string[] {
  let names = requiredNames.get(profile)
  if (names === undefined) {
    names = Object.values(profile.fields)
      .filter(field => field.required)
      .map(field => field.name)
    requiredNames.set(profile, names)
  }
  return names
}

/** How sure it is that a value of a group is there and right: a field that is surely empty does not help its group. */
const sureness = (envelope: Envelope | undefined): number =>
  envelope && envelope.value !== null ? envelope.confidence : 0

/** Fields are taken as independent, so the probability that all are right is their product. */
function confidenceOf(profile: Profile, fields: Fields): number {
  let confidence = 1
  for (const name of requiredOf(profile)) confidence *= fields[name]?.confidence ?? 0
  for (const group of profile.requireOneOf) confidence *= Math.max(...group.map(name => sureness(fields[name])))
  return confidence
}

const NO_NAMES: readonly string[] = []

function unsureFields({ gate }: Profile, fields: Fields): readonly string[] {
  if (gate.fields === undefined) return NO_NAMES
  return Object.entries(gate.fields)
    .filter(([name, least]) => {
      const envelope = fields[name]
      return envelope !== undefined && envelope.value !== null && envelope.confidence < least
    })
    .map(([name]) => name)
}

const isSame = (a: Reason, b: Reason): boolean => a.code === b.code && a.field === b.field

function ruleReasons(profile: Profile, fields: Fields, context: JudgeContext): Reason[] {
  const view = { fields, today: context.today, jurisdiction: context.jurisdiction }
  const reasons: Reason[] = []
  for (const rule of profile.rules) {
    for (const reason of rule.check(view)) reasons.push(reason)
  }
  for (const reason of context.jurisdictionRules?.(fields) ?? []) reasons.push(reason)
  return reasons
}

function gateReasons(profile: Profile, fields: Fields, confidence: number, threshold: number): Reason[] {
  const unsure = unsureFields(profile, fields).map(field =>
    reasonOf('LOW_CONFIDENCE', { field, origin: fields[field]?.origin ?? null })
  )
  return confidence < threshold && unsure.length === 0 ? [reasonOf('LOW_CONFIDENCE')] : unsure
}

/**
 * Decides about a candidate: its own reasons and those of the profile's rules, then the gate. Accepted only without a
 * blocking reason, with a natural key and with enough confidence. Pure.
 */
export function judge(profile: Profile, candidate: Candidate, context: JudgeContext): Judgement {
  const { fields } = candidate
  const found = ruleReasons(profile, fields, context)
  const added =
    found.length === 0 ? found : found.filter(reason => !candidate.reasons.some(known => isSame(known, reason)))
  let reasons = added.length === 0 ? candidate.reasons : [...candidate.reasons, ...added]
  const values = valuesOf(candidate)
  const naturalKey = naturalKeyOf(profile, values)
  const confidence = confidenceOf(profile, fields)
  let state = stateFromReasons(reasons)
  if (state === 'accepted') {
    const gate = gateReasons(profile, fields, confidence, context.threshold ?? profile.gate.threshold)
    const all = naturalKey === null ? [...gate, reasonOf('FIELD_MISSING', { detail: 'natural key' })] : gate
    if (all.length > 0) reasons = [...reasons, ...all]
    state = stateFromReasons(reasons)
  }
  return { state, reasons, confidence, naturalKey, values }
}
