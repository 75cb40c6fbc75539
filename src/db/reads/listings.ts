import type { BatchState, Lane } from '../../model/states.ts'
import type { BatchLine } from '../batches.ts'
import type { Queryable } from '../pool.ts'

export interface BatchFilter {
  /** Null: all of them. */
  readonly jurisdictions: readonly string[] | null
  readonly state: BatchState | null
  readonly profile: string | null
  readonly source: string | null
  readonly lane: Lane | null
  /** Id of the last batch of the page before. */
  readonly before: string | null
  readonly limit: number
}

/** Batches, the newest first, by id. */
export async function listBatches(db: Queryable, filter: BatchFilter): Promise<BatchLine[]> {
  const { rows } = await db.query<BatchLine>(
    `with page as (
       select * from batch b
       where ($1::text[] is null or b.jurisdiction = any($1)) and ($2::text is null or b.state = $2)
         and ($3::text is null or b.profile = $3) and ($4::text is null or b.source = $4)
         and ($5::text is null or b.lane = $5) and ($6::uuid is null or b.id < $6)
       order by b.id desc limit $7
     )
     select p.id, p.jurisdiction, p.state, p.profile, p.source, p.lane, p.options @> '{"dry_run": true}' as "dryRun",
       p.parent_batch_id as "parentBatchId", m.version as "manifestVersion",
       p.received_at as "receivedAt", p.started_at as "startedAt", p.finished_at as "finishedAt", c.*
     from page p join manifest m on m.number = p.manifest
     cross join lateral (
       select coalesce(sum(record_count), 0)::int as total,
         coalesce(sum(record_count) filter (where chunk.state = 'pending'), 0)::int as pending,
         coalesce(sum(record_count) filter (where chunk.state = 'cancelled'), 0)::int as cancelled,
         coalesce(sum(accepted), 0)::int as accepted, coalesce(sum(duplicate), 0)::int as duplicate,
         coalesce(sum(quarantined), 0)::int as quarantined, coalesce(sum(rejected), 0)::int as rejected
       from chunk where chunk.jurisdiction = p.jurisdiction and chunk.batch_id = p.id) c
     order by p.id desc`,
    [filter.jurisdictions, filter.state, filter.profile, filter.source, filter.lane, filter.before, filter.limit]
  )
  return rows
}

export interface CancelledRange {
  readonly filename: string
  readonly fileNumber: number
  readonly firstItem: number
  readonly firstLine: number | null
  readonly records: number
}

/** Records of a batch that were never made because it was cancelled: a range for each chunk. */
export async function listCancelledRanges(
  db: Queryable,
  jurisdiction: string,
  batchId: string
): Promise<CancelledRange[]> {
  const { rows } = await db.query<CancelledRange>(
    `select f.filename, c.file_number as "fileNumber", c.first_item as "firstItem", c.first_line as "firstLine",
       c.record_count as records
     from chunk c join file f on f.jurisdiction = c.jurisdiction and f.id = c.file_id
     where c.jurisdiction = $1 and c.batch_id = $2 and c.state = 'cancelled'
     order by c.file_number, c.first_item`,
    [jurisdiction, batchId]
  )
  return rows
}

/** Writes a row, which shows that the database is there and takes writes. */
export async function writeHeartbeat(db: Queryable, process: string): Promise<void> {
  await db.query(`insert into heartbeat (process) values ($1) on conflict (process) do update set seen_at = now()`, [
    process
  ])
}
