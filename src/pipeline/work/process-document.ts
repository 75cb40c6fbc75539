import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ChunkWork } from '../../db/work/chunks.ts'
import { AppError } from '../../errors.ts'
import type { ExtractOutcome } from '../../extract/extractor.ts'
import { type ReasonCode, reasonOf } from '../../model/reasons.ts'
import type { Candidate } from '../../profiles/candidate.ts'
import { findFields } from '../../profiles/find/find-fields.ts'
import { enrichDrafts } from './enrich-drafts.ts'
import { type Draft, diagnosticOf, failedCandidate, judgeDrafts } from './judge-candidates.ts'
import type { PipelineDeps } from './pipeline-deps.ts'
import { profileOf } from './profile-of.ts'
import { documentKey } from './record-key.ts'
import type { Processed } from './run-chunk-job.ts'
import { createStopwatch } from './stopwatch.ts'

/** Copies the payload to a file of our own naming, checking its digest on the way. */
async function withCopy<T>(deps: PipelineDeps, chunk: ChunkWork, work: (path: string) => Promise<T>): Promise<T> {
  await mkdir(deps.tempFolder, { recursive: true, mode: 0o700 })
  const path = join(deps.tempFolder, deps.newId())
  const digest = createHash('sha256')
  try {
    const source = await deps.store.open(chunk.payloadUri)
    source.on('data', (bytes: Buffer) => digest.update(bytes))
    await pipeline(source, createWriteStream(path, { mode: 0o600 }))
    if (!digest.digest().equals(chunk.sha256)) {
      throw new AppError('PAYLOAD_CORRUPT', 'A payload is not what was received: its digest differs.')
    }
    return await work(path)
  } finally {
    await rm(path, { force: true })
  }
}

const refused = (code: ReasonCode, detail?: string): Candidate => ({
  fields: {},
  extra: {},
  reasons: [reasonOf(code, detail === undefined ? {} : { detail })]
})

/** Pictures have pages but no text; the same reason as for a page without a text layer, ready for recognition later. */
const isPicture = (mediaType: string): boolean => mediaType.startsWith('image/')

async function extracted(deps: PipelineDeps, chunk: ChunkWork, signal: AbortSignal): Promise<ExtractOutcome> {
  if (isPicture(chunk.mediaType)) return { ok: false, reason: 'NO_TEXT_LAYER' }
  return withCopy(deps, chunk, path => deps.extractor.extract(path, chunk.mediaType, signal))
}

function find(deps: PipelineDeps, chunk: ChunkWork, outcome: ExtractOutcome): Candidate {
  if (!outcome.ok) return refused(outcome.reason, outcome.detail)
  const { jurisdiction, source } = chunk
  const context = { today: deps.today(), jurisdiction, ...(source ? { source } : {}) }
  return findFields(profileOf(deps, chunk.profile), outcome.document, context)
}

function draftOf(deps: PipelineDeps, chunk: ChunkWork, outcome: ExtractOutcome): Draft {
  const idempotencyKey = documentKey(chunk.profile, chunk.jurisdiction, chunk.sha256)
  const base = { item: 0, line: null, idempotencyKey }
  try {
    return { ...base, candidate: find(deps, chunk, outcome), diagnostic: null }
  } catch (error) {
    const diagnostic = diagnosticOf('extracted', error, chunk.manifestVersion)
    return { ...base, candidate: failedCandidate(0, null), diagnostic }
  }
}

/** The steps of a document: extract in a process of its own, find fields, enrich, judge. */
export async function processDocument(deps: PipelineDeps, chunk: ChunkWork, signal: AbortSignal): Promise<Processed> {
  const profile = profileOf(deps, chunk.profile)
  const watch = createStopwatch(deps.now)
  const outcome = await extracted(deps, chunk, signal)
  watch.end('extract')
  const drafts = [draftOf(deps, chunk, outcome)]
  watch.end('map', 'extracted')
  const enriched = await enrichDrafts(deps, chunk, drafts, signal)
  watch.end('enrich', 'enriched')
  const records = judgeDrafts(deps, chunk, enriched, { profile, columnOf: () => undefined })
  watch.end('validate', 'validated')
  return { records, ...watch.result() }
}
