import { crashPoint } from '../crash-points.ts'
import type { Tx } from '../db/pool.ts'
import { nextRedrives, requestRetry } from '../db/review/retries.ts'
import { withTransaction } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import type { ReasonCode } from '../model/reasons.ts'
import { enqueueRuns } from '../queue/enqueue.ts'
import { loadTarget } from './load-target.ts'
import type { RecordTarget, ReviewDeps } from './review-deps.ts'

async function enqueueRedrives(
  tx: Tx,
  deps: ReviewDeps,
  jurisdiction: string,
  chunkIds: readonly string[]
): Promise<void> {
  crashPoint('retry.requested')
  const next = await nextRedrives(tx, jurisdiction, chunkIds)
  await enqueueRuns(deps.boss, tx, { jurisdiction, lane: 'standard' }, next)
  crashPoint('retry.before-commit')
}

/** Has a held record run again in place. A record with corrections by hand is refused: another run would lose them. */
export async function retryRecord(deps: ReviewDeps, target: RecordTarget): Promise<void> {
  await withTransaction(deps.pool, async tx => {
    const { jurisdiction, batchId, id } = await loadTarget(tx, target)
    const chunks = await requestRetry(tx, { jurisdiction, batchId, recordId: id, codes: null })
    if (chunks.length === 0) {
      throw new AppError(
        'RECORD_STILL_BLOCKED',
        'The record has corrections by hand, which another run would lose, or stands for a whole file that cannot be read, of which another run would make the same. Release it or reject it; send a mended file as a new submission.'
      )
    }
    await enqueueRedrives(
      tx,
      deps,
      jurisdiction,
      chunks.map(({ chunkId }) => chunkId)
    )
  })
  crashPoint('retry.committed')
}

/**
 * Has held records of a batch run again in place: those with one of the codes, or by default those whose reason is
 * transient. Answers how many records that are.
 */
export async function retryBatch(
  deps: ReviewDeps,
  work: {
    readonly jurisdiction: string
    readonly batchId: string
    readonly actor: string
    readonly codes: readonly ReasonCode[] | null
  }
): Promise<{ readonly retried: number }> {
  const { jurisdiction, batchId, codes } = work
  return withTransaction(deps.pool, async tx => {
    const chunks = await requestRetry(tx, { jurisdiction, batchId, recordId: null, codes })
    await enqueueRedrives(
      tx,
      deps,
      jurisdiction,
      chunks.map(({ chunkId }) => chunkId)
    )
    return { retried: chunks.reduce((sum, chunk) => sum + chunk.records, 0) }
  })
}
