import { digestArray } from '../encoding/binary.ts'
import type { Tx } from '../pool.ts'
import type { ExistingHead, HeadRow } from '../work/heads.ts'
import type { RecordOwner, RecordRow } from '../work/record-row.ts'

/** What would become of one record: its row without what only a commit writes. */
export type ReportRow = Omit<RecordRow, 'salt' | 'isVersion' | 'timeline' | 'detail'>

/** Lets the reports of one dry run come one after another: each sees those before it. */
export async function lockDryRun(tx: Tx, batchId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`dry run ${batchId}`])
}

/** Which of these contents are held, in truth or in this dry run before, and by which record; keys are hex. */
export async function findTwins(
  tx: Tx,
  owner: { readonly jurisdiction: string; readonly batchId: string },
  keys: readonly string[]
): Promise<Map<string, string>> {
  const { rows } = await tx.query<{ key: string; id: string }>(
    `select encode(idempotency_key, 'hex') as key, record_id as id from held_content
     where jurisdiction = $1 and idempotency_key = any($3::bytea[])
     union all
     select encode(idempotency_key, 'hex'), id from dry_run_record
     where jurisdiction = $1 and batch_id = $2 and idempotency_key = any($3::bytea[]) and state = 'quarantined'
       and duplicate_of is null`,
    [owner.jurisdiction, owner.batchId, digestArray(keys)]
  )
  // Content that is held in truth follows that record: it comes first.
  return new Map(rows.toReversed().map(row => [row.key, row.id]))
}

/** The heads of these natural keys as this dry run would find them: its own where it has one, else those that exist. */
export async function readHeads(
  tx: Tx,
  owner: { readonly jurisdiction: string; readonly batchId: string; readonly profile: string },
  naturalKeys: readonly string[]
): Promise<ExistingHead[]> {
  const { rows } = await tx.query<ExistingHead>(
    `select natural_key as "naturalKey", version, last_version as "lastVersion", encode(idempotency_key, 'hex') as "idempotencyKey",
       record_id as "recordId", item, file_number as "fileNumber", batch_order as "batchOrder"
     from dry_run_head where jurisdiction = $1 and batch_id = $2 and natural_key = any($4::text[])
     union all
     select h.natural_key, h.version, h.last_version, encode(h.idempotency_key, 'hex'), h.record_id, h.item, h.file_number,
       case when (h.batch_received_at, h.batch_id) < (b.received_at, b.id) then -1 else 1 end
     from current_version h join batch b on b.jurisdiction = $1 and b.id = $2
     where h.jurisdiction = $1 and h.profile = $3 and h.natural_key = any($4::text[])
       and not exists (select 1 from dry_run_head d where d.jurisdiction = $1 and d.batch_id = $2 and d.natural_key = h.natural_key)`,
    [owner.jurisdiction, owner.batchId, owner.profile, naturalKeys]
  )
  return rows
}

/** A head as a dry run leaves it behind. */
export type ReportHead = HeadRow & Pick<ExistingHead, 'fileNumber' | 'batchOrder'>

/** Keeps how heads would stand. */
export async function saveHeads(
  tx: Tx,
  owner: { readonly jurisdiction: string; readonly batchId: string },
  heads: readonly ReportHead[]
): Promise<void> {
  await tx.query(
    `insert into dry_run_head (jurisdiction, batch_id, natural_key, version, last_version, idempotency_key, record_id,
       batch_order, file_number, item)
     select $1, $2, h.natural_key, h.version, h.last_version, decode(h.key, 'hex'), h.record_id, h.batch_order, h.file_number, h.item
     from jsonb_to_recordset($3::jsonb) as h(natural_key text, version int, last_version int, key text, record_id uuid,
       batch_order int, file_number int, item int)
     on conflict (jurisdiction, batch_id, natural_key) do update set version = excluded.version,
       last_version = excluded.last_version, idempotency_key = excluded.idempotency_key, record_id = excluded.record_id,
       batch_order = excluded.batch_order, file_number = excluded.file_number, item = excluded.item`,
    [
      owner.jurisdiction,
      owner.batchId,
      JSON.stringify(
        heads.map(head => ({
          natural_key: head.naturalKey,
          version: head.version,
          last_version: head.lastVersion,
          key: head.idempotencyKey,
          record_id: head.recordId,
          batch_order: head.batchOrder,
          file_number: head.fileNumber,
          item: head.item
        }))
      )
    ]
  )
}

/** Keeps what would become of records. */
export async function insertReport(tx: Tx, owner: RecordOwner, rows: readonly ReportRow[]): Promise<void> {
  await tx.query(
    `insert into dry_run_record (jurisdiction, batch_id, file_id, file_number, chunk_id, profile, manifest, id, item, line, state,
       idempotency_key, natural_key, version, duplicate_of, confidence, reasons, fields, content, diagnostic)
     select $1, $2, $3, $4, $5, $6, $7, r.id, r.item, r.line, r.state, decode(r.key, 'hex'), r.natural_key, r.version,
       r.duplicate_of, r.confidence, r.reasons, r.fields, nullif(r.content, 'null'), nullif(r.diagnostic, 'null')
     from jsonb_to_recordset($8::jsonb) as r(id uuid, item int, line int, state text, key text, natural_key text, version int,
       duplicate_of uuid, confidence real, reasons jsonb, fields jsonb, content jsonb, diagnostic jsonb)`,
    [
      owner.jurisdiction,
      owner.batchId,
      owner.fileId,
      owner.fileNumber,
      owner.chunkId,
      owner.profile,
      owner.manifest,
      JSON.stringify(
        rows.map(row => ({
          id: row.id,
          item: row.item,
          line: row.line,
          state: row.state,
          key: row.idempotencyKey,
          natural_key: row.naturalKey,
          version: row.version,
          duplicate_of: row.duplicateOf,
          confidence: row.confidence,
          reasons: row.reasons,
          fields: row.fields,
          content: row.content,
          diagnostic: row.diagnostic
        }))
      )
    ]
  )
}
