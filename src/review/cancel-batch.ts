import { type AuditScope, appendEntries } from '../audit/append-entries.ts'
import { crashPoint } from '../crash-points.ts'
import type { Tx } from '../db/pool.ts'
import {
  type Cancelled,
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
import { completeBatch } from '../pipeline/commit/complete-batch.ts'
import type { ReviewDeps } from './review-deps.ts'

/** Cancels chunks until none is pending: one that is cut meanwhile leaves its halves behind. Answers what there was. */
async function cancelChunks(tx: Tx, jurisdiction: string, batchId: string): Promise<Cancelled> {
  let chunks = 0
  let records = 0
  do {
    const some = await cancelPendingChunks(tx, jurisdiction, batchId)
    chunks += some.chunks
    records += some.records
  } while (await hasPendingChunk(tx, jurisdiction, batchId))
  return { chunks, records }
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

/** Writes that a batch was cancelled, with the files that were not split to the end. */
async function endBatch(
  tx: Tx,
  scope: AuditScope,
  batch: CancelledSubject,
  stopped: { readonly files: readonly CancelledSubject[]; readonly records: number }
): Promise<void> {
  const { jurisdiction, batchId } = scope
  const auditSeq = batch.auditSeq + 1
  const hashes = await appendEntries(tx, scope, [
    {
      subjectId: batchId,
      kind: 'batch',
      seq: auditSeq,
      previous: batch.auditHash,
      detail: { cancelled: stopped.records },
      transitions: [['cancelled', 0]]
    },
    ...stopped.files.map(file => ({
      subjectId: file.id,
      kind: 'file' as const,
      seq: file.auditSeq,
      previous: file.auditHash,
      transitions: [['cancelled', 0]] as const
    }))
  ])
  await setFileHashes(tx, jurisdiction, new Map([...hashes].filter(([id]) => id !== batchId)))
  await finishBatch(
    tx,
    { jurisdiction, id: batchId, auditSeq, auditHash: hashes.get(batchId) ?? batch.auditHash },
    'cancelled'
  )
}

interface CancelWork {
  readonly jurisdiction: string
  readonly batchId: string
  readonly actor: string
}

/** Cancels what is left of a batch that has not ended; false, and nothing changed, when nothing is. */
async function cancelRest(tx: Tx, deps: ReviewDeps, { jurisdiction, batchId, actor }: CancelWork): Promise<boolean> {
  const files = await cancelFiles(tx, jurisdiction, batchId)
  const { chunks, records } = await cancelChunks(tx, jurisdiction, batchId)
  crashPoint('cancel.chunks-cancelled')
  if (files.length + chunks > 0) await withdrawCorrections(tx, jurisdiction, batchId)
  const batch = await lockOpenBatch(tx, jurisdiction, batchId)
  if (!batch) throw new AppError('BATCH_FINISHED', 'The batch has ended already; there is nothing to cancel.')
  if (files.length + chunks === 0) return false
  const { manifestVersion } = batch
  const scope = { jurisdiction, batchId, manifestVersion, actor, commitId: deps.newId() }
  await endBatch(tx, scope, batch, { files, records })
  crashPoint('cancel.before-commit')
  return true
}

/**
 * Stops what has not been committed. Chunks that a commit has already won stay as they are; the others are cancelled and
 * counted. Files come first: a split that is saving chunks is waited for, and what it saved is seen afterwards. Then
 * chunks before the batch, in the order workers lock them. Throws `BATCH_FINISHED` when the batch has ended, or when all
 * of it is committed and only its completion was missing, which is then made up for.
 */
export async function cancelBatch(deps: ReviewDeps, work: CancelWork): Promise<void> {
  const isCancelled = await withTransaction(deps.pool, tx => cancelRest(tx, deps, work))
  crashPoint('cancel.committed')
  if (isCancelled) return
  const { pool, newId } = deps
  await completeBatch({ pool, newId, actor: 'system:cancel' }, work.jurisdiction, work.batchId)
  throw new AppError(
    'BATCH_FINISHED',
    'Everything in the batch had been worked already: nothing was left to cancel, and it ends as completed.'
  )
}
