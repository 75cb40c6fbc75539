import type { ChunkWork } from '../../db/work/chunks.ts'
import type { ExtractFailure } from '../../extract/extractor.ts'
import { type ReasonCode, reasonOf } from '../../model/reasons.ts'
import type { Candidate } from '../../profiles/candidate.ts'
import type { Found } from '../documents/document-reader.ts'
import { enrichDrafts } from './enrich-drafts.ts'
import { type Draft, diagnosticOf, failedCandidate, judgeDrafts } from './judge-candidates.ts'
import type { PipelineDeps } from './pipeline-deps.ts'
import { profileOf } from './profile-of.ts'
import { documentKey } from './record-key.ts'
import type { Processed } from './run-chunk-job.ts'
import { createStopwatch } from './stopwatch.ts'

const refused = (code: ReasonCode, detail?: string): Candidate => ({
  fields: {},
  extra: {},
  reasons: [reasonOf(code, detail === undefined ? {} : { detail })]
})

/** Pictures have pages but no text; the same reason as for a page without a text layer, ready for recognition later. */
const isPicture = (mediaType: string): boolean => mediaType.startsWith('image/')

async function read(deps: PipelineDeps, chunk: ChunkWork, signal: AbortSignal): Promise<Found | ExtractFailure> {
  if (isPicture(chunk.mediaType)) return { ok: false, reason: 'NO_TEXT_LAYER' }
  const { jurisdiction, source } = chunk
  return deps.documents.read(chunk, { today: deps.today(), jurisdiction, ...(source ? { source } : {}) }, signal)
}

/** The records of a document: one, numbered 0, or those of a listing from 1. */
function draftsOf(chunk: ChunkWork, outcome: Found | ExtractFailure): Draft[] {
  const draft = (item: number, candidate: Candidate, diagnostic: Draft['diagnostic'] = null): Draft => {
    const idempotencyKey = documentKey(chunk.profile, chunk.jurisdiction, chunk.sha256, item)
    return { item, line: null, idempotencyKey, candidate, diagnostic }
  }
  if (!outcome.ok) return [draft(0, refused(outcome.reason, outcome.detail))]
  const { candidates, isListing, error } = outcome
  if (error) {
    return [draft(0, failedCandidate(0, null), diagnosticOf('extracted', error, chunk.manifestVersion))]
  }
  return candidates.map((candidate, at) => draft(isListing ? at + 1 : 0, candidate))
}

/** The steps of a document: extract in a process of its own, find fields in a thread, enrich, judge. */
export async function processDocument(deps: PipelineDeps, chunk: ChunkWork, signal: AbortSignal): Promise<Processed> {
  const profile = profileOf(deps, chunk.profile)
  const watch = createStopwatch(deps.now)
  const drafts = draftsOf(chunk, await read(deps, chunk, signal))
  watch.end('extract', 'extracted')
  const enriched = await enrichDrafts(deps, chunk, drafts, signal)
  watch.end('enrich', 'enriched')
  const records = judgeDrafts(deps, chunk, enriched, { profile, columnOf: () => undefined })
  watch.end('validate', 'validated')
  return { records, ...watch.result() }
}
