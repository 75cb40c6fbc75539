import { withdrawRetries } from '../db/review/retries.ts'
import { withTransaction } from '../db/transaction.ts'
import { launchChunk } from '../db/work/chunks.ts'
import { launchSplit } from '../db/work/splits.ts'
import { cutChunk } from '../pipeline/poison/cut-chunk.ts'
import { holdChunk, holdFile } from '../pipeline/poison/hold-chunk.ts'
import { fileFault } from '../pipeline/split/detect-file.ts'
import { saveFinal } from '../pipeline/split/save-split.ts'
import type { PipelineDeps } from '../pipeline/work/pipeline-deps.ts'
import { commit } from '../pipeline/work/run-chunk-job.ts'
import { completeJob } from '../queue/settle.ts'
import type { ClaimedJob } from '../queue/slots.ts'

/**
 * The only consumer of the dead-letter queue: whatever failed in all its attempts ends held, or is cut in two so that
 * its good records go through. No chunk stays pending and no file unsplit. Records whose other run failed stay held.
 */
export async function settleDeadLetter(deps: PipelineDeps, job: ClaimedJob): Promise<'settled'> {
  const { jurisdiction, subject } = job.data
  const chunk = await launchChunk(deps.pool, jurisdiction, subject)
  if (chunk) {
    if (chunk.kind === 'rows' && chunk.records > 1 && (await cutChunk(deps, chunk, job))) return 'settled'
    const records = chunk.kind === 'fault' ? holdFile(chunk) : holdChunk(chunk, 'INTERNAL_ERROR')
    await commit(deps, chunk, job, { records, stageMs: {}, stageEnds: [] })
    return 'settled'
  }
  const file = await launchSplit(deps.pool, jurisdiction, subject)
  if (file) {
    await saveFinal(deps, file, job, { kind: 'fault', fault: fileFault('INTERNAL_ERROR') })
    return 'settled'
  }
  await withTransaction(deps.pool, async tx => {
    await withdrawRetries(tx, jurisdiction, subject, null)
    await completeJob(deps.boss, tx, job)
  })
  return 'settled'
}
