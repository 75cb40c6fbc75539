import type { Tx } from '../db/pool.ts'
import type { Boss } from './boss.ts'
import { onTransaction } from './enqueue.ts'
import type { ClaimedJob } from './slots.ts'

/**
 * Completes the job inside the caller's transaction and answers whether the claim was still held. False means another
 * attempt owns the job by now, and the caller must roll back.
 */
export async function completeJob(boss: Boss, tx: Tx, job: ClaimedJob): Promise<boolean> {
  // The published type of the response is empty; the count is part of the documented behaviour and tested.
  const response = (await boss.complete(job.queue, job.attempt, null, { db: onTransaction(tx) })) as {
    affected?: number
  }
  return response.affected === 1
}
