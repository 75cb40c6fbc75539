import type { RecordState } from '../../model/states.ts'
import type { Queryable, Tx } from '../pool.ts'
import { forgetCached } from '../registries/cache.ts'

/** Why values are erased: a closed list, since a text of somebody's own could say of whom they were. */
export const ERASURE_REASONS = ['subject_request', 'court_order', 'retention', 'sent_in_error'] as const
export type ErasureReason = (typeof ERASURE_REASONS)[number]

/** A record that an erasure is about. */
export interface ErasedRecord {
  readonly id: string
  readonly state: RecordState
  readonly profile: string
  readonly naturalKey: string | null
  readonly fileId: string
  readonly isErased: boolean
  /** Whether its batch has ended: until then its file is read. */
  readonly isOver: boolean
}

const FOUND = `select r.id, r.state, r.profile, r.natural_key as "naturalKey", r.file_id as "fileId",
    exists (select 1 from record_erasure e where e.jurisdiction = r.jurisdiction and e.record_id = r.id) as "isErased",
    b.finished_at is not null as "isOver"
  from record r join batch b on b.jurisdiction = r.jurisdiction and b.id = r.batch_id`

/** A record and every other of its jurisdiction that has the same content. Reads all records of the jurisdiction. */
export async function findSameContent(db: Queryable, jurisdiction: string, recordId: string): Promise<ErasedRecord[]> {
  const { rows } = await db.query<ErasedRecord>(
    `${FOUND} where r.jurisdiction = $1 and r.idempotency_key =
       (select idempotency_key from record where jurisdiction = $1 and id = $2) order by r.id`,
    [jurisdiction, recordId]
  )
  return rows
}

/** Records by their ids. */
export async function findRecordsById(
  db: Queryable,
  jurisdiction: string,
  ids: readonly string[]
): Promise<ErasedRecord[]> {
  const { rows } = await db.query<ErasedRecord>(`${FOUND} where r.jurisdiction = $1 and r.id = any($2::uuid[])`, [
    jurisdiction,
    ids
  ])
  return rows
}

/** All records of a natural key as it is shown, and those with the same contents. Reads all records of the jurisdiction. */
export async function findByNaturalKey(
  db: Queryable,
  jurisdiction: string,
  profile: string,
  shown: string
): Promise<ErasedRecord[]> {
  const { rows } = await db.query<ErasedRecord>(
    `${FOUND} where r.jurisdiction = $1 and r.profile = $2 and r.idempotency_key in (
       select idempotency_key from record where jurisdiction = $1 and profile = $2
         and (natural_key = $3 or replace(natural_key, chr(31), ' ') = $3)) order by r.id`,
    [jurisdiction, profile, shown]
  )
  return rows
}

/** What was erased and when; undefined for a record that was not. */
export async function readErasure(
  db: Queryable,
  jurisdiction: string,
  recordId: string
): Promise<{ readonly erasedAt: Date; readonly reason: string; readonly rule: string | null } | undefined> {
  const { rows } = await db.query<{ erasedAt: Date; reason: string; rule: string | null }>(
    'select erased_at as "erasedAt", reason, rule from record_erasure where jurisdiction = $1 and record_id = $2',
    [jurisdiction, recordId]
  )
  return rows[0]
}

/** When those of these records that were erased were, by id. */
export async function readErasureTimes(
  db: Queryable,
  jurisdictions: readonly string[],
  recordIds: readonly string[]
): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await db.query<{ id: string; at: Date }>(
    `select record_id as id, erased_at as at from record_erasure
     where jurisdiction = any($1::text[]) and record_id = any($2::uuid[])`,
    [jurisdictions, recordIds]
  )
  return new Map(rows.map(row => [row.id, row.at]))
}

/** The end of a record's chain and what its next entry repeats. */
export interface ErasedEnd {
  readonly batchId: string
  readonly chunkId: string
  readonly state: RecordState
  readonly codes: readonly string[]
  readonly revision: number
  readonly manifestVersion: string
  readonly idempotencyKey: string
  readonly auditSeq: number
  readonly auditHash: Buffer
}

/** Locks a record that is to be erased; undefined when it was. */
export async function lockErased(tx: Tx, jurisdiction: string, recordId: string): Promise<ErasedEnd | undefined> {
  const { rows } = await tx.query<ErasedEnd>(
    `select r.batch_id as "batchId", r.chunk_id as "chunkId", r.state, r.revision, m.version as "manifestVersion",
       array(select x ->> 'code' from jsonb_array_elements(r.reasons) x) as codes,
       encode(r.idempotency_key, 'hex') as "idempotencyKey", r.audit_seq as "auditSeq", r.audit_hash as "auditHash"
     from record r join manifest m on m.number = r.manifest
     join batch b on b.jurisdiction = $1 and b.id = r.batch_id
     where r.jurisdiction = $1 and r.id = $2
     for update of r for share of b`,
    [jurisdiction, recordId]
  )
  // A statement of its own: the one that waited for the lock does not see what its holder wrote to another table.
  return (await readErasure(tx, jurisdiction, recordId)) ? undefined : rows[0]
}

/** Who erases, and why. */
export interface Erasure {
  readonly jurisdiction: string
  readonly actor: string
  readonly reason: ErasureReason
  readonly rule: string | null
}

/** Files of dry runs that held the content of a record, unless their run goes on or is on hold: they stand behind a report and no more. */
export async function listTriedFiles(tx: Tx, jurisdiction: string, recordId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    `select distinct d.file_id as id from record r
     join dry_run_record d on d.jurisdiction = $1 and d.idempotency_key = r.idempotency_key
     join batch b on b.jurisdiction = $1 and b.id = d.batch_id and b.finished_at is not null
     where r.jurisdiction = $1 and r.id = $2 and not exists (select 1 from legal_hold h
       where h.jurisdiction = $1 and h.subject_id = b.id and h.lifted_at is null)`,
    [jurisdiction, recordId]
  )
  return rows.map(row => row.id)
}

/**
 * Destroys what is stored of a locked record in the tables: salt, fields, content, comments, earlier revisions, its
 * version's content, the reports of dry runs with the same content, and what registries answered for its chunk or is kept of
 * its parcel and property. Answers the digests of the answers for its chunk, in hex.
 */
export async function destroyValues(tx: Tx, erasure: Erasure, recordId: string): Promise<string[]> {
  const { jurisdiction, actor, reason, rule } = erasure
  const values = [jurisdiction, recordId]
  await tx.query(`select set_config('docket.erasing', 'on', true)`)
  await forgetCached(tx, jurisdiction, recordId)
  await tx.query(
    `update canonical_record v set content = '{}' from record r
     where r.jurisdiction = $1 and r.id = $2 and v.jurisdiction = $1 and v.profile = r.profile
       and v.natural_key = r.natural_key and v.version = r.version and v.record_id = r.id`,
    values
  )
  // What was decided about the content has nothing left to be repeated with.
  await tx.query(
    `delete from decided_content where jurisdiction = $1 and record_id = $2
       and idempotency_key = (select idempotency_key from record where jurisdiction = $1 and id = $2)`,
    values
  )
  await tx.query('delete from record_revision where jurisdiction = $1 and record_id = $2', values)
  await tx.query(
    `update dry_run_record d set fields = '{}', content = null, diagnostic = null, natural_key = null from record r
     where r.jurisdiction = $1 and r.id = $2 and d.jurisdiction = $1 and d.idempotency_key = r.idempotency_key`,
    values
  )
  await tx.query(
    `delete from dry_run_head d using record r, batch b
     where r.jurisdiction = $1 and r.id = $2 and d.jurisdiction = $1 and d.natural_key = r.natural_key
       and b.jurisdiction = $1 and b.id = d.batch_id and b.profile = r.profile`,
    values
  )
  const { rows } = await tx.query<{ digest: string }>(
    `delete from registry_answers a using record r
     where r.jurisdiction = $1 and r.id = $2 and a.jurisdiction = $1 and a.chunk_id = r.chunk_id
     returning encode(a.digest, 'hex') as digest`,
    values
  )
  await tx.query(
    `update record set salt = null, fields = '{}', content = null, diagnostic = null, decision = decision - 'comment',
       natural_key = case when state = 'accepted' then natural_key end, revision = revision + 1, updated_at = now()
     where jurisdiction = $1 and id = $2`,
    values
  )
  await tx.query(
    'insert into record_erasure (jurisdiction, record_id, actor, reason, rule) values ($1, $2, $3, $4, $5)',
    [...values, actor, reason, rule]
  )
  await tx.query(`select set_config('docket.erasing', '', true)`)
  return rows.map(row => row.digest).toSorted()
}

/** The accepted records of a natural key: those of its versions, and those that repeat one. */
const OF_KEY = `select v.record_id as id from canonical_record v
    where v.jurisdiction = $1 and v.profile = $2 and v.natural_key = $3
  union select d.id from canonical_record v
    join record d on d.jurisdiction = $1 and d.duplicate_of = v.record_id and d.state = 'accepted'
    where v.jurisdiction = $1 and v.profile = $2 and v.natural_key = $3`

/** Undefined while one of them was not erased. */
async function listIfErased(tx: Tx, values: readonly string[]): Promise<string[] | undefined> {
  const { rows } = await tx.query<{ ids: string[]; left: boolean }>(
    `select coalesce(array_agg(o.id), '{}') as ids, coalesce(bool_or(e.record_id is null), false) as left
     from (${OF_KEY}) o left join record_erasure e on e.jurisdiction = $1 and e.record_id = o.id`,
    [...values]
  )
  return rows[0]?.left === false ? rows[0].ids : undefined
}

/**
 * Puts an id in the place of a natural key all of whose accepted records were erased, so that nobody finds in it of whom
 * they were, and the same content sent again begins anew. False when one of them was not.
 */
export async function hideNaturalKey(
  tx: Tx,
  jurisdiction: string,
  key: { readonly profile: string; readonly naturalKey: string; readonly by: string }
): Promise<boolean> {
  const values = [jurisdiction, key.profile, key.naturalKey]
  const hidden = [...values, `erased:${key.by}`]
  if (!(await listIfErased(tx, values))) return false
  // Whoever settles versions of a key that exists waits here, or we for them; then it is looked at again.
  await tx.query('lock table canonical_head in exclusive mode')
  const ids = await listIfErased(tx, values)
  if (!ids) return false
  await tx.query(`select set_config('docket.erasing', 'on', true)`)
  const IS_KEY = 'jurisdiction = $1 and profile = $2 and natural_key = $3'
  await tx.query(`update canonical_record set natural_key = $4 where ${IS_KEY}`, hidden)
  await tx.query(`update canonical_head set natural_key = $4 where ${IS_KEY}`, hidden)
  await tx.query('update record set natural_key = $3 where jurisdiction = $1 and id = any($2::uuid[])', [
    jurisdiction,
    ids,
    hidden[3]
  ])
  await tx.query(`select set_config('docket.erasing', '', true)`)
  return true
}
