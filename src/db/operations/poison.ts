import type { Queryable } from '../pool.ts'

/** A file of which something ended its process, took too long or needed too much memory. No value, and no name of a file. */
export interface PoisonFile {
  readonly jurisdiction: string
  readonly batchId: string
  readonly fileId: string
  /** Of its content, in hex: the same content elsewhere does the same. */
  readonly sha256: string
  readonly mediaType: string
  readonly size: number
  readonly kind: string
  readonly codes: readonly string[]
  /** Records of it held for one of these. */
  readonly records: number
  /** Places of the first of them in the file. */
  readonly items: readonly number[]
  /** Most launches of a chunk of it, of taking it apart, and of reading its content. */
  readonly launches: number
  readonly lastAt: Date
}

/** Reasons that tell of a process that ended, hung or grew, or of a limit of reading, and not of content that is wrong. */
const POISON = ['PROCESSING_CRASH', 'EXTRACTION_CRASH', 'EXTRACTION_TIMEOUT', 'EXTRACTION_MEMORY', 'EXTRACTION_FAILED']

/** Such files, the latest first, of one jurisdiction or (null) of all, as long as a record of theirs is held for it. */
export async function listPoisonFiles(
  db: Queryable,
  jurisdiction: string | null,
  limit: number
): Promise<PoisonFile[]> {
  const { rows } = await db.query<PoisonFile>(
    `with told as (
       select r.jurisdiction, r.batch_id, r.file_id, r.chunk_id, r.item, r.updated_at, x.code
       from record r cross join lateral (
         select distinct v ->> 'code' as code from jsonb_array_elements(r.reasons) v where v ->> 'code' = any($1::text[])) x
       where r.state = 'quarantined' and r.duplicate_of is null and ($2::text is null or r.jurisdiction = $2)
     ), file_told as (
       select jurisdiction, batch_id, file_id, array_agg(distinct code order by code) as codes,
         count(distinct item)::int as records, (array_agg(distinct item order by item))[1:5] as items,
         array_agg(distinct chunk_id) as chunks, max(updated_at) as last_at
       from told group by 1, 2, 3 order by last_at desc limit $3
     )
     select p.jurisdiction, p.batch_id as "batchId", p.file_id as "fileId", encode(f.sha256, 'hex') as sha256,
       f.media_type as "mediaType", f.size, f.kind, p.codes, p.records, p.items, p.last_at as "lastAt",
       greatest(f.launches, (select max(c.launches) from chunk c where c.jurisdiction = p.jurisdiction and c.id = any(p.chunks)),
         (select max(e.launches) from extraction e where e.jurisdiction = p.jurisdiction and e.sha256 = f.sha256)) as launches
     from file_told p join file f on f.jurisdiction = p.jurisdiction and f.id = p.file_id
     order by p.last_at desc, p.file_id`,
    [POISON, jurisdiction, limit]
  )
  return rows
}
