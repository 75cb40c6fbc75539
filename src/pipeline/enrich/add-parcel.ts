import type { Answers } from '../../registries/look-ups.ts'
import type { Draft } from '../work/judge-candidates.ts'
import { type Addition, fromRegistry, held, NOTHING, textOf } from './addition.ts'

const NO_PARCEL = {
  no_match: 'PARCEL_NO_MATCH',
  several: 'PARCEL_MULTIPLE',
  stale: 'REGISTRY_STALE',
  unavailable: 'ENRICH_UNAVAILABLE'
} as const

/** What the parcel registry adds: the zoning district; a record whose parcel it does not tell is held. */
export function addParcel(draft: Draft, answers: Answers): Addition {
  const id = textOf(draft, 'parcel_id')
  const answer = id === undefined ? undefined : answers.get(id)
  if (id === undefined || answer === undefined) return NOTHING
  if (answer.kind !== 'match') return held(NO_PARCEL[answer.kind], 'parcel_id', 'parcel', id)
  const { zoningCode } = answer.value
  if (typeof zoningCode !== 'string') return NOTHING
  return { fields: { zoning_code: fromRegistry(zoningCode, 'parcel', id) }, reasons: [] }
}
