import { crashPoint } from '../../crash-points.ts'
import type { Pool, Tx } from '../../db/pool.ts'
import type { KeptAnswers } from '../../db/registries/answers.ts'
import {
  type ChunkCounts,
  type ChunkWork,
  commitPendingChunk,
  lockPendingChunk,
  takeWaitingChunks
} from '../../db/work/chunks.ts'
import { AppError } from '../../errors.ts'
import type { NewId, NewSalt } from '../../model/ids.ts'
import type { RecordState, Transition } from '../../model/states.ts'
import type { Boss } from '../../queue/boss.ts'
import { insertJobs } from '../../queue/enqueue.ts'
import { completeJob } from '../../queue/settle.ts'
import type { ClaimedJob } from '../../queue/slots.ts'
import type { JudgedRecord, StageMs } from './judged-record.ts'

export interface CommitDeps {
  readonly pool: Pool
  readonly boss: Boss
  readonly newId: NewId
  readonly newSalt: NewSalt
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** `worker:<id>`. */
  readonly actor: string
}

export interface CommitWork {
  /** What registries answered that the records were judged by. */
  readonly answers?: KeptAnswers | null
  readonly chunk: ChunkWork
  readonly job: ClaimedJob
  readonly records: readonly JudgedRecord[]
  readonly stageMs: StageMs
  /** When each stage ended, by the monotonic clock. */
  readonly stageEnds: readonly (readonly [Transition, number])[]
}

/** `gone`: the chunk was committed or cancelled by somebody else, and this attempt changed nothing. */
export type CommitOutcome = { readonly kind: 'committed'; readonly counts: ChunkCounts } | { readonly kind: 'gone' }

/** What was written of a chunk's records. */
export interface Written {
  readonly records: readonly { readonly state: RecordState; readonly duplicateOf: string | null }[]
  /** The reason codes among them; null when a search must not rely on them. */
  readonly codes: readonly string[] | null
}

function countOf(records: Written['records']): ChunkCounts {
  const counts = { accepted: 0, duplicate: 0, quarantined: 0, rejected: 0 }
  for (const { state, duplicateOf } of records) counts[state === 'accepted' && duplicateOf ? 'duplicate' : state]++
  return counts
}

/**
 * Hands the next waiting chunk of the file to the queue, where the slot that commits this one finds it: at most a window
 * of a file's chunks is queued at once.
 */
async function enqueueNext(tx: Tx, deps: CommitDeps, chunk: ChunkWork): Promise<void> {
  if (chunk.kind !== 'rows') return
  const { jurisdiction, lane } = chunk
  const next = await takeWaitingChunks(tx, jurisdiction, chunk.fileId, 1)
  const jobs = next.map(({ id }) => ({ jurisdiction, subjectId: id, generation: 1, lane }))
  await insertJobs(deps.boss, tx, 'chunk', jobs)
}

/**
 * Ends a chunk inside the caller's transaction: what `write` makes of its records, its counts and the job's completion.
 * Two guards: the chunk row must still be pending, and the job's claim must still be this attempt's. Throws `CLAIM_LOST`
 * when it is not.
 */
export async function endChunk(
  tx: Tx,
  deps: CommitDeps,
  work: CommitWork,
  write: () => Promise<Written>
): Promise<CommitOutcome> {
  const { chunk, job } = work
  if (!(await lockPendingChunk(tx, chunk.jurisdiction, chunk.id))) {
    await completeJob(deps.boss, tx, job)
    return { kind: 'gone' }
  }
  crashPoint('commit.locked')
  const { records, codes } = await write()
  const counts = countOf(records)
  const stageMs = { ...work.stageMs, queue_wait: Math.max(0, job.waitMs) }
  if (!(await commitPendingChunk(tx, chunk, { counts, codes, stageMs }))) {
    throw new AppError('CLAIM_LOST', 'The chunk was committed or cancelled meanwhile; nothing was written.')
  }
  crashPoint('commit.chunk-ended')
  await enqueueNext(tx, deps, chunk)
  crashPoint('commit.next-enqueued')
  if (!(await completeJob(deps.boss, tx, job))) {
    throw new AppError('CLAIM_LOST', 'Another attempt owns this job by now; nothing was written.')
  }
  crashPoint('commit.before-commit')
  return { kind: 'committed', counts }
}
