import type { Envelope, Fields } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import type { Reason } from '../../model/reasons.ts'
import { reasonOf } from '../../model/reasons.ts'
import { canonicalParcel } from '../../normalize/codes/parcel.ts'
import type { ParcelScheme } from '../../normalize/codes/parcel-schemes.ts'
import type { Candidate } from '../candidate.ts'
import type { Profile } from '../profile.ts'
import { wordOf } from './conditions.ts'
import { parcelAsWritten } from './parcel-as-written.ts'
import type { RuleVersion } from './schema.ts'

/** What becomes of a parcel number that is not written as the office writes them. */
export type Unmet = 'keep' | 'warn' | 'block'

const PARCEL = 'parcel_id'

function withField(candidate: Candidate, name: string, envelope: Envelope, reasons: readonly Reason[]): Candidate {
  return { ...candidate, fields: { ...candidate.fields, [name]: envelope }, reasons }
}

/** Reasons of a field that were made for one code are made anew by whoever makes them. */
const without = (reasons: readonly Reason[], code: Reason['code'], field: string): readonly Reason[] =>
  reasons.some(reason => reason.code === code && reason.field === field)
    ? reasons.filter(reason => reason.code !== code || reason.field !== field)
    : reasons

/** A list of parcel numbers with each in canonical form that is written as the office writes them; null: all of them are. */
export function canonicalList(value: Json | undefined, scheme: ParcelScheme): ParcelList | null {
  if (!Array.isArray(value)) return null
  const flags = new Set<string>()
  const parcels = value.map((one: Json) => {
    const canonical = typeof one === 'string' ? canonicalParcel(one, scheme) : null
    if (canonical?.value == null || canonical.value === one) return one
    for (const flag of canonical.flags) flags.add(flag)
    return canonical.value
  })
  return parcels.every((one, i) => one === value[i]) ? null : { parcels, flags }
}

interface ParcelList {
  readonly parcels: readonly Json[]
  readonly flags: ReadonlySet<string>
}

/** The field of all parcels of a permit. */
export const PARCELS = 'parcel_ids'

function prepareParcels(candidate: Candidate, scheme: ParcelScheme): Candidate {
  const envelope = candidate.fields[PARCELS]
  const list = canonicalList(envelope?.value, scheme)
  if (!envelope || list === null) return candidate
  const flags = [...new Set([...envelope.flags, ...list.flags])]
  const raw = envelope.raw ?? JSON.stringify(envelope.value)
  return withField(candidate, PARCELS, { ...envelope, value: list.parcels, raw, flags }, candidate.reasons)
}

/**
 * The candidate with its parcel number, and each of the list of all its parcels, in canonical form; what was written stays as
 * raw text.
 */
export const prepareParcel = (candidate: Candidate, scheme: ParcelScheme, unmet: Unmet): Candidate =>
  prepareParcels(prepareOwnParcel(candidate, scheme, unmet), scheme)

const isSame = (one: Envelope, other: Envelope): boolean =>
  one.value === other.value && one.flags.join() === other.flags.join()

function prepareOwnParcel(candidate: Candidate, scheme: ParcelScheme, unmet: Unmet): Candidate {
  const before = candidate.fields[PARCEL]
  if (typeof before?.value !== 'string') return candidate
  const written = parcelAsWritten(before)
  const canonical = typeof written.value === 'string' ? canonicalParcel(written.value, scheme) : null
  if (canonical === null) {
    const kept = written === before ? candidate : withField(candidate, PARCEL, written, candidate.reasons)
    if (unmet === 'keep') return kept
    const known = without(candidate.reasons, 'PARCEL_FORMAT_UNUSUAL', PARCEL)
    const reason = reasonOf('PARCEL_FORMAT_UNUSUAL', { field: PARCEL, origin: before.origin, severity: unmet })
    return { ...kept, reasons: [...known, reason] }
  }
  const reasons = without(candidate.reasons, 'PARCEL_FORMAT_UNUSUAL', PARCEL)
  const flags = [...written.flags, ...canonical.flags.filter(flag => !written.flags.includes(flag))]
  const after = { ...written, value: canonical.value, raw: written.raw ?? before.value, flags }
  if (isSame(before, after)) return reasons === candidate.reasons ? candidate : { ...candidate, reasons }
  return withField(candidate, PARCEL, after, reasons)
}

/** The candidate with its parcel number as it was written, where no form of its office is known any more. */
export function unprepareParcel(candidate: Candidate): Candidate {
  const before = candidate.fields[PARCEL]
  if (before === undefined) return candidate
  const written = parcelAsWritten(before)
  return written === before ? candidate : withField(candidate, PARCEL, written, candidate.reasons)
}

/** The field that rules alone fill: the last day of the earliest clock. */
export const DUE = 'statutory_due_at'

/** The candidate without the day that clocks gave it before: those in force now say it anew, or none runs. */
export function withoutDueDay(candidate: Candidate): Candidate {
  if (candidate.fields[DUE] === undefined) return candidate
  const { [DUE]: _, ...fields } = candidate.fields
  return { ...candidate, fields }
}

/** Spellings of an office, by the word they are compared as. */
export type Words = ReadonlyMap<string, string>

/** Source field → companion field and the office's own spellings. */
export type Mappings = ReadonlyMap<string, { readonly companion: string; readonly words: Words }>

const NO_FLAGS: readonly string[] = Object.freeze([])

export function mappingsOf(profile: Profile, { mappings }: RuleVersion): Mappings {
  const entries = mappings.flatMap(({ field, values }) => {
    const companion = profile.fields[field]?.mapped?.field
    if (companion === undefined) return []
    const words = Object.entries(values).flatMap(([target, spellings]) =>
      spellings.map((spelling): [string, string] => [wordOf(spelling) ?? '', target])
    )
    return [[field, { companion, words: new Map(words) }] as const]
  })
  return new Map(entries)
}

/** The word of an office's vocabulary that a field means there; undefined: its rules do not tell. */
function meant(fields: Fields, field: string, words: Words): string | undefined {
  const word = wordOf(fields[field]?.value)
  return word === null ? undefined : words.get(word)
}

/** The candidate with the companions of mapped fields as the office's own words have them. */
export function prepareMappings(candidate: Candidate, mappings: Mappings): Candidate {
  let prepared = candidate
  for (const [field, { companion, words }] of mappings) {
    const source = candidate.fields[field]
    const value = meant(candidate.fields, field, words)
    const before = candidate.fields[companion]
    // What a person or the submission itself says goes before a table.
    if (!source || value === undefined || before?.status === 'human' || before?.status === 'found') continue
    const { raw, origin, confidence } = source
    const reasons = without(prepared.reasons, 'UNMAPPED_ENUM', companion)
    prepared = withField(
      prepared,
      companion,
      { value, raw, origin, confidence, status: 'derived', flags: NO_FLAGS },
      reasons
    )
  }
  return prepared
}
