import type { Tx } from '../../db/pool.ts'
import { isInfrastructureFault } from '../../db/sqlstate.ts'
import { withTransaction } from '../../db/transaction.ts'
import { AppError } from '../../errors.ts'
import type { Lane } from '../../model/states.ts'
import { enqueueJobs } from '../../queue/enqueue.ts'
import type { QueueName } from '../../queue/queues.ts'
import { completeJob } from '../../queue/settle.ts'
import type { ClaimedJob } from '../../queue/slots.ts'
import type { PipelineDeps } from './pipeline-deps.ts'

/**
 * Whether work is to be left for later: our own infrastructure failed, or this worker lacks the profile, which another
 * one may have. Neither counts against the work.
 */
export const isPostponable = (error: unknown): boolean =>
  isInfrastructureFault(error) || (error instanceof AppError && error.code === 'PROFILE_UNKNOWN')

/** A short fault is over within a minute of quick tries; a long one is asked about once a minute. */
const QUICK_TRIES = 12
const QUICK_SECONDS = 5
const SLOW_SECONDS = 60

/** Seconds before the next generation of a job is due, by the number of tries so far. */
const postponeSeconds = (tries: number): number => (tries <= QUICK_TRIES ? QUICK_SECONDS : SLOW_SECONDS)

/** A day of tries. Work that still cannot be done then is held, for a person to see and to run again. */
export const MAX_GENERATIONS = 1500

export interface Postponement {
  readonly lane: Lane
  /** Moves the subject on to its next generation and answers it; undefined when somebody else has settled it or did so. */
  readonly advance: (tx: Tx) => Promise<number | undefined>
}

/**
 * Completes a job and makes its subject's next one with a delay, in one transaction, so that the fault does not use up the
 * attempts of this one. Answers the next generation; undefined when the subject is no longer this job's to work. When the
 * claim was lost in a fault that outlasted its heartbeat, another attempt is alive beside the next job, and whoever
 * commits first wins, as always.
 */
export async function leaveForLater(
  deps: Pick<PipelineDeps, 'pool' | 'boss'>,
  job: ClaimedJob,
  { lane, advance }: Postponement
): Promise<number | undefined> {
  const { jurisdiction, subject } = job.data
  return withTransaction(deps.pool, async tx => {
    const generation = await advance(tx)
    if (generation !== undefined) {
      const delaySeconds = postponeSeconds(generation - 1)
      const next = { jurisdiction, subjectId: subject, generation, lane, delaySeconds }
      await enqueueJobs(deps.boss, tx, job.queue as QueueName, [next])
    }
    await completeJob(deps.boss, tx, job)
    return generation
  })
}
