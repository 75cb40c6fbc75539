import type { Envelope, Fields } from '../../model/envelope.ts'
import type { Reason } from '../../model/reasons.ts'
import { type ParcelEquivalences, schemeOfMask } from '../../normalize/codes/parcel-mask.ts'
import { PARCEL_SCHEMES, type ParcelScheme, parcelSchemeOf } from '../../normalize/codes/parcel-schemes.ts'
import type { Candidate } from '../candidate.ts'
import type { Profile } from '../profile.ts'
import { type Check, checksOf } from './checks.ts'
import { dayIn, dueDay } from './clock.ts'
import { conditionOf } from './conditions.ts'
import {
  DUE,
  type Mappings,
  mappingsOf,
  prepareMappings,
  prepareParcel,
  type Unmet,
  unprepareParcel
} from './prepare.ts'
import type { ParcelRules, RulesContent, RuleVersion } from './schema.ts'

/** The rules of a jurisdiction for a profile, ready to be used. */
export interface JurisdictionRules {
  readonly scheme: ParcelScheme | null
  readonly equivalences: ParcelEquivalences
  /** What a record is before it is enriched and judged. `receivedAt`: an instant, RFC 3339. */
  prepare(candidate: Candidate, receivedAt: string): Candidate
  /** The reasons that the rules in force give for a record. */
  check(fields: Fields, receivedAt: string): readonly Reason[]
  /** The calendar day, `YYYY-MM-DD`, of an instant where the office is. */
  dayReceived(receivedAt: string): string
}

interface InForce {
  readonly version: RuleVersion
  readonly checks: readonly Check[]
  readonly mappings: Mappings
  readonly clocks: readonly { readonly due: (fields: Fields, received: string) => string | null }[]
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const NO_REASONS: readonly Reason[] = Object.freeze([])
const NO_FLAGS: readonly string[] = Object.freeze([])

function dayOf(fields: Fields, name: string): string | null {
  const value = fields[name]?.value
  return typeof value === 'string' && DAY.test(value) ? value : null
}

function clocksOf({ clocks }: RuleVersion, { holidays }: RulesContent): InForce['clocks'] {
  return clocks.map(clock => {
    const holds = conditionOf(clock.when)
    return {
      due: (fields, received) => (holds(fields) ? dueDay(dayOf(fields, clock.from) ?? received, clock, holidays) : null)
    }
  })
}

/** The scheme that rules name or describe; null when they do neither, or cannot be read. */
export function schemeOfRules({ scheme, mask, suffix, pads_parts: padsGroups }: ParcelRules): ParcelScheme | null {
  if (scheme !== undefined) return PARCEL_SCHEMES.get(scheme) ?? null
  return mask === undefined ? null : schemeOfMask(mask, { padsGroups, ...(suffix === undefined ? {} : { suffix }) })
}

/** The day by which a jurisdiction must have answered, by the earliest of its clocks; derived from the day it begins. */
function withDueDay(candidate: Candidate, { clocks }: InForce, received: string): Candidate {
  const days = clocks.map(({ due }) => due(candidate.fields, received)).filter(day => day !== null)
  if (days.length === 0) return candidate
  const value = days.reduce((earliest, day) => (day < earliest ? day : earliest))
  const envelope: Envelope = { value, raw: null, status: 'derived', confidence: 1, origin: null, flags: NO_FLAGS }
  return { ...candidate, fields: { ...candidate.fields, [DUE]: envelope } }
}

/**
 * Compiles the rules of a jurisdiction. Which of them are in force for a record goes by its day of application, else by the
 * day it was received, in the office's time zone. Content is what `readRules` gave.
 */
export function compileRules(profile: Profile, content: RulesContent): JurisdictionRules {
  const versions: readonly InForce[] = content.rules.map(version => ({
    version,
    checks: checksOf(version),
    mappings: mappingsOf(profile, version),
    clocks: profile.fields[DUE] === undefined ? [] : clocksOf(version, content)
  }))
  const scheme = content.parcel ? schemeOfRules(content.parcel) : null
  const unmet: Unmet = scheme ? (content.parcel?.unmet ?? 'warn') : 'keep'
  const known = scheme ?? parcelSchemeOf(content.jurisdiction)
  const inForce = (fields: Fields, received: string): InForce | undefined => {
    const day = dayOf(fields, 'applied_date') ?? received
    return versions.find(
      ({ version: { effective_from: from, effective_to: to } }) => from <= day && (to === null || day < to)
    )
  }
  return {
    scheme: known,
    equivalences: {
      withoutSuffix: content.parcel?.without_suffix ?? false,
      pairs: content.parcel?.equivalents ?? {}
    },
    prepare(candidate, receivedAt) {
      const received = dayIn(receivedAt, content.time_zone)
      const rules = inForce(candidate.fields, received)
      const parcelled = known ? prepareParcel(candidate, known, unmet) : unprepareParcel(candidate)
      return rules ? withDueDay(prepareMappings(parcelled, rules.mappings), rules, received) : parcelled
    },
    dayReceived: receivedAt => dayIn(receivedAt, content.time_zone),
    check(fields, receivedAt) {
      const received = dayIn(receivedAt, content.time_zone)
      const rules = inForce(fields, received)
      if (!rules) return NO_REASONS
      return rules.checks.map(check => check(fields, received)).filter(reason => reason !== null)
    }
  }
}
