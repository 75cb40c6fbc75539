import type { Json } from '../../model/json.ts'
import type { Queryable, Tx } from '../pool.ts'

/** Whose files a mapping is for. */
export interface MappingOwner {
  readonly jurisdiction: string
  readonly profile: string
  /** Null: files that are sent without a source. */
  readonly source: string | null
}

/** One version of how the files of a source are read. */
export interface MappingRow extends MappingOwner {
  readonly version: number
  /** Source options as the profiles understand them. */
  readonly options: Json
  /** Hex SHA-256 of the options. */
  readonly digest: string
  /** `key:<id>`. */
  readonly savedBy: string
  readonly savedAt: Date
  /** Whether no later version replaces it. */
  readonly isCurrent: boolean
}

const COLUMNS = `m.jurisdiction, m.profile, nullif(m.source, '') as source, m.version, m.options,
       encode(m.digest, 'hex') as digest, m.saved_by as "savedBy", m.saved_at as "savedAt",
       not exists (select 1 from source_mapping n where (n.jurisdiction, n.profile, n.source) =
         (m.jurisdiction, m.profile, m.source) and n.version > m.version) as "isCurrent"`

/** The mapping that files of a source are read with now; undefined when none was ever saved. */
export async function getMapping(db: Queryable, owner: MappingOwner): Promise<MappingRow | undefined> {
  const { rows } = await db.query<MappingRow>(
    `select ${COLUMNS} from source_mapping m
     where m.jurisdiction = $1 and m.profile = $2 and m.source = $3 order by m.version desc limit 1`,
    [owner.jurisdiction, owner.profile, owner.source ?? '']
  )
  return rows[0]
}

/**
 * Saves the next version of a mapping; the same options as the current version's add none. The lock is one per source, so
 * that versions are gapless.
 */
export async function saveMapping(
  tx: Tx,
  owner: MappingOwner,
  mapping: { readonly options: Json; readonly digest: string; readonly savedBy: string }
): Promise<{ readonly version: number; readonly isNew: boolean }> {
  const { jurisdiction, profile, source } = owner
  const key = [jurisdiction, profile, source ?? '']
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, 12))`, [JSON.stringify(key)])
  const current = await getMapping(tx, owner)
  if (current?.digest === mapping.digest) return { version: current.version, isNew: false }
  const version = (current?.version ?? 0) + 1
  await tx.query(
    `insert into source_mapping (jurisdiction, profile, source, version, options, digest, saved_by)
     values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7)`,
    [...key, version, JSON.stringify(mapping.options), mapping.digest, mapping.savedBy]
  )
  return { version, isNew: true }
}

/** The place of a mapping in the listing. */
export interface MappingPlace {
  readonly jurisdiction: string
  readonly profile: string
  readonly source: string
  readonly version: number
}

/** Mappings in the order of jurisdiction, profile and source, the newest version first; null means all. */
export async function listMappings(
  db: Queryable,
  filter: {
    readonly jurisdictions: readonly string[] | null
    readonly profile: string | null
    readonly source: string | null
    readonly onlyCurrent: boolean
    readonly after: MappingPlace | null
    readonly limit: number
  }
): Promise<MappingRow[]> {
  const { after } = filter
  const { rows } = await db.query<MappingRow>(
    `select * from (select ${COLUMNS} from source_mapping m
       where m.jurisdiction = any(coalesce($1::text[], array(select code from jurisdiction)))
         and ($2::text is null or m.profile = $2) and ($3::text is null or m.source = $3)
         and ($4::text is null or (m.jurisdiction, m.profile, m.source, -m.version) > ($4, $5, $6, -$7::int))) found
     where "isCurrent" or not $8
     order by jurisdiction, profile, source nulls first, version desc limit $9`,
    [
      filter.jurisdictions,
      filter.profile,
      filter.source,
      after?.jurisdiction ?? null,
      after?.profile ?? null,
      after?.source ?? null,
      after?.version ?? null,
      filter.onlyCurrent,
      filter.limit
    ]
  )
  return rows
}
