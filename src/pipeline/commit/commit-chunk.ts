import { canonicalJson, frameOf, sealEntries } from '../../audit/append-entries.ts'
import type { Timeline } from '../../db/audit-entries.ts'
import type { Pool, Tx } from '../../db/pool.ts'
import { withRetriedTransaction } from '../../db/transaction.ts'
import {
  type ChunkCounts,
  type ChunkWork,
  commitPendingChunk,
  lockPendingChunk,
  takeWaitingChunks
} from '../../db/work/chunks.ts'
import type { RecordRow } from '../../db/work/record-row.ts'
import { insertRecords } from '../../db/work/records.ts'
import { AppError } from '../../errors.ts'
import type { NewId } from '../../model/ids.ts'
import type { Transition } from '../../model/states.ts'
import type { Boss } from '../../queue/boss.ts'
import { insertJobs } from '../../queue/enqueue.ts'
import { completeJob } from '../../queue/settle.ts'
import type { ClaimedJob } from '../../queue/slots.ts'
import type { JudgedRecord, StageMs } from './judged-record.ts'
import { type SettledRecord, settleRecords } from './settle-records.ts'

export interface CommitDeps {
  readonly pool: Pool
  readonly boss: Boss
  readonly newId: NewId
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** `worker:<id>`. */
  readonly actor: string
}

export interface CommitWork {
  readonly chunk: ChunkWork
  readonly job: ClaimedJob
  readonly records: readonly JudgedRecord[]
  readonly stageMs: StageMs
  /** When each stage ended, by the monotonic clock. */
  readonly stageEnds: readonly (readonly [Transition, number])[]
}

/** `gone`: the chunk was committed or cancelled by somebody else, and this attempt changed nothing. */
export type CommitOutcome = { readonly kind: 'committed'; readonly counts: ChunkCounts } | { readonly kind: 'gone' }

const countOf = (records: readonly SettledRecord[]): ChunkCounts => {
  const counts = { accepted: 0, duplicate: 0, quarantined: 0, rejected: 0 }
  for (const { state, duplicateOf } of records) counts[state === 'accepted' && duplicateOf ? 'duplicate' : state]++
  return counts
}

/** Which reasons a chunk's records have, so that a search for one can pass over the other chunks. */
const codesOf = (records: readonly SettledRecord[]): string[] => [
  ...new Set(records.flatMap(record => record.reasons.map(reason => reason.code)))
]

/** The ways records of a chunk went, by how they ended. */
const ENDS = ['accepted', 'quarantined', 'rejected'] as const

function timelinesOf(work: CommitWork, begun: number): Timeline[] {
  const { chunk } = work
  const way: (readonly [Transition, number | string])[] = [
    ['received', chunk.receivedAt],
    ['chunked', chunk.chunkedAt],
    ...work.stageEnds.map(([stage, at]) => [stage, Math.max(0, begun - at)] as const)
  ]
  return ENDS.map(end => [...way, [end, 0] as const])
}

function detailOf(record: SettledRecord): string | null {
  if (record.duplicateOf) return canonicalJson({ duplicate_of: record.duplicateOf })
  return record.version === null ? null : canonicalJson({ version: record.version })
}

const toRow = (record: SettledRecord): RecordRow => ({
  ...record,
  timeline: ENDS.indexOf(record.state),
  detail: detailOf(record)
})

/**
 * Hands the next waiting chunk of the file to the queue, where the slot that commits this one finds it: at most a window
 * of a file's chunks is queued at once.
 */
async function enqueueNext(tx: Tx, deps: CommitDeps, chunk: ChunkWork): Promise<void> {
  if (chunk.kind !== 'rows') return
  const next = await takeWaitingChunks(tx, chunk.jurisdiction, chunk.fileId, 1)
  await insertJobs(
    deps.boss,
    tx,
    'chunk',
    next.map(({ id }) => ({ jurisdiction: chunk.jurisdiction, subjectId: id, generation: 1, lane: chunk.lane }))
  )
}

async function writeRecords(tx: Tx, deps: CommitDeps, work: CommitWork, begun: number): Promise<SettledRecord[]> {
  const { chunk } = work
  const identified = work.records.map(record => ({ ...record, id: deps.newId() }))
  const settled = await settleRecords(tx, chunk, identified)
  const scope = {
    jurisdiction: chunk.jurisdiction,
    batchId: chunk.batchId,
    manifestVersion: chunk.manifestVersion,
    actor: deps.actor,
    commitId: deps.newId()
  }
  const audit = {
    frame: frameOf(scope),
    previous: chunk.receivedHash.toString('hex'),
    timelines: timelinesOf(work, begun)
  }
  const written = await insertRecords(tx, { ...chunk, chunkId: chunk.id }, settled.map(toRow), audit)
  await sealEntries(tx, scope, written, settled.length)
  return settled
}

/**
 * Makes a chunk's outcome durable: records, versions and heads, audit entries, counts and the job's completion in one
 * short transaction, or none of it. Two guards: the chunk row must still be pending, and the job's claim must still be
 * this attempt's. Throws `CLAIM_LOST` when it is not, database codes for faults, `VALUE_NOT_STORABLE` when the database
 * refuses a value.
 */
export async function commitChunk(deps: CommitDeps, work: CommitWork): Promise<CommitOutcome> {
  // Read before the transaction begins: stage times counted back from its start must not come out too early.
  const begun = deps.now()
  return withRetriedTransaction(deps.pool, async tx => {
    if (!(await lockPendingChunk(tx, work.chunk.jurisdiction, work.chunk.id))) {
      await completeJob(deps.boss, tx, work.job)
      return { kind: 'gone' }
    }
    const settled = await writeRecords(tx, deps, work, begun)
    const counts = countOf(settled)
    const stageMs = { ...work.stageMs, queue_wait: Math.max(0, work.job.waitMs) }
    if (!(await commitPendingChunk(tx, work.chunk, { counts, codes: codesOf(settled), stageMs }))) {
      throw new AppError('CLAIM_LOST', 'The chunk was committed or cancelled meanwhile; nothing was written.')
    }
    await enqueueNext(tx, deps, work.chunk)
    if (!(await completeJob(deps.boss, tx, work.job))) {
      throw new AppError('CLAIM_LOST', 'Another attempt owns this job by now; nothing was written.')
    }
    return { kind: 'committed', counts }
  })
}
