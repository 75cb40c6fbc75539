import { crashPoint } from '../crash-points.ts'
import type { Tx } from '../db/pool.ts'
import { type KeptAnswers, keepAnswers } from '../db/registries/answers.ts'
import { findSpokenFor, isSpokenFor } from '../db/review/corrections.ts'
import { type HeldRecord, lockRecord } from '../db/review/held-records.ts'
import {
  listAcceptedKeys,
  listRetries,
  lockRetried,
  nextRedrives,
  noteFileSource,
  withdrawRetries
} from '../db/review/retries.ts'
import { withRetriedTransaction, withTransaction } from '../db/transaction.ts'
import { type ChunkWork, readCommittedChunk } from '../db/work/chunks.ts'
import { AppError } from '../errors.ts'
import { errorFields } from '../logger.ts'
import type { Json } from '../model/json.ts'
import type { Reason } from '../model/reasons.ts'
import type { JudgedRecord } from '../pipeline/commit/judged-record.ts'
import { unreadKey as keyUnread } from '../pipeline/poison/hold-chunk.ts'
import { findMapping, mappingDetail, sourceOf, withMapping } from '../pipeline/split/source-mapping.ts'
import type { DocumentDeps, PipelineDeps } from '../pipeline/work/pipeline-deps.ts'
import { isPostponable, leaveForLater } from '../pipeline/work/postpone.ts'
import { processRecognised } from '../pipeline/work/process-document.ts'
import { processRows } from '../pipeline/work/process-rows.ts'
import { profileOf } from '../pipeline/work/profile-of.ts'
import { refusedKey } from '../pipeline/work/record-key.ts'
import type { Processed } from '../pipeline/work/run-chunk-job.ts'
import { completeJob } from '../queue/settle.ts'
import type { ClaimedJob } from '../queue/slots.ts'
import { adoptKey } from './adopt-key.ts'
import { applyOutcome, type Outcome } from './apply-outcome.ts'
import { applySet } from './apply-set.ts'

type Ran = Pick<Processed, 'records' | 'answers'>

async function rerun(deps: DocumentDeps, chunk: ChunkWork, signal: AbortSignal): Promise<Ran> {
  if (chunk.kind === 'fault') return { records: [] }
  const processor = chunk.kind === 'rows' ? processRows : processRecognised
  return processor(deps, chunk, signal)
}

interface Rerun {
  readonly id: string
  readonly judged: JudgedRecord
  /** What registries answered for the whole run. */
  readonly answers: KeptAnswers | null
}

/** Records that wait for another run. */
type Waiting = readonly { readonly id: string; readonly item: number }[]

const outcomeOf = (chunk: ChunkWork, { judged, answers }: Rerun): Outcome => ({
  ...judged,
  decision: null,
  transitions: ['retried', 'extracted', 'enriched', 'validated'],
  detail: { ...mappingDetail(sourceOf(chunk.format)), ...(answers ? { answers: answers.digest } : {}) }
})

/**
 * Whether a record comes to the key of its content only now: it was held without having been read, or for what it said
 * about another record, which it is not any more.
 */
function comesToItsKey(chunk: ChunkWork, record: HeldRecord, judged: JudgedRecord): boolean {
  const { idempotencyKey: before, item } = record
  const now = judged.idempotencyKey
  return before !== now && (before === keyUnread(chunk, item) || before === refusedKey(now))
}

const codesOf = (reasons: readonly Reason[]): string =>
  reasons
    .map(({ code, field }) => `${code} ${field ?? ''}`)
    .toSorted()
    .join()

/** Whether another run has found no more than the one before: a registry is still away. Nothing is worth a revision then. */
const stillWaits = (record: HeldRecord, judged: JudgedRecord): boolean =>
  judged.reasons.some(({ code }) => code === 'ENRICH_UNAVAILABLE') &&
  codesOf(record.reasons) === codesOf(judged.reasons)

/** Gives one record its next revision, unless it was decided or run meanwhile. Answers whether it did. */
async function applyRerun(tx: Tx, deps: PipelineDeps, chunk: ChunkWork, next: Rerun): Promise<boolean> {
  const { id, judged, answers } = next
  const record = await lockRecord(tx, chunk.jurisdiction, id)
  if (record?.state !== 'quarantined' || record.duplicateOf || !record.retryRequested) return false
  if (stillWaits(record, judged) || (await isSpokenFor(tx, chunk.jurisdiction, id))) return false
  const { rulesDigest } = chunk
  const profile = profileOf(deps, chunk.profile)
  const { actor } = deps
  if (answers) await keepAnswers(tx, { jurisdiction: chunk.jurisdiction, chunkId: chunk.id }, answers)
  if (comesToItsKey(chunk, record, judged)) {
    const adopted = await adoptKey(tx, record, judged)
    const { unreadKey, duplicateOf } = adopted
    const outcome = { ...outcomeOf(chunk, { ...next, judged: adopted.judged }), unreadKey, duplicateOf }
    await applyOutcome(tx, deps, { record: adopted.record, profile, rulesDigest, actor }, outcome)
    return true
  }
  await applyOutcome(tx, deps, { record, profile, rulesDigest, actor }, outcomeOf(chunk, next))
  return true
}

/** Gives many records their next revision in one transaction; answers the ids of those that it was for. */
async function applyReruns(
  tx: Tx,
  deps: PipelineDeps,
  chunk: ChunkWork,
  reruns: readonly Rerun[]
): Promise<readonly string[]> {
  const { jurisdiction, batchId, fileNumber } = chunk
  const byId = new Map(reruns.map(next => [next.id, next]))
  const locked = await lockRetried(tx, jurisdiction, [...byId.keys()])
  const spokenFor = await findSpokenFor(
    tx,
    jurisdiction,
    locked.map(record => record.id)
  )
  const outcomes = locked.flatMap(record => {
    const next = spokenFor.has(record.id) ? undefined : byId.get(record.id)
    const isPlain = next && !stillWaits(record, next.judged) && !comesToItsKey(chunk, record, next.judged)
    return isPlain ? [{ record, outcome: outcomeOf(chunk, next) }] : []
  })
  const profile = profileOf(deps, chunk.profile)
  const answers = outcomes.length > 0 ? reruns[0]?.answers : null
  if (answers) await keepAnswers(tx, { jurisdiction, chunkId: chunk.id }, answers)
  await applySet(tx, deps, {
    jurisdiction,
    batchId,
    fileNumber,
    profile,
    rulesDigest: chunk.rulesDigest,
    actor: deps.actor,
    outcomes
  })
  return outcomes.map(({ record }) => record.id)
}

/** Runs a set in one transaction; none of it when the database refuses a value of it, to be found one by one. */
async function applyTogether(
  deps: PipelineDeps,
  chunk: ChunkWork,
  reruns: readonly Rerun[]
): Promise<readonly string[]> {
  try {
    return await withRetriedTransaction(deps.pool, tx => applyReruns(tx, deps, chunk, reruns))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALUE_NOT_STORABLE') throw error
    return []
  }
}

/** Records that end in one transaction. */
const SET = 500

/**
 * Records that ran again end in sets, which never wait for a clerk's decision: those that somebody has locked, or that
 * others follow, end one by one afterwards, each in a transaction of its own. The request is the guard: whoever applies
 * first takes it back. Answers the ids that were applied.
 */
async function applyAll(
  deps: PipelineDeps,
  chunk: ChunkWork,
  reruns: readonly Rerun[],
  signal: AbortSignal
): Promise<ReadonlySet<string>> {
  const applied = new Set<string>()
  for (let at = 0; at < reruns.length; at += SET) {
    signal.throwIfAborted()
    for (const id of await applyTogether(deps, chunk, reruns.slice(at, at + SET))) applied.add(id)
  }
  for (const next of reruns.filter(({ id }) => !applied.has(id))) {
    signal.throwIfAborted()
    try {
      if (await withRetriedTransaction(deps.pool, tx => applyRerun(tx, deps, chunk, next))) applied.add(next.id)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'VALUE_NOT_STORABLE') throw error
      deps.logger.warn({ record_id: next.id, code: error.code }, 'record stays as it was')
    }
  }
  return applied
}

/**
 * Whether another run of a document found the records that there are: as many, and those that are accepted where they
 * were. A reader that has learned something may find others in a listing, whose numbers then tell nothing any more.
 */
async function areSame(
  deps: PipelineDeps,
  chunk: ChunkWork,
  found: ReadonlyMap<number, JudgedRecord>
): Promise<boolean> {
  if (found.size !== chunk.records) return false
  const accepted = await listAcceptedKeys(deps.pool, chunk)
  return accepted.every(({ item, naturalKey }) => found.get(item)?.naturalKey === naturalKey)
}

/** What another run made of the records that wait; nothing when it found others. */
async function runsOf(deps: DocumentDeps, chunk: ChunkWork, waiting: Waiting, signal: AbortSignal): Promise<Rerun[]> {
  const { records, answers = null } = await rerun(deps, chunk, signal)
  const found = new Map(records.map(record => [record.item, record]))
  if (chunk.kind === 'document' && !(await areSame(deps, chunk, found))) {
    const counts = { records: chunk.records, found: found.size }
    deps.logger.warn({ chunk_id: chunk.id, ...counts }, 'another run found other records: they stay as they are')
    return []
  }
  return waiting.flatMap(({ id, item }) => {
    const record = found.get(item)
    return record ? [{ id, judged: record, answers }] : []
  })
}

/** Runs what waits and answers the ids of records that stay as they are for all that. */
async function runWaiting(deps: DocumentDeps, job: ClaimedJob, chunk: ChunkWork, waiting: Waiting): Promise<string[]> {
  const mapping = await findMapping(deps.pool, profileOf(deps, chunk.profile), chunk)
  const mapped = { ...chunk, format: withMapping(chunk.format, mapping) }
  const reruns = await runsOf(deps, mapped, waiting, job.signal)
  crashPoint('redrive.ran')
  const applied = await applyAll(deps, mapped, reruns, job.signal)
  crashPoint('redrive.applied')
  const source = sourceOf(mapped.format)
  if (applied.size > 0 && source && source.digest !== sourceOf(chunk.format)?.digest) {
    await noteFileSource(deps.pool, chunk.jurisdiction, chunk.fileId, source as unknown as Json)
  }
  return waiting.filter(({ id }) => !applied.has(id)).map(({ id }) => id)
}

async function runAgain(deps: DocumentDeps, job: ClaimedJob): Promise<void> {
  const { jurisdiction, subject } = job.data
  const chunk = await readCommittedChunk(deps.pool, jurisdiction, subject)
  const waiting = chunk ? await listRetries(deps.pool, jurisdiction, subject) : []
  const left = chunk && waiting.length > 0 ? await runWaiting(deps, job, chunk, waiting) : []
  await withTransaction(deps.pool, async tx => {
    // A record that ran may have been asked for again meanwhile: that is for the next job.
    await withdrawRetries(tx, jurisdiction, subject, left)
    if (!(await completeJob(deps.boss, tx, job))) {
      throw new AppError('CLAIM_LOST', 'Another attempt owns this job by now.')
    }
    crashPoint('redrive.before-commit')
  })
  crashPoint('redrive.committed')
}

/** Leaves what could not be done now to a later job. */
async function postpone(deps: PipelineDeps, job: ClaimedJob, error: unknown): Promise<void> {
  const { jurisdiction, subject } = job.data
  deps.logger.warn({ chunk_id: subject, ...errorFields(error) }, 'run left for later')
  await leaveForLater(deps, job, {
    lane: 'standard',
    advance: async tx => (await nextRedrives(tx, jurisdiction, [subject]))[0]?.generation
  })
}

/**
 * Runs the held records of a chunk that wait for it again: their next revision, the same chain. A fault of our own
 * infrastructure postpones the run; throws `CLAIM_LOST` when another attempt owns the job by now.
 */
export async function runRedriveJob(deps: DocumentDeps, job: ClaimedJob): Promise<'settled'> {
  try {
    await runAgain(deps, job)
  } catch (error) {
    if (!isPostponable(error)) throw error
    await postpone(deps, job, error)
  }
  return 'settled'
}
