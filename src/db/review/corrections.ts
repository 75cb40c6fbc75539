import type { Json } from '../../model/json.ts'
import type { RecordState } from '../../model/states.ts'
import type { Queryable, Tx } from '../pool.ts'

/** Where a row of an errors file stands that came back. */
export interface CorrectionPlace {
  readonly jurisdiction: string
  readonly batchId: string
  readonly fileNumber: number
}

/** A record that rows of an errors file name. */
export interface NamedRecord {
  readonly id: string
  readonly batchId: string
  readonly fileId: string
  readonly chunkId: string
  readonly item: number
  readonly line: number | null
  readonly profile: string
  readonly state: RecordState
  readonly duplicateOf: string | null
  /** Hex. */
  readonly idempotencyKey: string
  /** Of the record that replaced it. Hex. */
  readonly replacementKey: string | null
  readonly fields: Json
  readonly content: Json
  /** The row that speaks for it, if there is one. */
  readonly claim: { readonly batchId: string; readonly fileNumber: number; readonly item: number } | null
}

/** The records of these ids, by id. */
export async function selectNamedRecords(
  db: Queryable,
  jurisdiction: string,
  ids: readonly string[]
): Promise<ReadonlyMap<string, NamedRecord>> {
  const { rows } = await db.query<NamedRecord>(
    `select r.id, r.batch_id as "batchId", r.file_id as "fileId", r.chunk_id as "chunkId", r.item, r.line, r.profile, r.state,
       r.duplicate_of as "duplicateOf", encode(r.idempotency_key, 'hex') as "idempotencyKey",
       encode(n.idempotency_key, 'hex') as "replacementKey", r.fields, r.content,
       case when c.record_id is not null then
         jsonb_build_object('batchId', c.batch_id, 'fileNumber', c.file_number, 'item', c.item) end as claim
     from record r
     left join record n on n.jurisdiction = r.jurisdiction and n.id = r.replaced_by
     left join correction c on c.jurisdiction = r.jurisdiction and c.record_id = r.id
     where r.jurisdiction = $1 and r.id = any($2::uuid[])`,
    [jurisdiction, ids]
  )
  return new Map(rows.map(row => [row.id, row]))
}

/** Where the rows of these records' chunks lie, and how their files are read. */
export interface NamedChunk {
  readonly id: string
  readonly kind: 'rows' | 'document' | 'fault'
  readonly byteStart: number | null
  readonly byteEnd: number | null
  readonly firstItem: number
  readonly firstLine: number | null
  readonly records: number
  readonly digest: Buffer | null
  readonly fileId: string
  readonly payloadUri: string
  readonly format: Json
}

/** Chunks by id, each with what reading it again needs. */
export async function selectNamedChunks(
  db: Queryable,
  jurisdiction: string,
  chunkIds: readonly string[]
): Promise<ReadonlyMap<string, NamedChunk>> {
  const { rows } = await db.query<NamedChunk>(
    `select c.id, c.kind, c.byte_start as "byteStart", c.byte_end as "byteEnd", c.first_item as "firstItem",
       c.first_line as "firstLine", c.record_count as records, c.digest, c.file_id as "fileId", f.payload_uri as "payloadUri", f.format
     from chunk c join file f on f.jurisdiction = c.jurisdiction and f.id = c.file_id
     where c.jurisdiction = $1 and c.id = any($2::uuid[])`,
    [jurisdiction, chunkIds]
  )
  return new Map(rows.map(row => [row.id, row]))
}

/**
 * Lets rows speak for the held records they name, and answers those of them that these rows speak for. Others have been
 * decided, or another row was first. Nothing when the chunk of the rows was cancelled. The records stay locked until the
 * transaction ends, so that no decision is under way.
 */
export async function claimCorrections(
  tx: Tx,
  place: CorrectionPlace & { readonly chunkId: string; readonly parentBatchId: string },
  claims: readonly { readonly recordId: string; readonly item: number }[]
): Promise<ReadonlySet<string>> {
  const { jurisdiction, batchId, fileNumber, chunkId } = place
  const { rowCount } = await tx.query(
    `select 1 from chunk where jurisdiction = $1 and id = $2 and state <> 'cancelled' for share`,
    [jurisdiction, chunkId]
  )
  if (rowCount !== 1) return new Set()
  const ids = claims.map(claim => claim.recordId)
  const { rows: open } = await tx.query<{ id: string }>(
    `select id from record where jurisdiction = $1 and id = any($2::uuid[]) and state = 'quarantined' and duplicate_of is null
     order by id for update`,
    [jurisdiction, ids]
  )
  await tx.query(
    `insert into correction (jurisdiction, record_id, batch_id, file_number, item)
     select $1, u.record_id, $2, $3, u.item from unnest($4::uuid[], $5::int[]) as u(record_id, item)
     where u.record_id = any($6::uuid[]) order by u.record_id on conflict do nothing`,
    [jurisdiction, batchId, fileNumber, ids, claims.map(claim => claim.item), open.map(row => row.id)]
  )
  await tx.query(
    `update batch set parent_batch_id = $3 where jurisdiction = $1 and id = $2 and parent_batch_id is null`,
    [jurisdiction, batchId, place.parentBatchId]
  )
  const { rows } = await tx.query<{ id: string }>(
    `select c.record_id as id from correction c join unnest($4::uuid[], $5::int[]) as u(record_id, item)
       on u.record_id = c.record_id and u.item = c.item
     where c.jurisdiction = $1 and c.batch_id = $2 and c.file_number = $3`,
    [jurisdiction, batchId, fileNumber, ids, claims.map(claim => claim.item)]
  )
  return new Set(rows.map(row => row.id))
}

/** Whether a row of an errors file speaks for a record. To be asked once its lock is held. */
export async function isSpokenFor(tx: Tx, jurisdiction: string, recordId: string): Promise<boolean> {
  const { rowCount } = await tx.query('select 1 from correction where jurisdiction = $1 and record_id = $2', [
    jurisdiction,
    recordId
  ])
  return rowCount === 1
}

/** Which of these records rows of an errors file speak for. To be asked once their locks are held. */
export async function findSpokenFor(
  tx: Tx,
  jurisdiction: string,
  ids: readonly string[]
): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ id: string }>(
    'select record_id as id from correction where jurisdiction = $1 and record_id = any($2::uuid[])',
    [jurisdiction, ids]
  )
  return new Set(rows.map(row => row.id))
}

/** Gives up what rows of a cancelled batch spoke for and will not settle: those whose row never became a record. */
export async function withdrawCorrections(tx: Tx, jurisdiction: string, batchId: string): Promise<void> {
  await tx.query(
    `delete from correction c where c.jurisdiction = $1 and c.batch_id = $2 and c.settled_at is null
       and not exists (select 1 from record r where r.jurisdiction = $1 and r.batch_id = $2
         and r.file_number = c.file_number and r.item = c.item)`,
    [jurisdiction, batchId]
  )
}

/** A held record whose row has become a record of its own. */
export interface ReadyCorrection {
  readonly recordId: string
  /** The batch of the held record. */
  readonly batchId: string
  readonly replacedBy: string
  readonly newState: RecordState
  readonly submitter: string
  readonly manifestVersion: string
}

/** Corrections of a batch that are ready to be settled. */
export async function listReadyCorrections(
  db: Queryable,
  jurisdiction: string,
  batchId: string,
  limit: number
): Promise<ReadyCorrection[]> {
  const { rows } = await db.query<ReadyCorrection>(
    `select c.record_id as "recordId", o.batch_id as "batchId", n.id as "replacedBy", n.state as "newState", b.submitter,
       m.version as "manifestVersion"
     from correction c
     join record n on n.jurisdiction = $1 and n.batch_id = $2 and n.file_number = c.file_number and n.item = c.item
     join record o on o.jurisdiction = $1 and o.id = c.record_id
     join batch b on b.jurisdiction = $1 and b.id = $2
     join manifest m on m.number = b.manifest
     where c.jurisdiction = $1 and c.batch_id = $2 and c.settled_at is null
     order by c.file_number, c.item limit $3`,
    [jurisdiction, batchId, limit]
  )
  return rows
}

/** Batches with corrections that are ready: what a worker left that ended between two transactions. */
export async function listBatchesToSettle(
  db: Queryable,
  limit: number
): Promise<{ jurisdiction: string; batchId: string }[]> {
  const { rows } = await db.query<{ jurisdiction: string; batchId: string }>(
    `select distinct c.jurisdiction, c.batch_id as "batchId" from correction c
     where c.settled_at is null and exists (select 1 from record n where n.jurisdiction = c.jurisdiction
       and n.batch_id = c.batch_id and n.file_number = c.file_number and n.item = c.item) limit $1`,
    [limit]
  )
  return rows
}

/** Ends records as rejected because others replaced them; each keeps its revision before. The caller holds their locks. */
export async function replaceRecords(
  tx: Tx,
  jurisdiction: string,
  because: { readonly reason: Json; readonly actor: string },
  ends: readonly { readonly id: string; readonly replacedBy: string }[]
): Promise<void> {
  await tx.query(
    `with u as (
       select * from unnest($3::uuid[], $4::uuid[]) as u(id, replaced_by)
     ), before as (
       insert into record_revision (jurisdiction, record_id, revision, state, manifest, natural_key, confidence, reasons, fields, content,
         decision)
       select r.jurisdiction, r.id, r.revision, r.state, r.manifest, r.natural_key, r.confidence, r.reasons, r.fields, r.content,
         r.decision
       from record r join u using (id) where r.jurisdiction = $1
     )
     update record r set state = 'rejected', reasons = jsonb_build_array($2::jsonb) || r.reasons, replaced_by = u.replaced_by,
       decision = jsonb_build_object('action', 'replace', 'record', u.replaced_by, 'actor', $5::text), retry_requested = false,
       revision = r.revision + 1, salt = coalesce(r.salt, uuid_send(gen_random_uuid())), updated_at = now()
     from u where r.jurisdiction = $1 and r.id = u.id`,
    [
      jurisdiction,
      JSON.stringify(because.reason),
      ends.map(end => end.id),
      ends.map(end => end.replacedBy),
      because.actor
    ]
  )
}

/** Notes that corrections are settled. */
export async function endCorrections(tx: Tx, jurisdiction: string, recordIds: readonly string[]): Promise<void> {
  await tx.query(
    `update correction set settled_at = now() where jurisdiction = $1 and record_id = any($2::uuid[]) and settled_at is null`,
    [jurisdiction, recordIds]
  )
}

/** Lets go of held records whose row was rejected at once: they stay as they were. */
export async function dropCorrections(tx: Tx, jurisdiction: string, recordIds: readonly string[]): Promise<void> {
  await tx.query(
    'delete from correction where jurisdiction = $1 and record_id = any($2::uuid[]) and settled_at is null',
    [jurisdiction, recordIds]
  )
}
