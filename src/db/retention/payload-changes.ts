import type { Json } from '../../model/json.ts'
import type { Queryable, Tx } from '../pool.ts'

/** A file of an erased record, as far as its payload goes. */
export interface ErasedFile {
  readonly id: string
  readonly batchId: string
  readonly state: string
  readonly kind: string
  readonly size: number
  /** Of the bytes that lie there now. */
  readonly sha256: Buffer
  readonly payloadUri: string
  readonly unpackedUri: string | null
  readonly archiveId: string | null
  readonly format: Json
  readonly isRemoved: boolean
  readonly manifestVersion: string
  readonly auditSeq: number
  readonly auditHash: Buffer
  /** Records in it that were not erased, and chunks whose records do not exist yet. */
  readonly left: boolean
  /** Whether something is still to be done to its payload. */
  readonly isChanging: boolean
}

const FILE = `select f.id, f.batch_id as "batchId", f.state, f.kind, f.size, coalesce(f.payload_sha256, f.sha256) as sha256,
    f.payload_uri as "payloadUri", coalesce(f.format -> 'unpacked', f.progress -> 'unpacked') ->> 'uri' as "unpackedUri",
    f.archive_id as "archiveId", f.format, f.payload_removed_at is not null as "isRemoved", m.version as "manifestVersion",
    f.audit_seq as "auditSeq", f.audit_hash as "auditHash",
    exists (select 1 from chunk k where k.jurisdiction = $1 and k.batch_id = f.batch_id and k.file_number = f.number
        and k.state = 'pending')
      or exists (select 1 from record r where r.jurisdiction = $1 and r.batch_id = f.batch_id and r.file_number = f.number
        and not exists (select 1 from record_erasure e where e.jurisdiction = $1 and e.record_id = r.id))
      or exists (select 1 from file a where a.jurisdiction = $1 and a.batch_id = f.batch_id and a.archive_id = f.id
        and a.payload_removed_at is null) as left,
    exists (select 1 from payload_change c where c.jurisdiction = $1 and c.file_id = f.id) as "isChanging"
  from file f
  join batch b on b.jurisdiction = $1 and b.id = f.batch_id
  join manifest m on m.number = b.manifest`

/** A file with what is left of its records. */
export async function readErasedFile(
  db: Pick<Queryable, 'query'>,
  jurisdiction: string,
  fileId: string
): Promise<ErasedFile | undefined> {
  const { rows } = await db.query<ErasedFile>(`${FILE} where f.jurisdiction = $1 and f.id = $2`, [jurisdiction, fileId])
  return rows[0]
}

/** The same, locked until the transaction ends; no hold is placed on its batch or its records by then. */
export async function lockErasedFile(tx: Tx, jurisdiction: string, fileId: string): Promise<ErasedFile | undefined> {
  await tx.query(
    `select 1 from batch where jurisdiction = $1 and id = (select batch_id from file where jurisdiction = $1 and id = $2)
     for share`,
    [jurisdiction, fileId]
  )
  await tx.query('select 1 from file where jurisdiction = $1 and id = $2 for update', [jurisdiction, fileId])
  return readErasedFile(tx, jurisdiction, fileId)
}

/** Where an erased row lies: its chunk of the file, and its number. */
export interface ErasedRow {
  readonly chunkId: string
  readonly item: number
  readonly byteStart: number
  readonly byteEnd: number
  readonly firstItem: number
  readonly firstLine: number | null
  readonly records: number
  readonly digest: Buffer | null
}

/** The erased rows of a file whose chunks lie in known bytes, in order. */
export async function listErasedRows(db: Queryable, jurisdiction: string, fileId: string): Promise<ErasedRow[]> {
  const { rows } = await db.query<ErasedRow>(
    `select k.id as "chunkId", r.item, k.byte_start as "byteStart", k.byte_end as "byteEnd", k.first_item as "firstItem",
       k.first_line as "firstLine", k.record_count as records, k.digest
     from file f
     join record r on r.jurisdiction = $1 and r.batch_id = f.batch_id and r.file_number = f.number
     join record_erasure e on e.jurisdiction = $1 and e.record_id = r.id
     join chunk k on k.jurisdiction = $1 and k.id = r.chunk_id and k.byte_start is not null and k.byte_end is not null
     where f.jurisdiction = $1 and f.id = $2 order by k.byte_start, r.item`,
    [jurisdiction, fileId]
  )
  return rows
}

/** Bytes of an object that are overwritten: `text` in base64 from `start` on. */
export interface Patch {
  readonly start: number
  readonly text: string
}

/** Something still to be done to an object of the store. */
export interface PayloadChange {
  readonly jurisdiction: string
  readonly id: string
  readonly fileId: string
  readonly uri: string
  readonly patches: readonly Patch[] | null
}

/** Notes what is to be done to objects once this transaction is durable. */
export async function addPayloadChanges(tx: Tx, changes: readonly PayloadChange[]): Promise<void> {
  for (const { jurisdiction, id, fileId, uri, patches } of changes) {
    await tx.query('insert into payload_change (jurisdiction, id, file_id, uri, patches) values ($1, $2, $3, $4, $5)', [
      jurisdiction,
      id,
      fileId,
      uri,
      patches === null ? null : JSON.stringify(patches)
    ])
  }
}

/** What is still to be done, the oldest first; of one file, or of all. */
export async function listPayloadChanges(
  db: Queryable,
  limit: number,
  of: { readonly jurisdiction: string; readonly fileId: string } | null = null
): Promise<PayloadChange[]> {
  const { rows } = await db.query<PayloadChange>(
    `select jurisdiction, id, file_id as "fileId", uri, patches from payload_change
     where $2::text is null or (jurisdiction = $2 and file_id = $3::uuid) order by requested_at, id limit $1`,
    [limit, of?.jurisdiction ?? null, of?.fileId ?? null]
  )
  return rows
}

/** Notes that something was done. */
export async function endPayloadChange(db: Queryable, change: PayloadChange): Promise<void> {
  await db.query('delete from payload_change where jurisdiction = $1 and id = $2', [change.jurisdiction, change.id])
}

/** Says of a file that its payload is gone, or is other bytes now; its chain goes on by one entry. */
export async function changePayload(
  tx: Tx,
  jurisdiction: string,
  file: { readonly id: string; readonly sha256: Buffer | null; readonly auditHash: Buffer }
): Promise<void> {
  await tx.query(
    `update file set payload_sha256 = $3, payload_removed_at = case when $3::bytea is null then now() end,
       filename = case when $3::bytea is null then 'erased' else filename end,
       format = case when $3::bytea is null then format - 'evidence' - 'unpacked' else format end,
       audit_seq = audit_seq + 1, audit_hash = $4
     where jurisdiction = $1 and id = $2`,
    [jurisdiction, file.id, file.sha256, file.auditHash]
  )
  if (file.sha256 !== null) return
  // An answer that repeats the request would name the file.
  await tx.query(
    `update submission_key set answer = null, expires_at = now() where jurisdiction = $1 and batch_id =
       (select batch_id from file where jurisdiction = $1 and id = $2)`,
    [jurisdiction, file.id]
  )
}

/** The digests of chunks whose bytes were overwritten. */
export async function setChunkDigests(
  tx: Tx,
  jurisdiction: string,
  digests: ReadonlyMap<string, Buffer>
): Promise<void> {
  await tx.query(
    `update chunk k set digest = d.digest from unnest($2::uuid[], $3::bytea[]) d(id, digest)
     where k.jurisdiction = $1 and k.id = d.id`,
    [jurisdiction, [...digests.keys()], [...digests.values()]]
  )
}

/** Forgets what was read from a document and the pictures of its pages; answers the addresses of their objects. */
export async function deleteReadings(tx: Tx, jurisdiction: string, sha256: Buffer): Promise<string[]> {
  const { rows } = await tx.query<{ uri: string | null }>(
    `delete from extraction x where jurisdiction = $1 and sha256 = $2 and not exists (
       select 1 from file f where f.jurisdiction = $1 and f.sha256 = $2 and f.kind = 'document' and f.payload_removed_at is null)
     returning result_uri as uri`,
    [jurisdiction, sha256]
  )
  return rows.flatMap(row => (row.uri === null ? [] : [row.uri]))
}
