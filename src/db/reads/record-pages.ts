import type { RecordState } from '../../model/states.ts'
import type { Queryable } from '../pool.ts'
import type { StoredRecord } from './record-reads.ts'

export interface RecordFilter {
  readonly jurisdiction: string
  readonly batchId: string
  /** Whether the batch is a dry run: its records stand in a report. */
  readonly dryRun: boolean
  readonly state: RecordState | null
  readonly row: number | null
  readonly line: number | null
  /** Name of a file. */
  readonly file: string | null
  readonly reason: string | null
  /** Place of the last record of the page before. */
  readonly after: { readonly fileNumber: number; readonly item: number } | null
  readonly limit: number
}

type Table = 'record' | 'dry_run_record'

/** What every record of a page has to pass; the chunk `k` is one that may hold such records. */
const PASSES = `r.jurisdiction = $1 and r.batch_id = $2 and r.file_number = k.file_number and r.chunk_id = k.id
       and (r.file_number, r.item) > ($3::int, $4::int) and ($5::text is null or r.state = $5)
       and ($6::text is null or r.reasons @> jsonb_build_array(jsonb_build_object('code', $6::text)))`

/** Chunks that may hold records of the page: their counts, codes and file say so. */
const MAY_HOLD = `k.jurisdiction = $1 and k.batch_id = $2 and k.state = 'committed'
       and ($5::text is null or case $5 when 'accepted' then k.accepted + k.duplicate when 'quarantined' then k.quarantined
         else k.rejected end > 0)
       and ($6::text is null or k.codes is null or k.codes @> array[$6::text])
       and ($7::text is null or k.file_number = any(array(
         select number from file where jurisdiction = $1 and batch_id = $2 and filename = $7)))`

/** Chunk by chunk in order from the one that holds the cursor, until the page is full. */
const inOrder = (table: Table): string =>
  `select r.* from chunk k
     cross join lateral (
       select * from ${table} r
       where ${PASSES}
         and r.item >= k.first_item and r.item < case when k.kind = 'rows' then k.first_item + k.record_count else coalesce((
           select min(next.first_item) from chunk next where next.jurisdiction = $1 and next.batch_id = $2
             and next.file_number = k.file_number and next.first_item > k.first_item), 2147483647) end
       order by r.item limit $8) r
     where ${MAY_HOLD}
       and (k.file_number, k.first_item) >= ($3, (
         select coalesce(max(c.first_item), 0) from chunk c
         where c.jurisdiction = $1 and c.batch_id = $2 and c.file_number = $3 and c.first_item <= $4))
       and $9::int is null
     order by k.file_number, k.first_item, r.item limit $8`

/** The record of a number in each file. */
const byRow = (table: Table): string =>
  `select r.* from file f
     cross join lateral (
       select * from ${table} r
       where r.jurisdiction = $1 and r.batch_id = $2 and r.file_number = f.number and r.item = $9::int limit 1) found
     cross join lateral (select * from chunk k where k.jurisdiction = $1 and k.id = found.chunk_id and ${MAY_HOLD} limit 1) k
     cross join lateral (select * from ${table} r where r.item = found.item and ${PASSES} limit 1) r
     where f.jurisdiction = $1 and f.batch_id = $2
     order by r.file_number, r.item limit $8`

/** Records that start on a line: they stand in chunks that begin on it, or in the last one that begins before it. */
const byLine = (table: Table): string =>
  `select r.* from file f
     cross join lateral (
       select coalesce(max(first_line), 0) as line from chunk
       where jurisdiction = $1 and batch_id = $2 and file_number = f.number and first_line < $9::int) before
     cross join lateral (
       select * from chunk k
       where k.file_number = f.number and k.first_line between before.line and $9 and ${MAY_HOLD} offset 0) k
     cross join lateral (
       select * from ${table} r
       where r.item >= k.first_item and r.item < k.first_item + k.record_count and r.line = $9 and ${PASSES}
       order by r.item limit $8) r
     where f.jurisdiction = $1 and f.batch_id = $2
     order by r.file_number, r.item limit $8`

/** Columns that only records of real batches have. */
const OWN = {
  record: 'r.replaced_by as "replacedBy", r.decision, r.revision, r.updated_at as "updatedAt"',
  dry_run_record: 'null as "replacedBy", null as decision, 1 as revision, r.created_at as "updatedAt"'
} as const

/** The page is found first and by itself: limits keep its plan, whatever the statistics say while tables grow. */
const pageOf = (table: Table, places: (table: Table) => string): string =>
  `with r as materialized (${places(table)})
   select r.id, r.jurisdiction, r.batch_id as "batchId", r.file_id as "fileId", r.file_number as "fileNumber",
     f.filename, r.item, r.line, r.state, r.profile, m.version as "manifestVersion",
     encode(r.idempotency_key, 'hex') as "idempotencyKey", r.natural_key as "naturalKey", r.version,
     r.duplicate_of as "duplicateOf", r.confidence, r.reasons, r.fields, coalesce(r.content, c.content) as content,
     r.diagnostic, r.created_at as "createdAt",
     to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdAtText", ${OWN[table]}
   from r
   join file f on f.jurisdiction = r.jurisdiction and f.id = r.file_id
   join manifest m on m.number = r.manifest
   left join canonical_record c on c.jurisdiction = r.jurisdiction and c.profile = r.profile
     and c.natural_key = r.natural_key and c.version = r.version
   order by r.file_number, r.item`

const PAGES = {
  record: { inOrder: pageOf('record', inOrder), byRow: pageOf('record', byRow), byLine: pageOf('record', byLine) },
  dry_run_record: {
    inOrder: pageOf('dry_run_record', inOrder),
    byRow: pageOf('dry_run_record', byRow),
    byLine: pageOf('dry_run_record', byLine)
  }
} as const

/**
 * Records of a batch in order of file and row. The order never changes, so pages hold under writes. The work is that of the
 * page, not of the batch: chunks say where records of a state, a line or a reason are to be found.
 */
export async function listRecordsOfBatch(db: Queryable, filter: RecordFilter): Promise<StoredRecord[]> {
  const { row, line, after } = filter
  const pages = PAGES[filter.dryRun ? 'dry_run_record' : 'record']
  const { rows } = await db.query<StoredRecord>(
    row !== null ? pages.byRow : line !== null ? pages.byLine : pages.inOrder,
    [
      filter.jurisdiction,
      filter.batchId,
      after?.fileNumber ?? 0,
      after?.item ?? -1,
      filter.state,
      filter.reason,
      filter.file,
      filter.limit,
      row ?? line
    ]
  )
  // Both given is rare: the row is found, and its line is looked at here.
  return row !== null && line !== null ? rows.filter(record => record.line === line) : rows
}
