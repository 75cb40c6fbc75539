import type { Envelope } from '../../model/envelope.ts'
import { reasonOf } from '../../model/reasons.ts'
import type { RegistryKind } from '../../registries/registry.ts'
import { type Addition, absentFrom, fromRegistry, held, NOTHING, ORIGIN_OF } from './addition.ts'
import type { Resolved } from './resolve.ts'

const NO_ZONING = { no_match: 'ZONING_NO_MATCH', stale: 'REGISTRY_STALE', unavailable: 'ENRICH_UNAVAILABLE' } as const

const only = (zoning: Envelope): Addition => ({ fields: { zoning_code: zoning }, reasons: [] })

/** Two districts for one parcel decide nothing: both are shown. */
function undecided(districts: readonly string[], kind: RegistryKind, key: string): Addition {
  const origin = { registry: ORIGIN_OF[kind], key }
  const zoning = { ...absentFrom(kind, key), status: 'ambiguous' as const, readings: districts }
  return {
    fields: { zoning_code: zoning },
    reasons: [reasonOf('MULTIPLE_CANDIDATES', { field: 'zoning_code', origin })]
  }
}

/** The district that a parcel's own entry tells; undefined when the parcel was not found. */
function districtOf(parcel: Resolved | undefined): string | null | undefined {
  if (parcel?.answer.kind !== 'match') return undefined
  const { zoningCode } = parcel.answer.value
  return typeof zoningCode === 'string' ? zoningCode : null
}

const text = (value: unknown): string[] => (typeof value === 'string' ? [value] : [])

/**
 * The zoning district of a record: what the zoning registry tells of its parcel, else what the parcel registry does. Where
 * both tell and differ, the record is held with both. A record whose parcel is not known is held for that already.
 */
export function addZoning(parcel: Resolved | undefined, zoning: Resolved | undefined): Addition {
  const own = districtOf(parcel)
  if (zoning === undefined) {
    if (parcel === undefined || own === undefined) return NOTHING
    return only(own === null ? absentFrom('parcel', parcel.key) : fromRegistry(own, 'parcel', parcel.key))
  }
  const { key, answer } = zoning
  if (answer.kind === 'several') {
    const districts = [...new Set(answer.candidates.flatMap(({ zoningCode }) => text(zoningCode)))]
    return undecided(districts, 'zoning', key)
  }
  if (answer.kind !== 'match') {
    const isHeldAlready = parcel !== undefined && own === undefined && answer.kind === 'no_match'
    return isHeldAlready ? NOTHING : held(NO_ZONING[answer.kind], 'parcel_id', 'zoning', key)
  }
  const [district] = text(answer.value['zoningCode'])
  if (district === undefined) return held('ZONING_NO_MATCH', 'parcel_id', 'zoning', key)
  if (typeof own === 'string' && own !== district) return undecided([district, own], 'zoning', key)
  return only(fromRegistry(district, 'zoning', key))
}
