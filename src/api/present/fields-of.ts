import type { StoredRecord } from '../../db/reads/record-reads.ts'
import type { Fields } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import { fromStored } from '../../pipeline/split/file-format.ts'
import { expandFields } from '../../profiles/judge/compact-fields.ts'
import type { Profile } from '../../profiles/profile.ts'

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
    return expandFields(profile, record.fields, record.content ?? {}, {
      jurisdiction: record.jurisdiction,
      row: record.item,
      line: record.line ?? 0,
      columnOf: field => columns?.[field]
    })
  }
