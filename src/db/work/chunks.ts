import type { Json } from '../../model/json.ts'
import type { ChunkPlan } from '../../model/plan.ts'
import type { RowFault } from '../../model/rows.ts'
import type { Lane } from '../../model/states.ts'
import type { Queryable, Tx } from '../pool.ts'

export interface NewChunk extends ChunkPlan {
  readonly id: string
  readonly ordinal: number
  /** 1 when its job is enqueued in the same transaction, 0 when it waits for its turn. */
  readonly generation: number
}

export interface ChunkOwner {
  readonly jurisdiction: string
  readonly batchId: string
  readonly fileId: string
  readonly fileNumber: number
}

/** Adds planned chunks of a file, all pending. */
export async function insertChunks(tx: Tx, owner: ChunkOwner, chunks: readonly NewChunk[]): Promise<void> {
  await tx.query(
    `insert into chunk (jurisdiction, id, batch_id, file_id, file_number, ordinal, kind, state, byte_start, byte_end,
       first_item, first_line, fault, record_count, generation, digest)
     select $1, c.id, $2, $3, $4, c.ordinal, c.kind, 'pending', c.byte_start, c.byte_end,
       c.first_item, c.first_line, c.fault, c.records, c.generation, decode(c.digest, 'hex')
     from jsonb_to_recordset($5::jsonb) as c(id uuid, ordinal int, kind text, byte_start bigint, byte_end bigint,
       first_item int, first_line int, fault jsonb, records int, generation int, digest text)`,
    [
      owner.jurisdiction,
      owner.batchId,
      owner.fileId,
      owner.fileNumber,
      JSON.stringify(
        chunks.map(chunk => ({
          id: chunk.id,
          ordinal: chunk.ordinal,
          kind: chunk.kind,
          byte_start: chunk.byteStart,
          byte_end: chunk.byteEnd,
          first_item: chunk.firstItem,
          first_line: chunk.firstLine,
          fault: chunk.fault,
          records: chunk.records,
          generation: chunk.generation,
          digest: chunk.digest ?? null
        }))
      )
    ]
  )
}

/** Everything a worker needs to know of a chunk, read in one statement. */
export interface ChunkWork extends ChunkOwner {
  readonly id: string
  readonly ordinal: number
  readonly kind: ChunkPlan['kind']
  readonly byteStart: number | null
  readonly byteEnd: number | null
  readonly firstItem: number
  readonly firstLine: number | null
  readonly fault: RowFault | null
  readonly records: number
  /** SHA-256 of its bytes as they were split; null for one that is no rows, or of a version before it was kept. */
  readonly digest: Buffer | null
  readonly generation: number
  readonly launches: number
  readonly lane: Lane
  readonly profile: string
  readonly source: string | null
  readonly options: { readonly [name: string]: Json }
  readonly manifest: number
  readonly manifestVersion: string
  /** Hex digest of the rules of the jurisdiction that are in force; null when it has none. */
  readonly rulesDigest: string | null
  readonly receivedHash: Buffer
  /** RFC 3339 text with microseconds, for audit entries. */
  readonly receivedAt: string
  readonly chunkedAt: string
  readonly filename: string
  readonly mediaType: string
  readonly size: number
  readonly sha256: Buffer
  readonly payloadUri: string
  readonly format: Json
}

const WORK_COLUMNS = `c.jurisdiction, c.id, c.batch_id as "batchId", c.file_id as "fileId", c.file_number as "fileNumber", c.ordinal,
       c.kind, c.byte_start as "byteStart", c.byte_end as "byteEnd", c.first_item as "firstItem", c.first_line as "firstLine",
       c.fault, c.record_count as records, c.digest, c.generation, c.launches, b.lane, b.profile, b.source, b.options, b.manifest,
       m.version as "manifestVersion",
       (select encode(digest, 'hex') from jurisdiction_rules j
        where j.jurisdiction = c.jurisdiction and j.profile = b.profile order by j.version desc limit 1) as "rulesDigest",
       b.received_hash as "receivedHash",
       to_char(b.received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "receivedAt",
       to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "chunkedAt",
       f.filename, f.media_type as "mediaType", f.size, f.sha256, f.payload_uri as "payloadUri", f.format`

const WORK_JOINS = `join batch b on b.jurisdiction = c.jurisdiction and b.id = c.batch_id
     join file f on f.jurisdiction = c.jurisdiction and f.id = c.file_id
     join manifest m on m.number = b.manifest`

/**
 * Counts a launch of a pending chunk and answers what there is to do, or nothing when the chunk is no longer pending.
 * The count is committed before the work starts, so that a chunk that kills its worker is known by it.
 */
export async function launchChunk(
  db: Queryable,
  jurisdiction: string,
  chunkId: string
): Promise<ChunkWork | undefined> {
  const { rows } = await db.query<ChunkWork>({
    name: 'launch-chunk',
    text: `with launched as (
       update chunk set launches = launches + 1 where jurisdiction = $1 and id = $2 and state = 'pending' returning *
     ), started as (
       update batch b set state = 'processing', started_at = now() from launched
       where b.jurisdiction = launched.jurisdiction and b.id = launched.batch_id and b.state = 'queued'
     )
     select ${WORK_COLUMNS}
     from launched c ${WORK_JOINS}`,
    values: [jurisdiction, chunkId]
  })
  return rows[0]
}

/** What there is to know of a chunk that is in this state; nothing when it is in another by now. */
export async function readChunkIn(
  db: Queryable,
  state: 'pending' | 'committed',
  jurisdiction: string,
  chunkId: string
): Promise<ChunkWork | undefined> {
  const { rows } = await db.query<ChunkWork>(
    `select ${WORK_COLUMNS}
     from chunk c ${WORK_JOINS}
     where c.jurisdiction = $1 and c.id = $2 and c.state = $3`,
    [jurisdiction, chunkId, state]
  )
  return rows[0]
}

/** What there is to know of a committed chunk, for running some of its records again. */
export function readCommittedChunk(
  db: Queryable,
  jurisdiction: string,
  chunkId: string
): Promise<ChunkWork | undefined> {
  return readChunkIn(db, 'committed', jurisdiction, chunkId)
}

/** Takes back a launch that a fault of our own infrastructure ended: it must not count against the chunk. */
export async function forgiveLaunch(db: Queryable, jurisdiction: string, chunkId: string): Promise<void> {
  await db.query('update chunk set launches = greatest(launches - 1, 0) where jurisdiction = $1 and id = $2', [
    jurisdiction,
    chunkId
  ])
}

/** Locks a pending chunk for the rest of the transaction; false when it was committed or cancelled meanwhile. */
export async function lockPendingChunk(tx: Tx, jurisdiction: string, chunkId: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'lock-pending-chunk',
    text: `select 1 from chunk where jurisdiction = $1 and id = $2 and state = 'pending' for update`,
    values: [jurisdiction, chunkId]
  })
  return rowCount === 1
}

export interface ChunkCounts {
  readonly accepted: number
  readonly duplicate: number
  readonly quarantined: number
  readonly rejected: number
}

/**
 * Marks a pending chunk committed with what became of its records and the reason codes among them (null: not known); false
 * when another attempt was first.
 */
export async function commitPendingChunk(
  tx: Tx,
  chunk: { readonly jurisdiction: string; readonly id: string },
  done: {
    readonly counts: ChunkCounts
    readonly codes: readonly string[] | null
    readonly stageMs: Readonly<Record<string, number>>
  }
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'commit-pending-chunk',
    text: `update chunk set state = 'committed', committed_at = now(), record_count = $3::int + $4::int + $5::int + $6::int,
       accepted = $3, duplicate = $4, quarantined = $5, rejected = $6, stage_ms = $7, codes = $8
     where jurisdiction = $1 and id = $2 and state = 'pending'`,
    values: [
      chunk.jurisdiction,
      chunk.id,
      done.counts.accepted,
      done.counts.duplicate,
      done.counts.quarantined,
      done.counts.rejected,
      JSON.stringify(done.stageMs),
      done.codes
    ]
  })
  return rowCount === 1
}

/** Takes the next chunks of a file that wait for their turn and gives them their first generation. */
export async function takeWaitingChunks(
  tx: Tx,
  jurisdiction: string,
  fileId: string,
  limit: number
): Promise<{ id: string; kind: ChunkPlan['kind'] }[]> {
  const { rows } = await tx.query<{ id: string; kind: ChunkPlan['kind'] }>({
    name: 'take-waiting-chunks',
    text: `update chunk set generation = 1 where jurisdiction = $1 and id in (
       select id from chunk where jurisdiction = $1 and file_id = $2 and state = 'pending' and generation = 0
       order by first_item limit $3 for update skip locked)
     returning id, kind`,
    values: [jurisdiction, fileId, limit]
  })
  return rows
}

/** Moves a pending chunk on to its next generation, whose job the caller enqueues; undefined when it is not pending. */
export async function nextChunkGeneration(
  tx: Tx,
  jurisdiction: string,
  chunkId: string,
  from: number
): Promise<number | undefined> {
  const { rows } = await tx.query<{ generation: number }>(
    `update chunk set generation = generation + 1
     where jurisdiction = $1 and id = $2 and state = 'pending' and generation = $3 returning generation`,
    [jurisdiction, chunkId, from]
  )
  return rows[0]?.generation
}

/** Replaces a pending chunk by its parts; false when it is no longer pending. */
export async function deletePendingChunk(tx: Tx, jurisdiction: string, chunkId: string): Promise<boolean> {
  const { rowCount } = await tx.query(`delete from chunk where jurisdiction = $1 and id = $2 and state = 'pending'`, [
    jurisdiction,
    chunkId
  ])
  return rowCount === 1
}
