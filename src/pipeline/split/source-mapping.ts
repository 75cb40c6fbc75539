import type { Queryable } from '../../db/pool.ts'
import { getMapping, type MappingRow } from '../../db/work/source-mappings.ts'
import type { Json } from '../../model/json.ts'
import type { Profile } from '../../profiles/profile.ts'
import { savedOptions, type UsedMapping } from '../../profiles/tabular/source-options.ts'
import { fromStored, toStored } from './file-format.ts'

/** A saved mapping as files of the profile are read with it. */
export const usedMapping = (profile: Profile, { version, digest, options }: MappingRow): UsedMapping => ({
  version,
  digest,
  options: savedOptions(options, profile)
})

/** The mapping that files of a source are read with now; null when it has none. */
export async function findMapping(
  db: Queryable,
  profile: Profile,
  of: { readonly jurisdiction: string; readonly source: string | null }
): Promise<UsedMapping | null> {
  const row = await getMapping(db, { jurisdiction: of.jurisdiction, profile: profile.name, source: of.source })
  return row === undefined ? null : usedMapping(profile, row)
}

/** A file's stored format, to be read with another mapping. */
export function withMapping(format: Json, source: UsedMapping | null): Json {
  return format === null || source === null ? format : toStored({ ...fromStored(format), source })
}

/** The mapping a file is read with, by its stored format. */
export const sourceOf = (format: Json): UsedMapping | null =>
  format === null ? null : (fromStored(format).source ?? null)

/** What the audit entry of a file or record says of the mapping it was read with. */
export const mappingDetail = (
  mapping: UsedMapping | null | undefined
): { readonly mapping?: number; readonly mapping_sha256?: string } =>
  mapping ? { mapping: mapping.version, mapping_sha256: mapping.digest } : {}
