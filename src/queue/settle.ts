import type { Tx } from '../db/pool.ts'
import type { Boss } from './boss.ts'
import { onTransaction } from './enqueue.ts'
import type { ClaimedJob } from './slots.ts'

/**
 * Completes the job inside the caller's transaction and answers whether the claim was still held. False means another
 * attempt owns the job by now, and the caller must roll back.
 */
export async function completeJob(boss: Boss, tx: Tx, job: ClaimedJob): Promise<boolean> {
  const { affected } = await boss.complete(job.queue, job.attempt, null, { db: onTransaction(tx) })
  return affected === 1
}
