import type { Json } from '../../model/json.ts'
import type { Lane } from '../../model/states.ts'
import type { Queryable, Tx } from '../pool.ts'

/** Everything a split job needs to know of a file. */
export interface SplitWork {
  readonly jurisdiction: string
  readonly fileId: string
  readonly batchId: string
  readonly fileNumber: number
  readonly mediaType: string
  readonly size: number
  readonly payloadUri: string
  readonly progress: Json
  readonly generation: number
  readonly launches: number
  readonly auditSeq: number
  readonly auditHash: Buffer
  readonly lane: Lane
  readonly profile: string
  readonly source: string | null
  readonly manifestVersion: string
}

/** Counts a launch of a file's split and answers what there is to do; undefined when the file needs none any more. */
export async function launchSplit(db: Queryable, jurisdiction: string, fileId: string): Promise<SplitWork | undefined> {
  const { rows } = await db.query<SplitWork>(
    `with launched as (
       update file set launches = launches + 1, state = 'splitting'
       where jurisdiction = $1 and id = $2 and state in ('received', 'splitting') returning *
     ), started as (
       update batch b set state = 'processing', started_at = now() from launched
       where b.jurisdiction = launched.jurisdiction and b.id = launched.batch_id and b.state = 'queued'
     )
     select f.jurisdiction, f.id as "fileId", f.batch_id as "batchId", f.number as "fileNumber", f.media_type as "mediaType",
       f.size, f.payload_uri as "payloadUri", f.progress, f.generation, f.launches, f.audit_seq as "auditSeq",
       f.audit_hash as "auditHash", b.lane, b.profile, b.source, m.version as "manifestVersion"
     from launched f
     join batch b on b.jurisdiction = f.jurisdiction and b.id = f.batch_id
     join manifest m on m.number = b.manifest`,
    [jurisdiction, fileId]
  )
  return rows[0]
}

/**
 * Saves how far a split has come and gives it its next generation, if it still stands where this attempt found it. False
 * means another attempt went on, or the file was cancelled, and the caller must roll back.
 */
export async function saveSplitProgress(
  tx: Tx,
  work: Pick<SplitWork, 'jurisdiction' | 'fileId' | 'generation'>,
  progress: Json
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update file set progress = $4, generation = generation + 1, launches = 0
     where jurisdiction = $1 and id = $2 and state = 'splitting' and generation = $3`,
    [work.jurisdiction, work.fileId, work.generation, JSON.stringify(progress)]
  )
  return rowCount === 1
}

/** Ends a split under the same test, with the format that all chunks are read under and the file's audit entry. */
export async function finishSplit(
  tx: Tx,
  work: Pick<SplitWork, 'jurisdiction' | 'fileId' | 'generation'>,
  end: { readonly format: Json; readonly auditSeq: number; readonly auditHash: Buffer }
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update file set state = 'split', progress = null, format = $4, audit_seq = $5, audit_hash = $6
     where jurisdiction = $1 and id = $2 and state = 'splitting' and generation = $3`,
    [work.jurisdiction, work.fileId, work.generation, JSON.stringify(end.format), end.auditSeq, end.auditHash]
  )
  return rowCount === 1
}

/** Moves an unsplit file on to its next generation, whose job the caller enqueues. */
export async function nextFileGeneration(
  tx: Tx,
  jurisdiction: string,
  fileId: string,
  from: number
): Promise<number | undefined> {
  const { rows } = await tx.query<{ generation: number }>(
    `update file set generation = generation + 1, launches = greatest(launches - 1, 0)
     where jurisdiction = $1 and id = $2 and state in ('received', 'splitting') and generation = $3 returning generation`,
    [jurisdiction, fileId, from]
  )
  return rows[0]?.generation
}

/** Chunks and records found so far in a file. */
export async function countChunks(
  tx: Tx,
  jurisdiction: string,
  fileId: string
): Promise<{ chunks: number; records: number }> {
  const { rows } = await tx.query<{ chunks: number; records: number }>(
    `select count(*)::int as chunks, coalesce(sum(record_count), 0)::int as records from chunk
     where jurisdiction = $1 and file_id = $2`,
    [jurisdiction, fileId]
  )
  return rows[0] ?? { chunks: 0, records: 0 }
}
