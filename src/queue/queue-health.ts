import type { Queryable } from '../db/pool.ts'
import { DEAD_LETTERS, QUEUES } from './queues.ts'

export interface QueueHealth {
  /** Queues with how long, in seconds, their jobs are kept. */
  readonly queues: readonly { readonly name: string; readonly retentionSeconds: number }[]
  /** Jobs in hand that gave no sign of life for three times the time after which they go to another worker. */
  readonly expired: number
  /** Jobs that failed several times and will be tried again. */
  readonly failing: number
  /** Dead letters that have waited for minutes. */
  readonly deadLetters: number
}

const MANY_TRIES = 3
const DEAD_SECONDS = 300

/** How the queue itself fares. */
export async function readQueueHealth(db: Queryable): Promise<QueueHealth> {
  const { rows } = await db.query<QueueHealth>(
    `select
       (select coalesce(jsonb_agg(jsonb_build_object('name', name, 'retentionSeconds', retention_seconds) order by name), '[]')
         from pgboss.queue where name = any($1::text[])) as queues,
       (select count(*)::int from pgboss.job where name = any($1) and state = 'active' and heartbeat_seconds is not null
         and coalesce(heartbeat_on, started_on) < now() - make_interval(secs => 3 * heartbeat_seconds)) as expired,
       (select count(*)::int from pgboss.job where name = any($1) and state in ('retry', 'active') and retry_count >= $2) as failing,
       (select count(*)::int from pgboss.job where name = $3 and state in ('created', 'retry')
         and created_on < now() - make_interval(secs => $4)) as "deadLetters"`,
    [[...QUEUES, DEAD_LETTERS], MANY_TRIES, DEAD_LETTERS, DEAD_SECONDS]
  )
  const [health] = rows
  if (!health) throw new Error('A statement without a from answers one row.')
  return health
}
