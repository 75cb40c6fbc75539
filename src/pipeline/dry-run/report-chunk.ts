import { insertReport, lockDryRun, type ReportRow } from '../../db/dry-runs/reports.ts'
import type { Tx } from '../../db/pool.ts'
import { withTransaction } from '../../db/transaction.ts'
import {
  type ChunkCounts,
  type ChunkWork,
  commitPendingChunk,
  lockPendingChunk,
  takeWaitingChunks
} from '../../db/work/chunks.ts'
import { AppError } from '../../errors.ts'
import { reasonOf } from '../../model/reasons.ts'
import { enqueueJobs } from '../../queue/enqueue.ts'
import { completeJob } from '../../queue/settle.ts'
import type { CommitDeps, CommitOutcome, CommitWork } from '../commit/commit-chunk.ts'
import type { JudgedRecord } from '../commit/judged-record.ts'
import { recallDecisions } from '../decided/recall-decisions.ts'
import { settleReport } from './settle-report.ts'

/** NUL or half a character in JSON text, which no column holds. */
const NOT_STORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f][0-9a-f]{2})/

/** A record with a value that the commit would be refused for, as the commit would hold it. */
function storable(record: JudgedRecord): JudgedRecord {
  if (!NOT_STORABLE.test(JSON.stringify(record))) return record
  return {
    ...record,
    state: 'quarantined',
    naturalKey: null,
    confidence: null,
    reasons: [reasonOf('VALUE_NOT_STORABLE', { origin: record.item > 0 ? { row: record.item } : null })],
    fields: {},
    content: null,
    diagnostic: null
  }
}

function countsOf(rows: readonly ReportRow[]): ChunkCounts {
  const counts = { accepted: 0, duplicate: 0, quarantined: 0, rejected: 0 }
  for (const { state, duplicateOf } of rows) counts[state === 'accepted' && duplicateOf ? 'duplicate' : state]++
  return counts
}

async function enqueueNext(tx: Tx, deps: CommitDeps, chunk: ChunkWork): Promise<void> {
  if (chunk.kind !== 'rows') return
  const { jurisdiction, lane } = chunk
  const next = await takeWaitingChunks(tx, jurisdiction, chunk.fileId, 1)
  const jobs = next.map(({ id }) => ({ jurisdiction, subjectId: id, generation: 1, lane }))
  await enqueueJobs(deps.boss, tx, 'chunk', jobs)
}

/** Whether a chunk belongs to a dry run. */
export const isDryRun = (chunk: Pick<ChunkWork, 'options'>): boolean => chunk.options['dry_run'] === true

/**
 * Ends a chunk of a dry run under the guards of a commit: what would have become of its records is kept as a report, with
 * the counts, and nothing else is written. Throws `CLAIM_LOST` as a commit does.
 */
export async function reportChunk(deps: CommitDeps, work: CommitWork): Promise<CommitOutcome> {
  const { chunk } = work
  return withTransaction(deps.pool, async tx => {
    if (!(await lockPendingChunk(tx, chunk.jurisdiction, chunk.id))) {
      await completeJob(deps.boss, tx, work.job)
      return { kind: 'gone' }
    }
    await lockDryRun(tx, chunk.batchId)
    const identified = work.records.map(record => ({ ...storable(record), id: deps.newId() }))
    const recalled = await recallDecisions(tx, chunk.jurisdiction, identified)
    const rows = await settleReport(tx, chunk, recalled)
    await insertReport(tx, { ...chunk, chunkId: chunk.id }, rows)
    const counts = countsOf(rows)
    const stageMs = { ...work.stageMs, queue_wait: Math.max(0, work.job.waitMs) }
    const isCommitted = await commitPendingChunk(tx, chunk, { counts, codes: null, stageMs })
    await enqueueNext(tx, deps, chunk)
    if (!isCommitted || !(await completeJob(deps.boss, tx, work.job))) {
      throw new AppError('CLAIM_LOST', 'Another attempt owns this job by now; nothing was written.')
    }
    return { kind: 'committed', counts }
  })
}
