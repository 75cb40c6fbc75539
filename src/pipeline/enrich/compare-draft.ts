import type { Envelope } from '../../model/envelope.ts'
import { reasonOf } from '../../model/reasons.ts'
import { compareParcel } from '../../profiles/compare/compare-parcel.ts'
import type { RegistryRecord } from '../../registries/registry.ts'
import type { Draft } from '../work/judge-candidates.ts'
import { type Addition, NOTHING, ORIGIN_OF, textOf } from './addition.ts'

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

/** Owner and address of a record against those of its parcel: differences warn, with both values in the record's field. */
export function compareDraft(draft: Draft, key: string, parcel: RegistryRecord): Addition {
  const stated = { ownerName: textOf(draft, 'owner_name'), siteAddress: textOf(draft, 'site_address') }
  // Nearly all are written alike, which is told without taking them apart.
  const registered = {
    ownerName: unless(stated.ownerName, text(parcel['ownerName'])),
    siteAddress: unless(stated.siteAddress, text(parcel['siteAddress']))
  }
  if (!registered.ownerName && !registered.siteAddress) return NOTHING
  const differences = compareParcel(stated, registered)
  if (differences.length === 0) return NOTHING
  const fields: Record<string, Envelope> = {}
  for (const { field, code, readings } of differences) {
    const envelope = draft.candidate.fields[field]
    if (envelope) fields[field] = contradicted(envelope, code, readings)
  }
  const origin = { registry: ORIGIN_OF.parcel, key }
  return { fields, reasons: differences.map(({ field, code }) => reasonOf(code, { field, origin })) }
}
