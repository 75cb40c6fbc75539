import type { RegistryRecord } from '../../registries/registry.ts'
import type { Draft } from '../work/judge-candidates.ts'
import { type Addition, held, NOTHING } from './addition.ts'
import { compareDraft } from './compare-draft.ts'
import type { Resolved } from './resolve.ts'

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
