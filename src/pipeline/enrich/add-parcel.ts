import type { Envelope } from '../../model/envelope.ts'
import { reasonOf } from '../../model/reasons.ts'
import { compareParcel, type Difference } from '../../profiles/compare/compare-parcel.ts'
import type { RegistryRecord } from '../../registries/registry.ts'
import type { Draft } from '../work/judge-candidates.ts'
import { type Addition, held, NOTHING, ORIGIN_OF, textOf } from './addition.ts'
import type { Resolved } from './resolve.ts'

const text = (value: RegistryRecord[string] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

const unless = (stated: string | undefined, registered: string | undefined): string | undefined =>
  stated === registered ? undefined : registered

/** The envelope of a statement that the registry contradicts: what was stated stands, flagged, beside what is registered. */
const contradicted = (stated: Envelope, code: string, readings: readonly string[]): Envelope => ({
  ...stated,
  flags: [...stated.flags.filter(flag => flag !== code), code],
  readings
})

const NO_DIFFERENCES: readonly Difference[] = Object.freeze([])

/** What a record states of its parcel otherwise than the registry. */
export function differencesOf(draft: Draft, parcel: RegistryRecord): readonly Difference[] {
  const stated = { ownerName: textOf(draft, 'owner_name'), siteAddress: textOf(draft, 'site_address') }
  // Nearly all are written alike, which is told without taking them apart.
  const registered = {
    ownerName: unless(stated.ownerName, text(parcel['ownerName'])),
    siteAddress: unless(stated.siteAddress, text(parcel['siteAddress']))
  }
  return registered.ownerName || registered.siteAddress ? compareParcel(stated, registered) : NO_DIFFERENCES
}

/** Owner and address of a record against those of its parcel: differences warn, with both values in the record's field. */
function compareDraft(draft: Draft, key: string, parcel: RegistryRecord): Addition {
  const differences = differencesOf(draft, parcel)
  if (differences.length === 0) return NOTHING
  const fields: Record<string, Envelope> = {}
  for (const { field, code, readings } of differences) {
    const envelope = draft.candidate.fields[field]
    if (envelope) fields[field] = contradicted(envelope, code, readings)
  }
  const origin = { registry: ORIGIN_OF.parcel, key }
  return { fields, reasons: differences.map(({ field, code }) => reasonOf(code, { field, origin })) }
}

const NO_PARCEL = {
  no_match: 'PARCEL_NO_MATCH',
  several: 'PARCEL_MULTIPLE',
  stale: 'REGISTRY_STALE',
  unavailable: 'ENRICH_UNAVAILABLE'
} as const

/** A record whose parcel the registry has more than once is held; a clerk finds the candidates as readings of its field. */
function withCandidates(draft: Draft, id: string, candidates: readonly RegistryRecord[]): Addition {
  const { reasons } = held(NO_PARCEL.several, 'parcel_id', 'parcel', id)
  const envelope = draft.candidate.fields['parcel_id']
  if (!envelope) return { fields: {}, reasons }
  return { fields: { parcel_id: { ...envelope, readings: candidates } }, reasons }
}

/**
 * What the parcel registry says of a record: where it contradicts it, or why its parcel is not one to rely on. Its zoning
 * is added beside that of the zoning registry.
 */
export function addParcel(draft: Draft, found: Resolved | undefined): Addition {
  if (found === undefined) return NOTHING
  const { key, answer } = found
  if (answer.kind === 'several') return withCandidates(draft, key, answer.candidates)
  if (answer.kind !== 'match') return held(NO_PARCEL[answer.kind], 'parcel_id', 'parcel', key)
  if (answer.value['retired'] === true) return held('PARCEL_RETIRED', 'parcel_id', 'parcel', key)
  return compareDraft(draft, key, answer.value)
}
