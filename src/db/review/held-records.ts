import type { Json } from '../../model/json.ts'
import type { Reason } from '../../model/reasons.ts'
import type { RecordState } from '../../model/states.ts'
import type { Tx } from '../pool.ts'

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
  /** When its batch was received, RFC 3339 text with microseconds. */
  readonly receivedAt: string
  /** Whether it waits for another run. */
  readonly retryRequested: boolean
}

/** What is read of a record that is decided about or run again: to be followed by a condition. */
export const HELD_RECORD = `r.jurisdiction, r.id, r.batch_id as "batchId", r.file_id as "fileId", r.file_number as "fileNumber",
  r.chunk_id as "chunkId", r.item, r.line, r.profile, r.state, encode(r.idempotency_key, 'hex') as "idempotencyKey",
  r.duplicate_of as "duplicateOf", r.reasons, r.fields, r.content, r.revision, r.audit_seq as "auditSeq",
  r.audit_hash as "auditHash", f.format, r.retry_requested as "retryRequested",
  (select to_char(b.received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
    from batch b where b.jurisdiction = r.jurisdiction and b.id = r.batch_id) as "receivedAt"
  from record r join file f on f.jurisdiction = r.jurisdiction and f.id = r.file_id`

/** Reads and locks a record of a jurisdiction. */
export async function lockRecord(tx: Tx, jurisdiction: string, recordId: string): Promise<HeldRecord | undefined> {
  const { rows } = await tx.query<HeldRecord>(
    `select ${HELD_RECORD} where r.jurisdiction = $1 and r.id = $2 for update of r`,
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

const FOLLOWER = `r.id, r.batch_id as "batchId", r.file_number as "fileNumber", r.item, r.chunk_id as "chunkId",
  r.audit_seq as "auditSeq", r.audit_hash as "auditHash", encode(r.idempotency_key, 'hex') as "idempotencyKey"`

/** Locks the held records whose content this one speaks for, in the order of their places. */
export async function lockFollowers(tx: Tx, jurisdiction: string, recordId: string): Promise<Follower[]> {
  const { rows } = await tx.query<Follower>(
    `select ${FOLLOWER} from record r join batch b on b.jurisdiction = r.jurisdiction and b.id = r.batch_id
     where r.jurisdiction = $1 and r.duplicate_of = $2 and r.state = 'quarantined'
     order by b.received_at, r.batch_id, r.file_number, r.item for update of r`,
    [jurisdiction, recordId]
  )
  return rows
}

/** Locks held records in the order of their ids; those decided meanwhile are left out. */
export async function lockHeldRecords(tx: Tx, jurisdiction: string, ids: readonly string[]): Promise<Follower[]> {
  const { rows } = await tx.query<Follower>(
    `select ${FOLLOWER} from record r
     where r.jurisdiction = $1 and r.id = any($2::uuid[]) and r.state = 'quarantined' order by r.id for update`,
    [jurisdiction, ids]
  )
  return rows
}

/** Locks the held records that follow any of these, in the order of their ids. */
export async function lockFollowersOf(
  tx: Tx,
  jurisdiction: string,
  ids: readonly string[]
): Promise<(Follower & { readonly follows: string })[]> {
  const { rows } = await tx.query<Follower & { readonly follows: string }>(
    `select ${FOLLOWER}, r.duplicate_of as follows from record r
     where r.jurisdiction = $1 and r.duplicate_of = any($2::uuid[]) and r.state = 'quarantined' order by r.id for update`,
    [jurisdiction, ids]
  )
  return rows
}

/** Gives records another key: that of their content, once it has been read. The caller holds their locks. */
export async function setIdempotencyKey(
  tx: Tx,
  jurisdiction: string,
  recordIds: readonly string[],
  key: string
): Promise<void> {
  await tx.query(
    `update record set idempotency_key = decode($3, 'hex') where jurisdiction = $1 and id = any($2::uuid[])`,
    [jurisdiction, recordIds, key]
  )
}

/** What a record has become. */
export interface RecordChange {
  readonly id: string
  readonly state: RecordState
  readonly naturalKey: string | null
  readonly version: number | null
  readonly duplicateOf: string | null
  readonly confidence: number | null
  readonly reasons: readonly Reason[]
  readonly fields: Json
  readonly content: Json
  readonly decision: Json
  readonly diagnostic: Json
}

/**
 * Keeps what records were as revisions and writes what they are now, under one manifest. The caller holds their locks, and
 * adds the entries that tell of it to their chains.
 */
export async function changeRecords(
  tx: Tx,
  jurisdiction: string,
  manifest: number,
  changes: readonly RecordChange[]
): Promise<void> {
  await tx.query(
    `with c as materialized (
       select * from jsonb_to_recordset($3::jsonb) x(id uuid, state text, natural_key text, version int, duplicate_of uuid,
         confidence real, reasons jsonb, fields jsonb, content jsonb, decision jsonb, diagnostic jsonb)
     ), before as (
       insert into record_revision (jurisdiction, record_id, revision, state, manifest, natural_key, confidence, reasons, fields, content,
         decision)
       select r.jurisdiction, r.id, r.revision, r.state, r.manifest, r.natural_key, r.confidence, r.reasons, r.fields, r.content,
         r.decision
       from c join record r on r.jurisdiction = $1 and r.id = c.id
     )
     update record r set state = c.state, manifest = $2, natural_key = c.natural_key, version = c.version,
       duplicate_of = c.duplicate_of, confidence = c.confidence, reasons = c.reasons, fields = c.fields, content = c.content,
       decision = c.decision || jsonb_build_object('at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
       diagnostic = c.diagnostic, revision = r.revision + 1, salt = coalesce(r.salt, uuid_send(gen_random_uuid())),
       retry_requested = false, updated_at = now()
     from c where r.jurisdiction = $1 and r.id = c.id`,
    [
      jurisdiction,
      manifest,
      JSON.stringify(
        changes.map(change => ({
          id: change.id,
          state: change.state,
          natural_key: change.naturalKey,
          version: change.version,
          duplicate_of: change.duplicateOf,
          confidence: change.confidence,
          reasons: change.reasons,
          fields: change.fields,
          content: change.content,
          decision: change.decision,
          diagnostic: change.diagnostic
        }))
      )
    ]
  )
}

/** How one follower ended: as a version of its own when other content came between it and its twin, else as a duplicate. */
export interface FollowerEnd {
  readonly id: string
  readonly version: number | null
  readonly duplicateOf: string | null
}

/** Ends followers as their twin ended; each keeps its revision before. */
export async function changeFollowers(
  tx: Tx,
  jurisdiction: string,
  end: {
    readonly state: RecordState
    readonly naturalKey: string | null
    readonly reasons: readonly Reason[]
    readonly decision: Json
  },
  followers: readonly FollowerEnd[]
): Promise<void> {
  await tx.query(
    `with f as (
       select * from unnest($3::uuid[], $4::int[], $5::uuid[]) as u(id, version, duplicate_of)
     ), before as (
       insert into record_revision (jurisdiction, record_id, revision, state, manifest, natural_key, confidence, reasons, fields, content,
         decision)
       select r.jurisdiction, r.id, r.revision, r.state, r.manifest, r.natural_key, r.confidence, r.reasons, r.fields, r.content,
         r.decision
       from record r join f using (id) where r.jurisdiction = $1
     )
     update record r set state = $2, natural_key = $6, version = f.version, reasons = $7, duplicate_of = f.duplicate_of,
       decision = $8::jsonb || jsonb_build_object('at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
       content = case when $2 = 'accepted' then null else r.content end,
       revision = r.revision + 1, salt = coalesce(r.salt, uuid_send(gen_random_uuid())), updated_at = now()
     from f where r.jurisdiction = $1 and r.id = f.id`,
    [
      jurisdiction,
      end.state,
      followers.map(follower => follower.id),
      followers.map(follower => follower.version),
      followers.map(follower => follower.duplicateOf),
      end.naturalKey,
      JSON.stringify(end.reasons),
      end.decision === null ? null : JSON.stringify(end.decision)
    ]
  )
}

/** A version of content that a decision or another run brings. */
export type NewVersion = Pick<HeldRecord, 'batchId' | 'fileNumber' | 'item' | 'id' | 'idempotencyKey'> & {
  readonly naturalKey: string
  readonly version: number
  readonly content: Json
}

/** Writes versions in the order of their natural keys, as commits do. */
export async function insertVersions(
  tx: Tx,
  owner: Pick<HeldRecord, 'jurisdiction' | 'profile'>,
  versions: readonly NewVersion[]
): Promise<void> {
  await tx.query(
    `insert into canonical_record (jurisdiction, profile, natural_key, version, idempotency_key, record_id,
       batch_received_at, batch_id, file_number, item, content)
     select $1, $2, v.natural_key, v.version, decode(v.key, 'hex'), v.id, b.received_at, b.id, v.file_number, v.item, v.content
     from jsonb_to_recordset($3::jsonb) v(natural_key text, version int, key text, id uuid, batch_id uuid, file_number int,
       item int, content jsonb)
     join batch b on b.jurisdiction = $1 and b.id = v.batch_id
     order by v.natural_key, v.version`,
    [
      owner.jurisdiction,
      owner.profile,
      JSON.stringify(
        versions.map(one => ({
          natural_key: one.naturalKey,
          version: one.version,
          key: one.idempotencyKey,
          id: one.id,
          batch_id: one.batchId,
          file_number: one.fileNumber,
          item: one.item,
          content: one.content
        }))
      )
    ]
  )
}
