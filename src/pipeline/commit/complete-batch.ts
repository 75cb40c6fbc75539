import { appendEntries } from '../../audit/append-entries.ts'
import { crashPoint } from '../../crash-points.ts'
import type { Pool } from '../../db/pool.ts'
import { withTransaction } from '../../db/transaction.ts'
import { finishBatch, isDue, lockFinishedBatch, sumBatch } from '../../db/work/batch-states.ts'
import type { NewId } from '../../model/ids.ts'

export interface CompleteDeps {
  readonly pool: Pool
  readonly newId: NewId
  readonly actor: string
}

/**
 * Completes a batch that has nothing left to do, with its closing audit entry, exactly once: whoever commits last sees
 * all other commits. Answers whether this call completed it. A sweep repeats it for workers that died in between.
 */
export async function completeBatch(deps: CompleteDeps, jurisdiction: string, batchId: string): Promise<boolean> {
  // One look without a transaction: a batch of a thousand chunks is asked about a thousand times and completed once.
  if (!(await isDue(deps.pool, jurisdiction, batchId))) return false
  const isCompleted = await withTransaction(deps.pool, async tx => {
    const batch = await lockFinishedBatch(tx, jurisdiction, batchId)
    if (!batch) return false
    crashPoint('complete.locked')
    const counts = await sumBatch(tx, jurisdiction, batchId)
    const seq = batch.auditSeq + 1
    const hashes = await appendEntries(
      tx,
      {
        jurisdiction,
        batchId,
        manifestVersion: batch.manifestVersion,
        actor: deps.actor,
        commitId: deps.newId()
      },
      [
        {
          subjectId: batchId,
          kind: 'batch',
          seq,
          previous: batch.auditHash,
          detail: counts,
          transitions: [['completed', 0]]
        }
      ]
    )
    crashPoint('complete.entry-written')
    await finishBatch(
      tx,
      { jurisdiction, id: batchId, auditSeq: seq, auditHash: hashes.get(batchId) ?? batch.auditHash },
      'completed'
    )
    crashPoint('complete.before-commit')
    return true
  })
  crashPoint('complete.committed')
  return isCompleted
}
