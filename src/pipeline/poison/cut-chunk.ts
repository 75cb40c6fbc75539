import { isInfrastructureFault } from '../../db/sqlstate.ts'
import { withTransaction } from '../../db/transaction.ts'
import { type ChunkWork, deletePendingChunk, insertChunks, type NewChunk } from '../../db/work/chunks.ts'
import { enqueueJobs } from '../../queue/enqueue.ts'
import { completeJob } from '../../queue/settle.ts'
import type { ClaimedJob } from '../../queue/slots.ts'
import type { PipelineDeps } from '../work/pipeline-deps.ts'
import { halvesOf } from './halves-of.ts'

/**
 * Replaces a chunk that keeps ending its workers by its two halves, each with launches of its own, so that the record at
 * fault is found by cutting and its neighbours go through. False when the chunk cannot be cut.
 */
export async function cutChunk(deps: PipelineDeps, chunk: ChunkWork, job: ClaimedJob): Promise<boolean> {
  const halves = await halvesOf(deps, chunk).catch((error: unknown) => {
    if (isInfrastructureFault(error)) throw error
    // What cannot even be read cannot be cut: the caller holds it whole.
    return []
  })
  if (halves.length === 0) return false
  const chunks: NewChunk[] = halves.map(plan => ({
    ...plan,
    id: deps.newId(),
    ordinal: chunk.ordinal,
    generation: 1
  }))
  const wasPending = await withTransaction(deps.pool, async tx => {
    const pending = await deletePendingChunk(tx, chunk.jurisdiction, chunk.id)
    if (pending) {
      await insertChunks(tx, chunk, chunks)
      await enqueueJobs(
        deps.boss,
        tx,
        'chunk',
        chunks.map(({ id }) => ({
          jurisdiction: chunk.jurisdiction,
          subjectId: id,
          generation: 1,
          lane: chunk.lane
        }))
      )
    }
    await completeJob(deps.boss, tx, job)
    return pending
  })
  const { batchId: batch_id, fileId: file_id, id: chunk_id, jurisdiction, lane, launches, records } = chunk
  const line = { batch_id, file_id, chunk_id, jurisdiction, lane, launches, records }
  if (wasPending) deps.logger.warn({ ...line, chunks: chunks.length }, 'chunk cut in two')
  else deps.logger.info(line, 'chunk was settled elsewhere')
  return true
}
