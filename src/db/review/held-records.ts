import type { Json } from '../../model/json.ts'
import type { Reason } from '../../model/reasons.ts'
import type { RecordState } from '../../model/states.ts'
import type { Queryable, Tx } from '../pool.ts'
import { lockChunks } from './chunk-counts.ts'

/** A record that a decision is about, with what its re-judging needs. Locked for the rest of the transaction. */
export interface HeldRecord {
  readonly jurisdiction: string
  readonly id: string
  readonly batchId: string
  readonly fileId: string
  readonly fileNumber: number
  readonly chunkId: string
  readonly item: number
  readonly line: number | null
  readonly profile: string
  readonly state: RecordState
  readonly idempotencyKey: string
  readonly duplicateOf: string | null
  readonly reasons: readonly Reason[]
  readonly fields: Json
  readonly content: Json
  readonly revision: number
  readonly auditSeq: number
  readonly auditHash: Buffer
  readonly format: Json
  /** Whether it waits for another run. */
  readonly retryRequested: boolean
}

/** Reads and locks a record of a jurisdiction. */
export async function lockRecord(tx: Tx, jurisdiction: string, recordId: string): Promise<HeldRecord | undefined> {
  const { rows } = await tx.query<HeldRecord>(
    `select r.jurisdiction, r.id, r.batch_id as "batchId", r.file_id as "fileId", r.file_number as "fileNumber",
       r.chunk_id as "chunkId", r.item, r.line, r.profile, r.state, encode(r.idempotency_key, 'hex') as "idempotencyKey",
       r.duplicate_of as "duplicateOf", r.reasons, r.fields, r.content, r.revision, r.audit_seq as "auditSeq",
       r.audit_hash as "auditHash", f.format, r.retry_requested as "retryRequested"
     from record r join file f on f.jurisdiction = r.jurisdiction and f.id = r.file_id
     where r.jurisdiction = $1 and r.id = $2 for update of r`,
    [jurisdiction, recordId]
  )
  return rows[0]
}

export interface Follower {
  readonly id: string
  readonly batchId: string
  readonly fileNumber: number
  readonly item: number
  readonly chunkId: string
  readonly auditSeq: number
  readonly auditHash: Buffer
  readonly idempotencyKey: string
}

/** Locks the held records whose content this one speaks for, in the order of their places. */
export async function lockFollowers(tx: Tx, jurisdiction: string, recordId: string): Promise<Follower[]> {
  const { rows } = await tx.query<Follower>(
    `select r.id, r.batch_id as "batchId", r.file_number as "fileNumber", r.item, r.chunk_id as "chunkId",
       r.audit_seq as "auditSeq", r.audit_hash as "auditHash", encode(r.idempotency_key, 'hex') as "idempotencyKey"
     from record r join batch b on b.jurisdiction = r.jurisdiction and b.id = r.batch_id
     where r.jurisdiction = $1 and r.duplicate_of = $2 and r.state = 'quarantined'
     order by b.received_at, r.batch_id, r.file_number, r.item for update of r`,
    [jurisdiction, recordId]
  )
  return rows
}

export interface RecordChange {
  readonly state: RecordState
  readonly manifest: number
  readonly naturalKey: string | null
  readonly version: number | null
  readonly duplicateOf: string | null
  readonly confidence: number | null
  readonly reasons: readonly Reason[]
  readonly fields: Json
  readonly content: Json
  readonly decision: Json
  readonly diagnostic: Json
  readonly auditHash: Buffer
}

/** Keeps what the record was as a revision and writes what it is now. The caller holds its lock. */
export async function changeRecord(
  tx: Tx,
  record: Pick<HeldRecord, 'jurisdiction' | 'id'>,
  change: RecordChange
): Promise<void> {
  await tx.query(
    `with before as (
       insert into record_revision (jurisdiction, record_id, revision, state, manifest, confidence, reasons, fields, content, decision)
       select jurisdiction, id, revision, state, manifest, confidence, reasons, fields, content, decision
       from record where jurisdiction = $1 and id = $2
     )
     update record set state = $3, manifest = $4, natural_key = $5, version = $6, duplicate_of = $7, confidence = $8,
       reasons = $9, fields = $10, content = $11,
       decision = $12::jsonb || jsonb_build_object('at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
       diagnostic = $13, revision = revision + 1,
       audit_seq = audit_seq + 1, audit_hash = $14, retry_requested = false, updated_at = now()
     where jurisdiction = $1 and id = $2`,
    [
      record.jurisdiction,
      record.id,
      change.state,
      change.manifest,
      change.naturalKey,
      change.version,
      change.duplicateOf,
      change.confidence,
      JSON.stringify(change.reasons),
      JSON.stringify(change.fields),
      change.content === null ? null : JSON.stringify(change.content),
      change.decision === null ? null : JSON.stringify(change.decision),
      change.diagnostic === null ? null : JSON.stringify(change.diagnostic),
      change.auditHash
    ]
  )
}

/** How one follower ended: as a version of its own when other content came between it and its twin, else as a duplicate. */
export interface FollowerEnd {
  readonly id: string
  readonly auditHash: Buffer
  readonly version: number | null
  readonly duplicateOf: string | null
}

/** Ends followers as their twin ended; each keeps its revision before. */
export async function changeFollowers(
  tx: Tx,
  jurisdiction: string,
  end: {
    readonly state: 'accepted' | 'rejected'
    readonly naturalKey: string | null
    readonly reasons: readonly Reason[]
    readonly decision: Json
  },
  followers: readonly FollowerEnd[]
): Promise<void> {
  await tx.query(
    `with f as (
       select * from unnest($3::uuid[], $4::bytea[], $5::int[], $6::uuid[]) as u(id, audit_hash, version, duplicate_of)
     ), before as (
       insert into record_revision (jurisdiction, record_id, revision, state, manifest, confidence, reasons, fields, content, decision)
       select r.jurisdiction, r.id, r.revision, r.state, r.manifest, r.confidence, r.reasons, r.fields, r.content, r.decision
       from record r join f using (id) where r.jurisdiction = $1
     )
     update record r set state = $2, natural_key = $7, version = f.version, reasons = $8, duplicate_of = f.duplicate_of,
       decision = $9::jsonb || jsonb_build_object('at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
       content = case when $2 = 'accepted' then null else r.content end,
       revision = r.revision + 1, audit_seq = r.audit_seq + 1, audit_hash = f.audit_hash, updated_at = now()
     from f where r.jurisdiction = $1 and r.id = f.id`,
    [
      jurisdiction,
      end.state,
      followers.map(follower => follower.id),
      followers.map(follower => follower.auditHash),
      followers.map(follower => follower.version),
      followers.map(follower => follower.duplicateOf),
      end.naturalKey,
      JSON.stringify(end.reasons),
      end.decision === null ? null : JSON.stringify(end.decision)
    ]
  )
}

/** A version of content that a decision brings. */
export async function insertVersion(
  tx: Tx,
  record: Pick<HeldRecord, 'jurisdiction' | 'profile' | 'batchId' | 'fileNumber' | 'item' | 'id' | 'idempotencyKey'>,
  version: { readonly naturalKey: string; readonly version: number; readonly content: Json }
): Promise<void> {
  await tx.query(
    `insert into canonical_record (jurisdiction, profile, natural_key, version, idempotency_key, record_id,
       batch_received_at, batch_id, file_number, item, content)
     select $1, $2, $3, $4, decode($5, 'hex'), $6, b.received_at, b.id, $8, $9, $10
     from batch b where b.jurisdiction = $1 and b.id = $7`,
    [
      record.jurisdiction,
      record.profile,
      version.naturalKey,
      version.version,
      record.idempotencyKey,
      record.id,
      record.batchId,
      record.fileNumber,
      record.item,
      JSON.stringify(version.content)
    ]
  )
}

/**
 * Marks held records for another run; answers the chunks they stand in. Records with corrections by hand are left alone:
 * another run reads the submitted content again and would lose them. So are those that a corrected row speaks for.
 */
export async function requestRetry(
  db: Queryable,
  work: {
    readonly jurisdiction: string
    readonly batchId: string
    readonly recordId: string | null
    readonly codes: readonly string[] | null
  }
): Promise<{ chunkId: string; records: number }[]> {
  const { rows } = await db.query<{ chunkId: string; records: number }>(
    `with marked as (
       update record set retry_requested = true
       where jurisdiction = $1 and batch_id = $2 and state = 'quarantined' and duplicate_of is null
         and ($3::uuid is null or id = $3)
         and not exists (select 1 from jsonb_each(fields) f where f.value ->> 'status' = 'human')
         and not exists (select 1 from correction c where c.jurisdiction = $1 and c.record_id = record.id)
         and ($3::uuid is not null or case when $4::text[] is null
           then reasons @> '[{"failure_class": "transient"}]'
           else exists (select 1 from jsonb_array_elements(reasons) x where x ->> 'code' = any($4)) end)
       returning chunk_id
     )
     select chunk_id as "chunkId", count(*)::int as records from marked group by chunk_id order by chunk_id`,
    [work.jurisdiction, work.batchId, work.recordId, work.codes]
  )
  return rows
}

/**
 * Counts another run of each of these chunks; the number is its job's generation. Locks the chunks in the order of their
 * ids, as decisions do.
 */
export async function nextRedrives(
  tx: Tx,
  jurisdiction: string,
  chunkIds: readonly string[]
): Promise<{ subjectId: string; generation: number }[]> {
  await lockChunks(tx, jurisdiction, chunkIds)
  const { rows } = await tx.query<{ subjectId: string; generation: number }>(
    `update chunk set redrives = redrives + 1 where jurisdiction = $1 and id = any($2::uuid[])
     returning id as "subjectId", redrives as generation`,
    [jurisdiction, chunkIds]
  )
  return rows
}

/** Withdraws the requests to run these records again, or all of a chunk's: nobody is going to. */
export async function withdrawRetries(
  db: Queryable,
  jurisdiction: string,
  chunkId: string,
  recordIds: readonly string[] | null
): Promise<void> {
  await db.query(
    `update record set retry_requested = false
     where jurisdiction = $1 and chunk_id = $2 and retry_requested and ($3::uuid[] is null or id = any($3))`,
    [jurisdiction, chunkId, recordIds]
  )
}

/** Records of a chunk that wait for another run. */
export async function listRetries(
  db: Queryable,
  jurisdiction: string,
  chunkId: string
): Promise<{ id: string; item: number }[]> {
  const { rows } = await db.query<{ id: string; item: number }>(
    `select id, item from record
     where jurisdiction = $1 and chunk_id = $2 and retry_requested and state = 'quarantined' order by item`,
    [jurisdiction, chunkId]
  )
  return rows
}
