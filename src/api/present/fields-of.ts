import type { StoredRecord } from '../../db/reads/record-reads.ts'
import type { Envelope, Fields } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import { fromStored } from '../../pipeline/split/file-format.ts'
import { expandFields } from '../../profiles/judge/compact-fields.ts'
import type { Profile } from '../../profiles/profile.ts'

const NOT_APPLICABLE: Envelope = {
  value: null,
  raw: null,
  status: 'not_applicable',
  confidence: 1,
  origin: null,
  flags: []
}

/**
 * Fields that registries fill and that an accepted record says nothing of: none was asked, or the record would say that
 * there is nothing. Of a record that is held nothing is told that way, its registries may not have been asked yet.
 */
function withoutRegistries(profile: Profile, { state }: StoredRecord, fields: Fields): Fields {
  if (state !== 'accepted') return fields
  const missing = Object.values(profile.fields).filter(
    ({ name, filledBy }) => filledBy === 'registry' && !Object.hasOwn(fields, name)
  )
  if (missing.length === 0) return fields
  return { ...fields, ...Object.fromEntries(missing.map(({ name }) => [name, NOT_APPLICABLE])) }
}

/**
 * Answers how the envelopes of a record are rebuilt from what is stored of it and of its file. A record of a profile that
 * this process does not have shows no fields.
 */
export const fieldsWith =
  (profiles: ReadonlyMap<string, Profile>) =>
  (record: StoredRecord, format: Json): Fields => {
    const profile = profiles.get(record.profile)
    if (!profile) return {}
    const columns = format === null || record.item === 0 ? undefined : fromStored(format).columns
    const fields = expandFields(profile, record.fields, record.content ?? {}, {
      jurisdiction: record.jurisdiction,
      row: record.item,
      line: record.line ?? 0,
      columnOf: field => columns?.[field]
    })
    return withoutRegistries(profile, record, fields)
  }
