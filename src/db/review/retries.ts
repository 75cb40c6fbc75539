import type { Json } from '../../model/json.ts'
import type { Queryable, Tx } from '../pool.ts'
import { lockChunks } from './chunk-counts.ts'
import { HELD_RECORD, type HeldRecord } from './held-records.ts'

/**
 * Locks, in the order of their ids, those of these held records that wait for another run and that nobody else has locked:
 * who runs many again never waits for a clerk. Records that others follow are left out, they are run one by one.
 */
export async function lockRetried(tx: Tx, jurisdiction: string, recordIds: readonly string[]): Promise<HeldRecord[]> {
  const { rows } = await tx.query<HeldRecord>(
    `select ${HELD_RECORD}
     where r.jurisdiction = $1 and r.id = any($2::uuid[]) and r.state = 'quarantined' and r.duplicate_of is null
       and r.retry_requested and not exists (select 1 from record o where o.jurisdiction = $1 and o.duplicate_of = r.id
         and o.state = 'quarantined')
     order by r.id for update of r skip locked`,
    [jurisdiction, recordIds]
  )
  return rows
}

/** A held record of jurisdiction $1 that another run may decide: what `requestRetry` says. */
export const MAY_RUN = `state = 'quarantined' and duplicate_of is null
         and not exists (select 1 from jsonb_each(fields) f where f.value ->> 'status' = 'human')
         and not exists (select 1 from correction c where c.jurisdiction = $1 and c.record_id = record.id)
         and not exists (select 1 from chunk k where k.jurisdiction = $1 and k.id = record.chunk_id and k.kind = 'fault')`

/**
 * Marks held records for another run; answers the chunks they stand in. Records with corrections by hand are left alone:
 * another run reads the submitted content again and would lose them. So are those that a corrected row speaks for, and
 * those that stand for a file that could not be taken apart: there are no rows to read. Locks
 * them in the order of their ids, as everybody does who locks several.
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
    `with due as materialized (
       select id from record where jurisdiction = $1 and batch_id = $2 and ${MAY_RUN}
         and ($3::uuid is null or id = $3)
         and ($3::uuid is not null or case when $4::text[] is null
           then reasons @> '[{"failure_class": "transient"}]'
           else exists (select 1 from jsonb_array_elements(reasons) x where x ->> 'code' = any($4)) end)
       order by id for update
     ), marked as (
       update record r set retry_requested = true from due where r.jurisdiction = $1 and r.id = due.id
       returning r.chunk_id
     )
     select chunk_id as "chunkId", count(*)::int as records from marked group by chunk_id order by chunk_id`,
    [work.jurisdiction, work.batchId, work.recordId, work.codes]
  )
  return rows
}

/** Held records that records of a chunk follow which nothing else holds, and that do not wait for another run already. */
export async function findOutdatedTwins(
  db: Queryable,
  chunk: {
    readonly jurisdiction: string
    readonly batchId: string
    readonly fileNumber: number
    readonly id: string
  }
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select distinct t.id from record f join record t on t.jurisdiction = f.jurisdiction and t.id = f.duplicate_of
     where f.jurisdiction = $1 and f.batch_id = $2 and f.file_number = $3 and f.chunk_id = $4 and f.state = 'quarantined'
       and f.natural_key is not null and t.state = 'quarantined' and t.duplicate_of is null and not t.retry_requested
       and not exists (select 1 from jsonb_array_elements(f.reasons) x
         where x ->> 'severity' in ('block', 'fatal') and x ->> 'code' <> 'DUPLICATE_RECORD')
     order by t.id`,
    [chunk.jurisdiction, chunk.batchId, chunk.fileNumber, chunk.id]
  )
  return rows.map(row => row.id)
}

/**
 * Marks these held records for another run, under the rules of `requestRetry`; answers the chunks they stand in, and how
 * many of them in each.
 */
export async function requestRetries(
  tx: Tx,
  jurisdiction: string,
  recordIds: readonly string[]
): Promise<{ chunkId: string; records: number }[]> {
  const { rows } = await tx.query<{ chunkId: string; records: number }>(
    `with due as materialized (
       select id from record where jurisdiction = $1 and id = any($2::uuid[]) and ${MAY_RUN} order by id for update
     ), marked as (
       update record r set retry_requested = true from due where r.jurisdiction = $1 and r.id = due.id
       returning r.chunk_id
     )
     select chunk_id as "chunkId", count(*)::int as records from marked group by chunk_id order by chunk_id`,
    [jurisdiction, recordIds]
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
): Promise<{ subjectId: string; generation: number; kind: 'rows' | 'document' | 'fault' }[]> {
  await lockChunks(tx, jurisdiction, chunkIds)
  const { rows } = await tx.query<{ subjectId: string; generation: number; kind: 'rows' | 'document' | 'fault' }>(
    `update chunk set redrives = redrives + 1 where jurisdiction = $1 and id = any($2::uuid[])
     returning id as "subjectId", redrives as generation, kind`,
    [jurisdiction, chunkIds]
  )
  return rows
}

/**
 * Notes the mapping that records of a file were last read with; how the file is taken apart stays as it is. A file that is
 * not worked to its end keeps the one it was begun with, under which the rest of it is read.
 */
export async function noteFileSource(db: Queryable, jurisdiction: string, fileId: string, source: Json): Promise<void> {
  await db.query(
    `update file set format = format || jsonb_build_object('source', $3::jsonb)
     where jurisdiction = $1 and id = $2 and format is not null and state = 'split'
       and not exists (select 1 from chunk c where c.jurisdiction = $1 and c.file_id = $2 and c.state = 'pending')`,
    [jurisdiction, fileId, JSON.stringify(source)]
  )
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

/** What the accepted records of a chunk are about: natural keys by item. */
export async function listAcceptedKeys(
  db: Queryable,
  chunk: { readonly jurisdiction: string; readonly batchId: string; readonly fileNumber: number; readonly id: string }
): Promise<{ item: number; naturalKey: string }[]> {
  const { rows } = await db.query<{ item: number; naturalKey: string }>(
    `select item, natural_key as "naturalKey" from record
     where jurisdiction = $1 and batch_id = $2 and file_number = $3 and chunk_id = $4 and state = 'accepted'
       and decision is null and natural_key is not null`,
    [chunk.jurisdiction, chunk.batchId, chunk.fileNumber, chunk.id]
  )
  return rows
}
