import type { Queryable } from '../db/pool.ts'
import { jobIdOf } from '../model/ids.ts'
import { RISE, sentLaneSql } from './holds.ts'
import type { QueueName } from './queues.ts'

/** Which of these subjects have no job in any of these queues that is queued, waiting for a retry or active. */
export async function withoutLiveJob<T extends { id: string; generation: number }>(
  db: Queryable,
  queues: readonly QueueName[],
  subjects: readonly T[]
): Promise<T[]> {
  if (subjects.length === 0) return []
  const ids = subjects.map(subject => jobIdOf(subject.id, subject.generation))
  const { rows } = await db.query<{ id: string }>(
    `select id from pgboss.job where name = any($1::text[]) and id = any($2::uuid[]) and state in ('created', 'retry', 'active')`,
    [queues, ids]
  )
  const live = new Set(rows.map(row => row.id))
  return subjects.filter((_, i) => !live.has(ids[i] ?? ''))
}

/**
 * Raises jobs by one lane for each `seconds` they have waited, so that nothing starves behind urgent work. Each rise adds
 * one more than a lane, so that the last digit of a priority counts them.
 */
export async function raiseOldJobs(db: Queryable, seconds: number): Promise<number> {
  const { rowCount } = await db.query(
    `update pgboss.job set priority = priority + ${RISE}
     where name in ('split', 'chunk', 'document', 'ocr', 'redrive', 'reread') and state in ('created', 'retry')
       and priority < 20 and created_on < now() - make_interval(secs => $1 * (1 + priority % 10))`,
    [seconds]
  )
  return rowCount ?? 0
}

export interface QueueDepth {
  readonly queue: string
  readonly lane: 'critical' | 'standard' | 'maintenance'
  readonly depth: number
  readonly oldestSeconds: number
}

/** Waiting jobs and the age of the oldest ready one, per queue and lane. What is held back waits, but is not late. */
export async function queueDepths(db: Queryable): Promise<QueueDepth[]> {
  const { rows } = await db.query<{ name: string; lane: QueueDepth['lane']; depth: number; oldest: number }>(
    `select name, case when priority >= 20 then 'critical' when priority >= 10 then 'standard' else 'maintenance' end as lane,
       count(*)::int as depth,
       coalesce(max(extract(epoch from now() - greatest(created_on, start_after))) filter (where not exists (
         select 1 from work_pause p where p.resumed_at is null and (p.jurisdiction is null or p.jurisdiction = group_id)
           and (p.lane is null or p.lane = ${sentLaneSql('priority')}))), 0)::float8 as oldest
     from pgboss.job
     where name in ('split', 'chunk', 'document', 'ocr', 'redrive', 'reread', 'dead') and state in ('created', 'retry')
     group by 1, 2`
  )
  return rows.map(row => ({
    queue: row.name,
    lane: row.lane,
    depth: row.depth,
    oldestSeconds: Math.max(0, row.oldest)
  }))
}
