import type { Queryable, Tx } from '../db/pool.ts'
import { AppError } from '../errors.ts'
import { jobIdOf } from '../model/ids.ts'
import { LANE_PRIORITY, type Lane } from '../model/states.ts'
import type { Boss } from './boss.ts'
import { JOB_CHANNEL } from './listener.ts'
import { statementName } from './named-statements.ts'
import type { JobData, QueueName } from './queues.ts'

export interface NewJob {
  readonly jurisdiction: string
  /** Id of the chunk or file to work. */
  readonly subjectId: string
  /** Counts the jobs made for this subject, from 1; with the subject it fixes the job's id. */
  readonly generation: number
  readonly lane: Lane
  readonly delaySeconds?: number
}

/** pg-boss's statements run on the caller's transaction through this. */
export const onTransaction = (tx: Queryable) => ({
  executeSql: async (text: string, values?: unknown[]) => {
    const name = statementName(text, values)
    return name && values ? tx.query({ name, text, values }) : tx.query(text, values)
  }
})

/**
 * Puts jobs into a queue within the caller's transaction, whose commit wakes idle workers. Guarantee: all of them are in, or `ENQUEUE_FAILED` is thrown;
 * pg-boss itself would drop a job whose id exists without a word.
 */
export async function enqueueJobs(boss: Boss, tx: Tx, queue: QueueName, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return
  await insertJobs(boss, tx, queue, jobs)
  await tx.query('select pg_notify($1, $2)', [JOB_CHANNEL, queue])
}

/** A chunk whose held records are to run again. */
export interface NextRun {
  readonly subjectId: string
  readonly generation: number
  readonly kind: 'rows' | 'document' | 'fault'
}

/** Has held records of chunks run again, each kind in its own queue: rows do not wait for pages that are recognised. */
export async function enqueueRuns(
  boss: Boss,
  tx: Tx,
  { jurisdiction, lane }: Pick<NewJob, 'jurisdiction' | 'lane'>,
  next: readonly NextRun[]
): Promise<void> {
  const jobsOf = (isDocument: boolean): NewJob[] =>
    next
      .filter(({ kind }) => (kind === 'document') === isDocument)
      .map(({ subjectId, generation }) => ({ jurisdiction, subjectId, generation, lane }))
  await enqueueJobs(boss, tx, 'redrive', jobsOf(false))
  await enqueueJobs(boss, tx, 'reread', jobsOf(true))
}

/**
 * Like `enqueueJobs` without waking anybody: for a slot that is about to look for work itself. Transactions that notify
 * commit one after the other, each waiting for the disk alone.
 */
export async function insertJobs(boss: Boss, tx: Tx, queue: QueueName, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return
  const rows = jobs.map(job => ({
    id: jobIdOf(job.subjectId, job.generation),
    data: { jurisdiction: job.jurisdiction, subject: job.subjectId, generation: job.generation } satisfies JobData,
    priority: LANE_PRIORITY[job.lane],
    group: { id: job.jurisdiction },
    ...(job.delaySeconds ? { startAfter: job.delaySeconds } : {})
  }))
  const ids = await boss.insert(queue, rows, { db: onTransaction(tx), returnId: true })
  if (ids?.length !== rows.length) {
    throw new AppError('ENQUEUE_FAILED', 'A job with the same id exists already; nothing was committed.', {
      details: { queue, wanted: rows.length, inserted: ids?.length ?? 0 }
    })
  }
}
