import type { Answers } from '../../registries/look-ups.ts'
import type { RegistryRecord } from '../../registries/registry.ts'
import type { Draft } from '../work/judge-candidates.ts'
import { type Addition, fromRegistry, held, NOTHING } from './addition.ts'
import { compareDraft } from './compare-draft.ts'
import { answerTo } from './parcel-keys.ts'

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

/** What the parcel registry adds: the zoning district, and where it contradicts the record; a record whose parcel it does not tell is held. */
export function addParcel(draft: Draft, answers: Answers, keys: readonly string[]): Addition {
  const found = answerTo(keys, answers)
  if (found === undefined) return NOTHING
  const { key, answer } = found
  if (answer.kind === 'several') return withCandidates(draft, key, answer.candidates)
  if (answer.kind !== 'match') return held(NO_PARCEL[answer.kind], 'parcel_id', 'parcel', key)
  const { zoningCode } = answer.value
  const { fields, reasons } = compareDraft(draft, key, answer.value)
  if (typeof zoningCode !== 'string') return { fields, reasons }
  return { fields: { ...fields, zoning_code: fromRegistry(zoningCode, 'parcel', key) }, reasons }
}
