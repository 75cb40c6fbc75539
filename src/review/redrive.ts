import type { Tx } from '../db/pool.ts'
import { listRetries, lockRecord } from '../db/review/held-records.ts'
import { withTransaction } from '../db/transaction.ts'
import { type ChunkWork, readCommittedChunk } from '../db/work/chunks.ts'
import { AppError } from '../errors.ts'
import type { JudgedRecord } from '../pipeline/commit/judged-record.ts'
import type { PipelineDeps } from '../pipeline/work/pipeline-deps.ts'
import { processDocument } from '../pipeline/work/process-document.ts'
import { processRows } from '../pipeline/work/process-rows.ts'
import { profileOf } from '../pipeline/work/profile-of.ts'
import { completeJob } from '../queue/settle.ts'
import type { ClaimedJob } from '../queue/slots.ts'
import { applyOutcome } from './apply-outcome.ts'

async function rerun(deps: PipelineDeps, chunk: ChunkWork, signal: AbortSignal): Promise<readonly JudgedRecord[]> {
  if (chunk.kind === 'fault') return []
  const processor = chunk.kind === 'rows' ? processRows : processDocument
  return (await processor(deps, chunk, signal)).records
}

/** Gives one record its next revision, unless it was decided meanwhile. */
async function applyRerun(
  tx: Tx,
  deps: PipelineDeps,
  chunk: ChunkWork,
  next: { readonly id: string; readonly judged: JudgedRecord }
): Promise<void> {
  const { id, judged } = next
  const record = await lockRecord(tx, chunk.jurisdiction, id)
  if (record?.state !== 'quarantined' || record.duplicateOf) return
  await applyOutcome(
    tx,
    deps,
    { record, profile: profileOf(deps, chunk.profile), actor: deps.actor },
    {
      ...judged,
      decision: null,
      transitions: ['retried', 'extracted', 'enriched', 'validated'],
      detail: {}
    }
  )
}

/** Runs the held records of a chunk that wait for it again: their next revision, the same chain. */
export async function runRedriveJob(deps: PipelineDeps, job: ClaimedJob): Promise<'settled'> {
  const { jurisdiction, subject } = job.data
  const chunk = await readCommittedChunk(deps.pool, jurisdiction, subject)
  const waiting = chunk ? await listRetries(deps.pool, jurisdiction, subject) : []
  const records = chunk && waiting.length > 0 ? await rerun(deps, chunk, job.signal) : []
  const byItem = new Map(records.map(record => [record.item, record]))
  await withTransaction(deps.pool, async tx => {
    for (const { id, item } of waiting) {
      const judged = byItem.get(item)
      if (chunk && judged) await applyRerun(tx, deps, chunk, { id, judged })
    }
    if (!(await completeJob(deps.boss, tx, job))) {
      throw new AppError('CLAIM_LOST', 'Another attempt owns this job by now; nothing was written.')
    }
  })
  return 'settled'
}
