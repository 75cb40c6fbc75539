import { reasonOf } from '../../model/reasons.ts'
import { compareParcel } from '../../profiles/compare/compare-parcel.ts'
import type { Draft } from '../work/judge-candidates.ts'
import { type Addition, held, NOTHING, ORIGIN_OF, textOf } from './addition.ts'
import type { Resolved } from './resolve.ts'

const NO_PROPERTY = {
  no_match: 'PROPERTY_NO_MATCH',
  several: 'PROPERTY_MULTIPLE',
  stale: 'REGISTRY_STALE',
  unavailable: 'ENRICH_UNAVAILABLE'
} as const

/** What the property registry says of a lease: a property it has not, or has more than once, holds it; another address warns. */
export function addProperty(draft: Draft, found: Resolved | undefined): Addition {
  if (found === undefined) return NOTHING
  const { key, answer } = found
  if (answer.kind !== 'match') return held(NO_PROPERTY[answer.kind], 'property_id', 'property', key)
  const siteAddress = textOf(draft, 'property_address')
  const registered = answer.value['address']
  const envelope = draft.candidate.fields['property_address']
  if (siteAddress === undefined || typeof registered !== 'string' || !envelope) return NOTHING
  const [difference] = compareParcel({ siteAddress }, { siteAddress: registered })
  if (!difference) return NOTHING
  const { code, readings } = difference
  const origin = { registry: ORIGIN_OF.property, key }
  return {
    fields: { property_address: { ...envelope, flags: [...envelope.flags, code], readings } },
    reasons: [reasonOf(code, { field: 'property_address', origin })]
  }
}
