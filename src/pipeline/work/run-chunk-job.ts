import { crashPoint } from '../../crash-points.ts'
import { ensureManifest } from '../../db/manifests.ts'
import type { KeptAnswers } from '../../db/registries/answers.ts'
import { withTransaction } from '../../db/transaction.ts'
import { type ChunkWork, forgiveLaunch, launchChunk, nextChunkGeneration } from '../../db/work/chunks.ts'
import { AppError, PAYLOAD_FAULTS } from '../../errors.ts'
import { errorFields } from '../../logger.ts'
import type { Transition } from '../../model/states.ts'
import { judgedVersion } from '../../profiles/manifest-version.ts'
import { enqueueJobs } from '../../queue/enqueue.ts'
import { completeJob } from '../../queue/settle.ts'
import { type ClaimedJob, STOPPED } from '../../queue/slots.ts'
import { commitStorable } from '../commit/commit-storable.ts'
import { completeBatch } from '../commit/complete-batch.ts'
import type { CommitOutcome } from '../commit/end-chunk.ts'
import type { JudgedRecord, StageMs } from '../commit/judged-record.ts'
import { mayCorrect } from '../corrections/rows-to-read.ts'
import { settleCorrections } from '../corrections/settle-corrections.ts'
import { rerunTwins } from '../decided/rerun-twins.ts'
import { TO_RECOGNISE } from '../documents/to-recognise.ts'
import { isDryRun, reportChunk } from '../dry-run/report-chunk.ts'
import { cutChunk } from '../poison/cut-chunk.ts'
import { holdChunk, holdFile } from '../poison/hold-chunk.ts'
import { isToBlame, MOST_LAUNCHES } from '../poison/to-blame.ts'
import type { GatedDeps, PipelineDeps } from './pipeline-deps.ts'
import { isPostponable, leaveForLater, MAX_GENERATIONS } from './postpone.ts'

/** What the steps made of a chunk. */
export interface Processed {
  readonly records: readonly JudgedRecord[]
  /** What registries answered that they were judged by. */
  readonly answers?: KeptAnswers | null
  readonly stageMs: StageMs
  readonly stageEnds: readonly (readonly [Transition, number])[]
}

/** The steps of one kind of chunk. */
export type ProcessChunk<D extends PipelineDeps> = (
  deps: D,
  chunk: ChunkWork,
  signal: AbortSignal
) => Promise<Processed | typeof TO_RECOGNISE>

export interface Processors<D extends PipelineDeps> {
  readonly rows: ProcessChunk<D>
  readonly document: ProcessChunk<D>
}

/** A chunk that was started this often without an end has killed its workers, if not all die: it is cut in two, or held. */
export const MAX_LAUNCHES = 3

const heldWhole = (records: readonly JudgedRecord[]): Processed => ({ records, stageMs: {}, stageEnds: [] })

async function processed<D extends PipelineDeps>(
  deps: D,
  processors: Processors<D>,
  chunk: ChunkWork,
  job: ClaimedJob
): Promise<Processed | typeof TO_RECOGNISE> {
  if (chunk.kind === 'fault') return heldWhole(holdFile(chunk))
  try {
    return await processors[chunk.kind](deps, chunk, job.signal)
  } catch (error) {
    // Lost or altered bytes do not come back by trying again.
    if (!(error instanceof AppError) || !PAYLOAD_FAULTS.has(error.code)) throw error
    deps.logger.error({ chunk_id: chunk.id, file_id: chunk.fileId, code: error.code }, 'payload damaged')
    return heldWhole(holdChunk(chunk, 'PAYLOAD_DAMAGED'))
  }
}

/** Leaves a chunk for later. After a day of that it is held, so that it does not stay pending for ever. */
async function postpone(deps: PipelineDeps, chunk: ChunkWork, job: ClaimedJob, error: unknown): Promise<void> {
  const { jurisdiction, id, batchId, lane, generation: tries } = chunk
  const line = { chunk_id: id, batch_id: batchId, generation: tries, ...errorFields(error) }
  if (tries >= MAX_GENERATIONS) {
    deps.logger.error(line, 'chunk given up after a day of tries')
    return commit(deps, chunk, job, heldWhole(holdChunk(chunk, 'INTERNAL_ERROR')))
  }
  const next = await leaveForLater(deps, job, {
    lane,
    advance: async tx => {
      await forgiveLaunch(tx, jurisdiction, id)
      return nextChunkGeneration(tx, jurisdiction, id, tries)
    }
  })
  // Without a next generation somebody else has settled the chunk or taken it on: its fate is theirs to tell.
  if (next === undefined) deps.logger.warn(line, 'chunk was settled elsewhere')
  else deps.logger.warn(line, 'chunk left for later')
}

/** Hands a document on to the queue where pages are recognised. That it was begun here does not count against it. */
async function handOn(deps: PipelineDeps, chunk: ChunkWork, job: ClaimedJob): Promise<void> {
  const { jurisdiction, id, batchId, lane, generation: from } = chunk
  await withTransaction(deps.pool, async tx => {
    await forgiveLaunch(tx, jurisdiction, id)
    const generation = await nextChunkGeneration(tx, jurisdiction, id, from)
    if (generation !== undefined) {
      await enqueueJobs(deps.boss, tx, 'ocr', [{ jurisdiction, subjectId: id, generation, lane }])
    }
    if (!(await completeJob(deps.boss, tx, job))) {
      throw new AppError('CLAIM_LOST', 'Another attempt owns this job by now.')
    }
    crashPoint('ocr.before-commit')
  })
  crashPoint('ocr.committed')
  deps.logger.info({ chunk_id: id, batch_id: batchId, jurisdiction }, 'document handed on to be recognised')
}

function report(deps: PipelineDeps, chunk: ChunkWork, outcome: CommitOutcome, stageMs: StageMs): void {
  const ids = { batch_id: chunk.batchId, file_id: chunk.fileId, chunk_id: chunk.id, jurisdiction: chunk.jurisdiction }
  if (outcome.kind === 'gone') deps.logger.info({ ...ids }, 'chunk was settled elsewhere')
  else {
    const stages = Object.fromEntries(Object.entries(stageMs).map(([stage, ms]) => [`${stage}_ms`, Math.round(ms)]))
    deps.logger.info(
      { ...ids, ...outcome.counts, ...stages, lane: chunk.lane, launches: chunk.launches },
      'chunk committed'
    )
  }
}

/** Commits a chunk, writes the one line of log every chunk has, and completes its batch if it was the last. */
export async function commit(deps: PipelineDeps, chunk: ChunkWork, job: ClaimedJob, work: Processed): Promise<void> {
  const begun = deps.now()
  const write = isDryRun(chunk) ? reportChunk : commitStorable
  const outcome = await write(deps, { chunk, job, ...work })
  crashPoint('commit.committed')
  report(deps, chunk, outcome, { ...work.stageMs, commit: deps.now() - begun })
  if (mayCorrect(chunk) && !isDryRun(chunk)) await settleCorrections(deps, chunk.jurisdiction, chunk.batchId)
  if (!isDryRun(chunk) && hasNewFollowers(work.records, outcome)) await rerunTwins(deps, chunk)
  await completeBatch(deps, chunk.jurisdiction, chunk.batchId)
}

/** Whether more is held of a chunk than was judged to be: acceptable records came to follow others that are held. */
function hasNewFollowers(records: Processed['records'], outcome: CommitOutcome): boolean {
  if (outcome.kind === 'gone') return false
  return outcome.counts.quarantined > records.filter(record => record.state === 'quarantined').length
}

async function settle<D extends PipelineDeps>(
  deps: D,
  processors: Processors<D>,
  chunk: ChunkWork,
  job: ClaimedJob
): Promise<void> {
  const isPoison = await isToBlame(deps.pool, chunk.launches, MAX_LAUNCHES)
  if (isPoison && chunk.kind === 'rows' && chunk.records > 1 && chunk.launches <= MOST_LAUNCHES) {
    if (await cutChunk(deps, chunk, job)) return
  }
  const work = isPoison
    ? heldWhole(holdChunk(chunk, 'PROCESSING_CRASH'))
    : await processed(deps, processors, chunk, job)
  if (work === TO_RECOGNISE) return handOn(deps, chunk, job)
  crashPoint('chunk.processed')
  await commit(deps, chunk, job, work)
}

/** Records say which rules they were judged by: this worker's, which may be newer or older than those at their intake, and the jurisdiction's. */
async function underOwnRules(deps: PipelineDeps, chunk: ChunkWork): Promise<ChunkWork> {
  const profile = deps.profiles.get(chunk.profile)
  const version = profile ? judgedVersion(profile, chunk.rulesDigest) : chunk.manifestVersion
  if (version === chunk.manifestVersion) return chunk
  return { ...chunk, manifestVersion: version, manifest: await ensureManifest(deps.pool, version, chunk.profile) }
}

/**
 * Works one chunk to its end. A fault of our own infrastructure, or a profile this worker lacks, makes a new generation of
 * the job; a lost claim ends quietly, since another attempt owns the chunk; anything else is thrown and left to the
 * queue's retries.
 */
export async function runChunkJob<D extends PipelineDeps>(
  deps: D,
  processors: Processors<D>,
  job: ClaimedJob
): Promise<'settled'> {
  const { jurisdiction, subject } = job.data
  const chunk = await launchChunk(deps.pool, jurisdiction, subject)
  if (!chunk) {
    await withTransaction(deps.pool, tx => completeJob(deps.boss, tx, job))
    return 'settled'
  }
  crashPoint('chunk.launched')
  try {
    await settle(deps, processors, await underOwnRules(deps, chunk), job)
  } catch (error) {
    if (job.signal.reason === STOPPED) {
      // The worker is ending, not this chunk's doing: a long document must not be held for three deployments.
      await forgiveLaunch(deps.pool, jurisdiction, chunk.id)
      return 'settled'
    }
    if (error instanceof AppError && error.code === 'CLAIM_LOST') {
      deps.logger.warn({ chunk_id: chunk.id, batch_id: chunk.batchId, code: error.code }, 'claim lost')
      return 'settled'
    }
    if (!isPostponable(error)) throw error
    await postpone(deps, chunk, job, error)
  }
  return 'settled'
}

/**
 * Runs a chunk's job beside others, or alone when an attempt before this one ended without settling: its worker may have
 * died of this chunk, and no neighbour is to be blamed with it.
 */
export function gated<T>({ gate }: GatedDeps, job: ClaimedJob, run: () => Promise<T>): Promise<T> {
  return job.attempt.retryCount > 0 ? gate.alone(run) : gate.together(run)
}
