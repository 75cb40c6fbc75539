import type { Tx } from '../../db/pool.ts'
import { findOutdatedTwins, nextRedrives, requestRetries } from '../../db/review/retries.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { ChunkWork } from '../../db/work/chunks.ts'
import { errorFields } from '../../logger.ts'
import { enqueueRuns } from '../../queue/enqueue.ts'
import type { PipelineDeps } from '../work/pipeline-deps.ts'

async function askAgain(tx: Tx, deps: PipelineDeps, { jurisdiction, lane }: ChunkWork, twins: readonly string[]) {
  const marked = await requestRetries(tx, jurisdiction, twins)
  const chunkIds = marked.map(({ chunkId }) => chunkId)
  const next = await nextRedrives(tx, jurisdiction, chunkIds)
  await enqueueRuns(deps.boss, tx, { jurisdiction, lane }, next)
}

/**
 * Has the held records run again that a chunk's acceptable records had to follow: what held them then, a mapping or a
 * registry, is mended by now, or their twins would be held too. Both are accepted then; a record that a person has begun
 * to correct is left to that person. The chunk is committed by now: a fault here costs nothing but this.
 */
export async function rerunTwins(deps: PipelineDeps, chunk: ChunkWork): Promise<void> {
  try {
    const twins = await findOutdatedTwins(deps.pool, chunk)
    if (twins.length > 0) await withTransaction(deps.pool, tx => askAgain(tx, deps, chunk, twins))
  } catch (error) {
    deps.logger.warn({ chunk_id: chunk.id, ...errorFields(error) }, 'held twins were not asked to run again')
  }
}
