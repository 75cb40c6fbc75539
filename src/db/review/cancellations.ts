import type { Tx } from '../pool.ts'

export interface Cancelled {
  readonly chunks: number
  readonly records: number
}

/** Cancels pending chunks of a batch; answers how many they were, and their records. Committed ones stay as they are. */
export async function cancelPendingChunks(tx: Tx, jurisdiction: string, batchId: string): Promise<Cancelled> {
  const { rows } = await tx.query<Cancelled>(
    `with cancelled as (
       update chunk set state = 'cancelled' where jurisdiction = $1 and batch_id = $2 and state = 'pending'
       returning record_count
     )
     select count(*)::int as chunks, coalesce(sum(record_count), 0)::int as records from cancelled`,
    [jurisdiction, batchId]
  )
  return rows[0] ?? { chunks: 0, records: 0 }
}

/**
 * Whether any chunk of a batch is still pending. To be asked as a statement of its own: the parts of a chunk that was cut
 * while its cancellation waited for it are seen only by a later one.
 */
export async function hasPendingChunk(tx: Tx, jurisdiction: string, batchId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select 1 from chunk where jurisdiction = $1 and batch_id = $2 and state = 'pending' limit 1`,
    [jurisdiction, batchId]
  )
  return rowCount === 1
}

export interface CancelledSubject {
  readonly id: string
  readonly auditSeq: number
  readonly auditHash: Buffer
}

/** Cancels files that are not split to the end, and answers them for their audit entries. */
export async function cancelUnsplitFiles(tx: Tx, jurisdiction: string, batchId: string): Promise<CancelledSubject[]> {
  const { rows } = await tx.query<CancelledSubject>(
    `update file set state = 'cancelled', progress = null, audit_seq = audit_seq + 1
     where jurisdiction = $1 and batch_id = $2 and state in ('received', 'splitting')
     returning id, audit_seq as "auditSeq", audit_hash as "auditHash"`,
    [jurisdiction, batchId]
  )
  return rows
}

/** Stores the new ends of the chains of cancelled files. */
export async function setFileHashes(tx: Tx, jurisdiction: string, hashes: ReadonlyMap<string, Buffer>): Promise<void> {
  await tx.query(
    `update file f set audit_hash = u.hash from unnest($2::uuid[], $3::bytea[]) as u(id, hash)
     where f.jurisdiction = $1 and f.id = u.id`,
    [jurisdiction, [...hashes.keys()], [...hashes.values()]]
  )
}

/** Locks a batch that is still going on. */
export async function lockOpenBatch(
  tx: Tx,
  jurisdiction: string,
  batchId: string
): Promise<(CancelledSubject & { manifestVersion: string }) | undefined> {
  const { rows } = await tx.query<CancelledSubject & { manifestVersion: string }>(
    `select b.id, b.audit_seq as "auditSeq", b.audit_hash as "auditHash", m.version as "manifestVersion"
     from batch b join manifest m on m.number = b.manifest
     where b.jurisdiction = $1 and b.id = $2 and b.state in ('queued', 'processing') for update of b`,
    [jurisdiction, batchId]
  )
  return rows[0]
}
