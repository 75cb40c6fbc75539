import { crashPoint } from '../../crash-points.ts'
import { withTransaction } from '../../db/transaction.ts'
import { launchSplit, nextFileGeneration, type SplitWork } from '../../db/work/splits.ts'
import { AppError } from '../../errors.ts'
import { errorFields } from '../../logger.ts'
import { completeJob } from '../../queue/settle.ts'
import type { ClaimedJob } from '../../queue/slots.ts'
import { firstPosition } from '../../tabular/split-file.ts'
import { expandArchive, isArchive } from '../archive/expand-archive.ts'
import { completeBatch } from '../commit/complete-batch.ts'
import { isToBlame } from '../poison/to-blame.ts'
import type { PipelineDeps } from '../work/pipeline-deps.ts'
import { isPostponable, leaveForLater } from '../work/postpone.ts'
import { profileOf } from '../work/profile-of.ts'
import { detectFile, fileFault, HEAD_BYTES } from './detect-file.ts'
import { rowsUri, toStored } from './file-format.ts'
import { type Found, saveFinal, saveProgress } from './save-split.ts'
import { findMapping } from './source-mapping.ts'
import { formatOf, type SplitProgress, splitRows } from './split-rows.ts'
import { declaredEncoding, surveyFile } from './survey-file.ts'
import { mustUnpack, unpackFile } from './unpack-file.ts'

/** How long a split works before it saves its progress and makes way, and how many chunks it saves at a time. */
const WORK_MS = 60_000
const SAVE_EVERY_CHUNKS = 1000

/** A split that ended its workers this often is given up: the file is held as a whole. */
const MAX_LAUNCHES = 5

async function headOf(deps: PipelineDeps, work: SplitWork): Promise<Buffer> {
  const parts: Buffer[] = []
  const source = await deps.store.open(work.payloadUri, { start: 0, end: Math.min(work.size, HEAD_BYTES) - 1 })
  for await (const part of source) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** Where to begin: the saved progress, or the start of the data; a fault when the file cannot be read at all. */
async function startOf(
  deps: PipelineDeps,
  work: SplitWork,
  signal: AbortSignal
): Promise<SplitProgress | (Found & { kind: 'fault' })> {
  if (work.progress !== null) return work.progress as unknown as SplitProgress
  const profile = profileOf(deps, work.profile)
  const source = await findMapping(deps.pool, profile, work)
  const mapped = source === null ? {} : { source }
  if (mustUnpack(work.mediaType)) {
    const file = await unpackFile(deps, { ...work, mapping: source }, signal)
    if (file.kind === 'fault') return file
    crashPoint('split.unpacked')
    const { tabular, unpacked } = file
    return { tabular, unpacked, position: firstPosition(tabular), evidence: [], columns: null, ...mapped }
  }
  const bytes = await headOf(deps, work)
  const whole = bytes.length >= work.size
  const sent = await declaredEncoding(deps.pool, work)
  const declared = sent ?? source?.options.encoding
  const open = () => deps.store.open(work.payloadUri, { start: 0 })
  const survey = whole ? undefined : await surveyFile({ head: bytes, declared, open }, signal)
  const head = { mediaType: work.mediaType, bytes, whole, survey, encoding: sent, recordBytes: deps.chunk.recordBytes }
  const decision = detectFile(profile, head, source?.options)
  if (!decision.ok) return { kind: 'fault', fault: decision.fault }
  return { tabular: decision.format, position: firstPosition(decision.format), evidence: [], columns: null, ...mapped }
}

async function split(deps: PipelineDeps, work: SplitWork, job: ClaimedJob): Promise<void> {
  if (await isToBlame(deps.pool, work.launches, MAX_LAUNCHES)) {
    return saveFinal(deps, work, job, { kind: 'fault', fault: fileFault('PROCESSING_CRASH') })
  }
  if (isArchive(work.mediaType)) return expandArchive(deps, work, job)
  const start = await startOf(deps, work, job.signal)
  if ('kind' in start) return saveFinal(deps, work, job, start)
  const profile = profileOf(deps, work.profile)
  const source = await deps.store.open(rowsUri(start, work.payloadUri), { start: start.position.offset })
  const begun = deps.now()
  const steps: Found & { kind: 'rows' } = { kind: 'rows', chunks: [], format: null }
  let progress = start
  try {
    for await (const step of splitRows(profile, source, start, deps.chunk)) {
      steps.chunks.push(step)
      progress = step.progress
      job.signal.throwIfAborted()
      const isLate = deps.now() - begun > WORK_MS
      if (isLate || steps.chunks.length >= SAVE_EVERY_CHUNKS) {
        return await saveProgress(deps, work, job, { steps, progress })
      }
    }
  } finally {
    // A split that has nothing left to read never began to.
    source.destroy()
  }
  return saveFinal(deps, work, job, {
    ...steps,
    format: toStored(formatOf(profile, progress)),
    source: progress.source
  })
}

async function postpone(deps: PipelineDeps, work: SplitWork, job: ClaimedJob, error: unknown): Promise<void> {
  const { fileId: file_id, batchId: batch_id, generation: tries } = work
  deps.logger.warn({ file_id, batch_id, generation: tries, ...errorFields(error) }, 'split left for later')
  const { jurisdiction, fileId, lane } = work
  await leaveForLater(deps, job, { lane, advance: tx => nextFileGeneration(tx, jurisdiction, fileId, tries) })
}

/** Splits a data file, or goes on splitting it; faults of our own infrastructure and a lacking profile postpone it. */
export async function runSplitJob(deps: PipelineDeps, job: ClaimedJob): Promise<'settled'> {
  const { jurisdiction, subject } = job.data
  const work = await launchSplit(deps.pool, jurisdiction, subject)
  if (!work) {
    await withTransaction(deps.pool, tx => completeJob(deps.boss, tx, job))
    return 'settled'
  }
  crashPoint('split.launched')
  try {
    await split(deps, work, job)
    await completeBatch(deps, jurisdiction, work.batchId)
  } catch (error) {
    if (error instanceof AppError && error.code === 'CLAIM_LOST') return 'settled'
    if (!isPostponable(error)) throw error
    await postpone(deps, work, job, error)
  }
  return 'settled'
}
