import { appendEntries } from '../../audit/append-entries.ts'
import { crashPoint } from '../../crash-points.ts'
import type { Tx } from '../../db/pool.ts'
import { withTransaction } from '../../db/transaction.ts'
import { insertChunks, type NewChunk, takeWaitingChunks } from '../../db/work/chunks.ts'
import { countChunks, finishSplit, type SplitWork, saveSplitProgress } from '../../db/work/splits.ts'
import { AppError } from '../../errors.ts'
import type { Json } from '../../model/json.ts'
import { QUEUED_CHUNKS } from '../../model/limits.ts'
import type { RowFault } from '../../model/rows.ts'
import type { UsedMapping } from '../../profiles/tabular/source-options.ts'
import { enqueueJobs } from '../../queue/enqueue.ts'
import { completeJob } from '../../queue/settle.ts'
import type { ClaimedJob } from '../../queue/slots.ts'
import type { PipelineDeps } from '../work/pipeline-deps.ts'
import { faultPlan } from './plan-file.ts'
import { mappingDetail } from './source-mapping.ts'
import type { SplitProgress, SplitStep } from './split-rows.ts'

/** What a split found: chunks of rows, or that the file is one record with a reason. */
export type Found =
  | {
      readonly kind: 'rows'
      readonly chunks: SplitStep[]
      readonly format: Json
      readonly source?: UsedMapping | undefined
    }
  | { readonly kind: 'fault'; readonly fault: RowFault }

export const lost = (): AppError =>
  new AppError('CLAIM_LOST', 'Another attempt split this file, or it was cancelled; nothing was written.')

function chunksOf(deps: PipelineDeps, found: Found): NewChunk[] {
  if (found.kind === 'fault') {
    return faultPlan(found.fault).chunks.map(plan => ({ ...plan, id: deps.newId(), ordinal: 0, generation: 0 }))
  }
  return found.chunks.map(({ plan, ordinal }) => ({ ...plan, id: deps.newId(), ordinal, generation: 0 }))
}

const ownerOf = (work: SplitWork) => ({
  jurisdiction: work.jurisdiction,
  batchId: work.batchId,
  fileId: work.fileId,
  fileNumber: work.fileNumber
})

async function settleJob(tx: Tx, deps: PipelineDeps, job: ClaimedJob): Promise<void> {
  if (!(await completeJob(deps.boss, tx, job))) throw lost()
}

/** Saves the chunks found so far, where to go on, and the follow-up job, together. The chunks wait for the split's end. */
export async function saveProgress(
  deps: PipelineDeps,
  work: SplitWork,
  job: ClaimedJob,
  found: { readonly steps: Found; readonly progress: SplitProgress }
): Promise<void> {
  await withTransaction(deps.pool, async tx => {
    if (!(await saveSplitProgress(tx, work, found.progress as unknown as Json))) throw lost()
    await insertChunks(tx, ownerOf(work), chunksOf(deps, found.steps))
    const { jurisdiction, fileId, generation, lane } = work
    await enqueueJobs(deps.boss, tx, 'split', [{ jurisdiction, subjectId: fileId, generation: generation + 1, lane }])
    await settleJob(tx, deps, job)
    crashPoint('split.progress-before-commit')
  })
  crashPoint('split.progress-committed')
}

async function writeChunked(tx: Tx, deps: PipelineDeps, work: SplitWork, found: Found): Promise<boolean> {
  const { jurisdiction, fileId, batchId, manifestVersion } = work
  const counts = await countChunks(tx, jurisdiction, fileId)
  const auditSeq = work.auditSeq + 1
  const hashes = await appendEntries(
    tx,
    { jurisdiction, batchId, manifestVersion, actor: deps.actor, commitId: deps.newId() },
    [
      {
        subjectId: fileId,
        kind: 'file',
        seq: auditSeq,
        previous: work.auditHash,
        detail: { ...counts, ...mappingDetail(found.kind === 'rows' ? found.source : null) },
        transitions: [['chunked', 0]]
      }
    ]
  )
  const format = found.kind === 'rows' ? found.format : null
  return finishSplit(tx, work, { format, auditSeq, auditHash: hashes.get(fileId) ?? work.auditHash })
}

/**
 * Ends the split: the last chunks, the format with what the whole columns proved, the file's audit entry, and the first
 * window of chunk jobs, together. Chunks start only now, since what a column proves is known at its end.
 */
export async function saveFinal(deps: PipelineDeps, work: SplitWork, job: ClaimedJob, found: Found): Promise<void> {
  await withTransaction(deps.pool, async tx => {
    const chunks = chunksOf(deps, found)
    if (chunks.length > 0) await insertChunks(tx, ownerOf(work), chunks)
    crashPoint('split.chunks-inserted')
    const { chunks: total } = await countChunks(tx, work.jurisdiction, work.fileId)
    const empty: Found = { kind: 'fault', fault: { code: 'FILE_EMPTY' } }
    if (total === 0) await insertChunks(tx, ownerOf(work), chunksOf(deps, empty))
    if (!(await writeChunked(tx, deps, work, found))) throw lost()
    crashPoint('split.entry-written')
    const ready = await takeWaitingChunks(tx, work.jurisdiction, work.fileId, QUEUED_CHUNKS)
    const { jurisdiction, lane } = work
    await enqueueJobs(
      deps.boss,
      tx,
      'chunk',
      ready.map(({ id }) => ({ jurisdiction, subjectId: id, generation: 1, lane }))
    )
    await settleJob(tx, deps, job)
    crashPoint('split.before-commit')
  })
  crashPoint('split.committed')
}
