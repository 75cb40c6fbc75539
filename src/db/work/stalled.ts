import type { Lane } from '../../model/states.ts'
import type { Queryable } from '../pool.ts'

export interface PendingSubject {
  readonly jurisdiction: string
  readonly id: string
  readonly generation: number
  readonly lane: Lane
  readonly kind: 'rows' | 'document' | 'fault' | 'file'
}

/** A page of pending chunks whose job should be alive, in id order after `after`. */
export async function listEnqueuedChunks(db: Queryable, after: string, limit: number): Promise<PendingSubject[]> {
  const { rows } = await db.query<PendingSubject>(
    `select c.jurisdiction, c.id, c.generation, b.lane, c.kind
     from chunk c join batch b on b.jurisdiction = c.jurisdiction and b.id = c.batch_id
     where c.state = 'pending' and c.generation >= 1 and c.id > $1 order by c.id limit $2`,
    [after, limit]
  )
  return rows
}

/** A page of data files that are not split yet, in id order after `after`. */
export async function listUnsplitFiles(db: Queryable, after: string, limit: number): Promise<PendingSubject[]> {
  const { rows } = await db.query<PendingSubject>(
    `select f.jurisdiction, f.id, f.generation, b.lane, 'file' as kind
     from file f join batch b on b.jurisdiction = f.jurisdiction and b.id = f.batch_id
     where f.state in ('received', 'splitting') and f.generation >= 1 and f.id > $1 order by f.id limit $2`,
    [after, limit]
  )
  return rows
}

/** Files that are split and have chunks waiting for their turn, but none queued: their window died with a worker. */
export async function listStarvedFiles(
  db: Queryable,
  limit: number
): Promise<{ jurisdiction: string; id: string; lane: Lane }[]> {
  const { rows } = await db.query<{ jurisdiction: string; id: string; lane: Lane }>(
    `select f.jurisdiction, f.id, b.lane from file f
     join batch b on b.jurisdiction = f.jurisdiction and b.id = f.batch_id and b.state in ('queued', 'processing')
     where f.state = 'split'
       and exists (select 1 from chunk c where c.jurisdiction = f.jurisdiction and c.file_id = f.id and c.state = 'pending' and c.generation = 0)
       and not exists (select 1 from chunk c where c.jurisdiction = f.jurisdiction and c.file_id = f.id and c.state = 'pending' and c.generation >= 1)
     limit $1`,
    [limit]
  )
  return rows
}

/** Unfinished batches, for the sweep that completes what a dead worker left open. */
export async function listOpenBatches(
  db: Queryable,
  after: string,
  limit: number
): Promise<{ jurisdiction: string; id: string }[]> {
  const { rows } = await db.query<{ jurisdiction: string; id: string }>(
    `select b.jurisdiction, b.id from batch b
     where b.state in ('queued', 'processing') and b.id > $1
       and not exists (select 1 from file f where f.jurisdiction = b.jurisdiction and f.batch_id = b.id and f.state in ('received', 'splitting'))
       and not exists (select 1 from chunk c where c.jurisdiction = b.jurisdiction and c.batch_id = b.id and c.state = 'pending')
     order by b.id limit $2`,
    [after, limit]
  )
  return rows
}
