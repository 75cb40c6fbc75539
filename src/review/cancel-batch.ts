import { appendEntries } from '../audit/append-entries.ts'
import type { Tx } from '../db/pool.ts'
import {
  type CancelledSubject,
  cancelPendingChunks,
  cancelUnsplitFiles,
  hasPendingChunk,
  lockOpenBatch,
  setFileHashes
} from '../db/review/cancellations.ts'
import { withdrawCorrections } from '../db/review/corrections.ts'
import { withTransaction } from '../db/transaction.ts'
import { finishBatch } from '../db/work/batch-states.ts'
import { AppError } from '../errors.ts'
import type { ReviewDeps } from './review-deps.ts'

/** Cancels chunks until none is pending: one that is cut meanwhile leaves its halves behind. Answers their records. */
async function cancelChunks(tx: Tx, jurisdiction: string, batchId: string): Promise<number> {
  let records = 0
  do records += await cancelPendingChunks(tx, jurisdiction, batchId)
  while (await hasPendingChunk(tx, jurisdiction, batchId))
  return records
}

/** Cancels files until all are split or cancelled: an archive whose cancellation waited for its job has more by then. */
async function cancelFiles(tx: Tx, jurisdiction: string, batchId: string): Promise<CancelledSubject[]> {
  const files: CancelledSubject[] = []
  for (;;) {
    const some = await cancelUnsplitFiles(tx, jurisdiction, batchId)
    if (some.length === 0) return files
    files.push(...some)
  }
}

/**
 * Stops what has not been committed. Chunks that a commit has already won stay as they are; the others are cancelled and
 * counted. Files come first: a split that is saving chunks is waited for, and what it saved is seen afterwards. Then
 * chunks before the batch, in the order workers lock them. Throws `BATCH_FINISHED` when the batch has ended.
 */
export async function cancelBatch(
  deps: ReviewDeps,
  work: { readonly jurisdiction: string; readonly batchId: string; readonly actor: string }
): Promise<void> {
  const { jurisdiction, batchId } = work
  await withTransaction(deps.pool, async tx => {
    const files = await cancelFiles(tx, jurisdiction, batchId)
    const cancelled = await cancelChunks(tx, jurisdiction, batchId)
    await withdrawCorrections(tx, jurisdiction, batchId)
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
