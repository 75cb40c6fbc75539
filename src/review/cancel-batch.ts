import { appendEntries } from '../audit/append-entries.ts'
import { cancelPendingChunks, cancelUnsplitFiles, lockOpenBatch, setFileHashes } from '../db/review/cancellations.ts'
import { withTransaction } from '../db/transaction.ts'
import { finishBatch } from '../db/work/batch-states.ts'
import { AppError } from '../errors.ts'
import type { ReviewDeps } from './review-deps.ts'

/**
 * Stops what has not been committed. Chunks that a commit has already won stay as they are; the others are cancelled and
 * counted. Locks chunks before the batch, in the order workers do.
 */
export async function cancelBatch(
  deps: ReviewDeps,
  work: { readonly jurisdiction: string; readonly batchId: string; readonly actor: string }
): Promise<void> {
  const { jurisdiction, batchId } = work
  await withTransaction(deps.pool, async tx => {
    const cancelled = await cancelPendingChunks(tx, jurisdiction, batchId)
    const files = await cancelUnsplitFiles(tx, jurisdiction, batchId)
    const batch = await lockOpenBatch(tx, jurisdiction, batchId)
    if (!batch) throw new AppError('BATCH_FINISHED', 'The batch has ended already; there is nothing to cancel.')
    const auditSeq = batch.auditSeq + 1
    const hashes = await appendEntries(
      tx,
      {
        jurisdiction,
        batchId,
        manifestVersion: batch.manifestVersion,
        actor: work.actor,
        commitId: deps.newId()
      },
      [
        {
          subjectId: batchId,
          kind: 'batch',
          seq: auditSeq,
          previous: batch.auditHash,
          detail: { cancelled },
          transitions: [['cancelled', 0]]
        },
        ...files.map(file => ({
          subjectId: file.id,
          kind: 'file' as const,
          seq: file.auditSeq,
          previous: file.auditHash,
          transitions: [['cancelled', 0]] as const
        }))
      ]
    )
    await setFileHashes(tx, jurisdiction, new Map([...hashes].filter(([id]) => id !== batchId)))
    await finishBatch(
      tx,
      { jurisdiction, id: batchId, auditSeq, auditHash: hashes.get(batchId) ?? batch.auditHash },
      'cancelled'
    )
  })
}
