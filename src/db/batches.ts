import type { Json } from '../model/json.ts'
import type { BatchState, Lane } from '../model/states.ts'
import type { Queryable, Tx } from './pool.ts'

export interface NewBatch {
  readonly jurisdiction: string
  readonly id: string
  readonly profile: string
  readonly source: string | null
  readonly lane: Lane
  /** `key:<id>` of the principal. */
  readonly submitter: string
  readonly options: { readonly [name: string]: Json }
  readonly digest: Buffer
  readonly manifest: number
  /** Hash of the batch's first audit entry. */
  readonly receivedHash: Buffer
}

/** Notes that a jurisdiction exists; any well-formed one does from its first batch on. */
export async function ensureJurisdiction(db: Queryable, code: string): Promise<void> {
  await db.query('insert into jurisdiction (code) values ($1) on conflict (code) do nothing', [code])
}

/** Adds a batch in state `queued`. */
export async function insertBatch(tx: Tx, batch: NewBatch): Promise<void> {
  await tx.query(
    `insert into batch (jurisdiction, id, state, profile, source, lane, submitter, options, digest, manifest,
       received_hash, audit_seq, audit_hash)
     values ($1, $2, 'queued', $3, $4, $5, $6, $7, $8, $9, $10, 1, $10)`,
    [
      batch.jurisdiction,
      batch.id,
      batch.profile,
      batch.source,
      batch.lane,
      batch.submitter,
      JSON.stringify(batch.options),
      batch.digest,
      batch.manifest,
      batch.receivedHash
    ]
  )
}

/** The options a batch was sent with; none for a batch that does not exist. */
export async function readBatchOptions(
  db: Queryable,
  jurisdiction: string,
  batchId: string
): Promise<{ readonly [name: string]: Json }> {
  const { rows } = await db.query<{ options: { [name: string]: Json } }>(
    'select options from batch where jurisdiction = $1 and id = $2',
    [jurisdiction, batchId]
  )
  return rows[0]?.options ?? {}
}

/** A batch with the counts of its records. */
export interface BatchLine {
  readonly id: string
  readonly jurisdiction: string
  readonly state: BatchState
  readonly profile: string
  readonly source: string | null
  readonly lane: Lane
  readonly dryRun: boolean
  readonly parentBatchId: string | null
  readonly manifestVersion: string
  readonly receivedAt: Date
  readonly startedAt: Date | null
  readonly finishedAt: Date | null
  readonly total: number
  readonly pending: number
  readonly accepted: number
  readonly duplicate: number
  readonly quarantined: number
  readonly rejected: number
  readonly cancelled: number
}

export interface BatchView extends BatchLine {
  readonly files: number
  readonly filesSplit: number
  /** Milliseconds per stage, summed over committed chunks. */
  readonly stageMs: Readonly<Record<string, number>>
  /** Seconds since the first chunk was started, by the database's clock. */
  readonly elapsedSeconds: number | null
  /** The oldest pause in force that holds back its work. */
  readonly paused: { readonly jurisdiction: string | null; readonly lane: Lane | null; readonly since: string } | null
}

/**
 * One batch with its counts, all read in one statement, so that they add up whatever commits meanwhile. Undefined when
 * there is none in these jurisdictions; null means all of them.
 */
export async function getBatch(
  db: Queryable,
  id: string,
  jurisdictions: readonly string[] | null
): Promise<BatchView | undefined> {
  const { rows } = await db.query<BatchView>(
    `with b as (
       select * from batch where id = $1 and jurisdiction = any(coalesce($2::text[], array(select code from jurisdiction)))
     ), c as (
       select coalesce(sum(record_count), 0)::int as total,
         coalesce(sum(record_count) filter (where chunk.state = 'pending'), 0)::int as pending,
         coalesce(sum(record_count) filter (where chunk.state = 'cancelled'), 0)::int as cancelled,
         coalesce(sum(accepted), 0)::int as accepted, coalesce(sum(duplicate), 0)::int as duplicate,
         coalesce(sum(quarantined), 0)::int as quarantined, coalesce(sum(rejected), 0)::int as rejected,
         jsonb_strip_nulls(jsonb_build_object('queue_wait', round(sum(ms_queue_wait)), 'read', round(sum(ms_read)),
           'extract', round(sum(ms_extract)), 'map', round(sum(ms_map)), 'enrich', round(sum(ms_enrich)),
           'validate', round(sum(ms_validate)), 'commit', round(sum(ms_commit)))) as "stageMs"
       from b join chunk on chunk.jurisdiction = b.jurisdiction and chunk.batch_id = b.id
     ), f as (
       select count(*)::int as files, (count(*) filter (where file.state in ('split', 'cancelled')))::int as "filesSplit"
       from b join file on file.jurisdiction = b.jurisdiction and file.batch_id = b.id
     )
     select b.id, b.jurisdiction, b.state, b.profile, b.source, b.lane, b.options @> '{"dry_run": true}' as "dryRun",
       b.parent_batch_id as "parentBatchId", m.version as "manifestVersion",
       b.received_at as "receivedAt", b.started_at as "startedAt", b.finished_at as "finishedAt", c.*, f.*,
       extract(epoch from coalesce(b.finished_at, now()) - b.started_at)::float8 as "elapsedSeconds",
       case when b.finished_at is null then (
         select jsonb_build_object('jurisdiction', p.jurisdiction, 'lane', p.lane, 'since', p.paused_at) from work_pause p
         where p.resumed_at is null and (p.jurisdiction is null or p.jurisdiction = b.jurisdiction)
           and (p.lane is null or p.lane = b.lane)
         order by p.paused_at, p.id limit 1) end as paused
     from b join manifest m on m.number = b.manifest cross join c cross join f`,
    [id, jurisdictions]
  )
  return rows[0]
}

/** What identifies a batch, without its counts. */
export type BatchRef = Pick<BatchView, 'id' | 'jurisdiction' | 'state' | 'dryRun'>

/** One batch by its id alone; undefined when there is none in these jurisdictions; null means all of them. */
export async function getBatchRef(
  db: Queryable,
  id: string,
  jurisdictions: readonly string[] | null
): Promise<BatchRef | undefined> {
  const { rows } = await db.query<BatchRef>(
    `select id, jurisdiction, state, options @> '{"dry_run": true}' as "dryRun" from batch
     where id = $1 and jurisdiction = any(coalesce($2::text[], array(select code from jurisdiction)))`,
    [id, jurisdictions]
  )
  return rows[0]
}
