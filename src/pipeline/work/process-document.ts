import type { ChunkWork } from '../../db/work/chunks.ts'
import type { ExtractFailure } from '../../extract/extractor.ts'
import { type ReasonCode, reasonOf } from '../../model/reasons.ts'
import type { Candidate } from '../../profiles/candidate.ts'
import type { FindContext } from '../../profiles/find/find-fields.ts'
import type { DocumentReader, Found } from '../documents/document-reader.ts'
import { TO_RECOGNISE } from '../documents/to-recognise.ts'
import { enrichDrafts } from '../enrich/enrich-drafts.ts'
import { rulesOf } from '../rules/jurisdiction-rules.ts'
import { prepareDrafts } from '../rules/prepare-drafts.ts'
import { findMapping } from '../split/source-mapping.ts'
import { type Draft, diagnosticOf, failedCandidate, judgeDrafts } from './judge-candidates.ts'
import type { DocumentDeps } from './pipeline-deps.ts'
import { profileOf } from './profile-of.ts'
import { documentKey } from './record-key.ts'
import type { Processed } from './run-chunk-job.ts'
import { createStopwatch, type Stopwatch } from './stopwatch.ts'

const refused = (code: ReasonCode, detail?: string): Candidate => ({
  fields: {},
  extra: {},
  reasons: [reasonOf(code, detail === undefined ? {} : { detail })]
})

/** A picture has pages and no text. */
const isPicture = (mediaType: string): boolean => mediaType.startsWith('image/')

const NO_TEXT: ExtractFailure = { ok: false, reason: 'NO_TEXT_LAYER' }

/** What a document is read under: among it what its source has declared, as its files are. */
async function contextOf(deps: DocumentDeps, { jurisdiction, source, profile }: ChunkWork): Promise<FindContext> {
  const mapping = await findMapping(deps.pool, profileOf(deps, profile), { jurisdiction, source })
  return {
    today: deps.today(),
    jurisdiction,
    ...(source ? { source } : {}),
    ...(mapping ? { overrides: mapping.options } : {})
  }
}

/** What stands in a document as text. */
async function readText(deps: DocumentDeps, chunk: ChunkWork, signal: AbortSignal): Promise<Found | ExtractFailure> {
  return isPicture(chunk.mediaType) ? NO_TEXT : deps.documents.read(chunk, await contextOf(deps, chunk), signal)
}

const isUnread = (outcome: Found | ExtractFailure): boolean =>
  outcome.ok ? outcome.hasUnreadPages : outcome.reason === 'NO_TEXT_LAYER'

/** Reasons that hold a record for pages that nobody has read. */
const UNREAD: readonly ReasonCode[] = ['PAGE_ILLEGIBLE', 'NO_TEXT_LAYER', 'TEXT_LAYER_UNREADABLE']

/** What stands as text in a document whose other pages stay unread here, the scanned page under a stamp among them. */
function heldUnread(outcome: Found | ExtractFailure): Found | ExtractFailure {
  if (!outcome.ok || !outcome.hasUnreadPages) return outcome
  const reason = reasonOf('PAGE_ILLEGIBLE', { detail: 'some of its pages are pictures, which are not recognised here' })
  const candidates = outcome.candidates.map(candidate =>
    candidate.reasons.some(({ code }) => UNREAD.includes(code))
      ? candidate
      : { ...candidate, reasons: [...candidate.reasons, reason] }
  )
  return { ...outcome, candidates }
}

/**
 * What stands in a document as text and in its pictures. A document whose recognition ends at a limit, or is not its to
 * have, is held with what stands in it as text.
 */
async function readAll(
  deps: DocumentDeps,
  recognised: DocumentReader,
  { chunk, signal }: { readonly chunk: ChunkWork; readonly signal: AbortSignal }
): Promise<Found | ExtractFailure> {
  const text = await readText(deps, chunk, signal)
  if (!isUnread(text)) return text
  const all = await recognised.read(chunk, await contextOf(deps, chunk), signal)
  if (all.ok || !text.ok) return all
  const reason = reasonOf('PAGE_ILLEGIBLE', {
    detail: `its pages could not be recognised: ${all.detail ?? all.reason}`
  })
  const candidates = text.candidates.map(({ reasons, ...candidate }) => ({
    ...candidate,
    reasons: [...reasons.filter(({ code }) => code !== reason.code), reason]
  }))
  return { ...text, candidates }
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

/**
 * The steps of a document: extract in a process of its own, find fields in a thread, enrich, judge. One with pages that
 * have no text is not judged by the others: `TO_RECOGNISE`, or held where nothing is recognised.
 */
export async function processDocument(
  deps: DocumentDeps,
  chunk: ChunkWork,
  signal: AbortSignal
): Promise<Processed | typeof TO_RECOGNISE> {
  const watch = createStopwatch(deps.now)
  const outcome = await readText(deps, chunk, signal)
  if (deps.recognised && isUnread(outcome)) return TO_RECOGNISE
  return judgeDocument(deps, chunk, { outcome: heldUnread(outcome), watch, signal })
}

/** The same steps with all pages read: those without text are recognised, which takes seconds a page. */
export async function processRecognised(deps: DocumentDeps, chunk: ChunkWork, signal: AbortSignal): Promise<Processed> {
  const watch = createStopwatch(deps.now)
  const { recognised } = deps
  const outcome = recognised
    ? await readAll(deps, recognised, { chunk, signal })
    : heldUnread(await readText(deps, chunk, signal))
  return judgeDocument(deps, chunk, { outcome, watch, signal })
}

interface Reading {
  readonly outcome: Found | ExtractFailure
  readonly watch: Stopwatch
  readonly signal: AbortSignal
}

async function judgeDocument(
  deps: DocumentDeps,
  chunk: ChunkWork,
  { outcome, watch, signal }: Reading
): Promise<Processed> {
  const profile = profileOf(deps, chunk.profile)
  const drafts = draftsOf(chunk, outcome)
  const inForce = await rulesOf(deps.pool, { jurisdiction: chunk.jurisdiction, profile }, chunk.rulesDigest)
  const prepared = prepareDrafts(chunk, drafts, { profile, inForce })
  watch.end('extract', 'extracted')
  const enriched = await enrichDrafts(deps, chunk, prepared, signal)
  watch.end('enrich', 'enriched')
  const records = judgeDrafts(deps, chunk, enriched.drafts, { profile, columnOf: () => undefined, inForce })
  watch.end('validate', 'validated')
  return { records, answers: enriched.answers, ...watch.result() }
}
