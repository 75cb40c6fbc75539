import type { Queryable } from '../db/pool.ts'
import { sentLaneSql } from './holds.ts'
import { QUEUES } from './queues.ts'

/** Jobs that a pause is about. */
export interface PausedJobs {
  readonly pauseId: string
  /** Jobs that wait for its end. */
  readonly waiting: number
  /** Jobs that were begun before it and go on; none: it is drained. */
  readonly running: number
  /** How long ago the pause began. */
  readonly seconds: number
}

/** How many jobs each pause in force holds back, and how many of its work still run. */
export async function countPausedJobs(db: Queryable): Promise<PausedJobs[]> {
  const { rows } = await db.query<PausedJobs>(
    `select p.id as "pauseId", (count(*) filter (where j.state in ('created', 'retry')))::int as waiting,
       (count(*) filter (where j.state = 'active'))::int as running,
       extract(epoch from now() - p.paused_at)::float8 as seconds
     from work_pause p
     left join pgboss.job j on j.name = any($1::text[]) and j.state in ('created', 'retry', 'active')
       and (p.jurisdiction is null or j.group_id = p.jurisdiction)
       and (p.lane is null or ${sentLaneSql('j.priority')} = p.lane)
     where p.resumed_at is null group by p.id, p.paused_at`,
    [QUEUES]
  )
  return rows
}
