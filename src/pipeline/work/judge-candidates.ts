import type { ChunkWork } from '../../db/work/chunks.ts'
import { codeOf } from '../../errors.ts'
import { stackFrames } from '../../logger.ts'
import type { Json } from '../../model/json.ts'
import { reasonOf } from '../../model/reasons.ts'
import type { Candidate, PlainReading } from '../../profiles/candidate.ts'
import { compactFields, type RecordPlace } from '../../profiles/judge/compact-fields.ts'
import { type JudgeContext, type Judgement, judge } from '../../profiles/judge/judge.ts'
import { judgePlain } from '../../profiles/judge/judge-plain.ts'
import type { Profile } from '../../profiles/profile.ts'
import type { JudgedRecord } from '../commit/judged-record.ts'
import { type RulesInForce, rulesContext } from '../rules/jurisdiction-rules.ts'
import type { PipelineDeps } from './pipeline-deps.ts'

/** One record on its way through the steps. */
export interface Draft {
  readonly item: number
  readonly line: number | null
  /** Hex. */
  readonly idempotencyKey: string
  readonly candidate: Candidate
  /** The same without envelopes, of a row that has nothing to tell; absent once anything was added to the candidate. */
  readonly plain?: PlainReading | null
  /** Set when a step failed for this record by a fault of our own. */
  readonly diagnostic: Json
}

const NOTHING: Candidate = { fields: {}, extra: {}, reasons: [] }

/** What is kept of a fault of our own for an administrator: where and which code, never a message or a value. */
export function diagnosticOf(stage: string, error: unknown, manifestVersion: string): Json {
  return {
    stage,
    code: codeOf(error),
    name: error instanceof Error ? error.name : typeof error,
    stack: error instanceof Error ? stackFrames(error) : '',
    versions: { node: process.version, manifest: manifestVersion }
  }
}

/** The candidate of a record that a step of ours failed on: held, without values. */
export function failedCandidate(item: number, line: number | null): Candidate {
  const origin = item > 0 ? { row: item, ...(line ? { line } : {}) } : null
  return { ...NOTHING, reasons: [reasonOf('INTERNAL_ERROR', { origin })] }
}

export interface JudgeOptions {
  readonly profile: Profile
  readonly columnOf: (field: string) => string | undefined
  /** The rules of the jurisdiction; none where it has none. */
  readonly inForce: RulesInForce | undefined
}

function judgeOne(draft: Draft, context: JudgeContext, options: JudgeOptions): JudgedRecord {
  const { profile, columnOf, inForce } = options
  const { plain } = draft
  const accepted = plain && !inForce ? judgePlain(profile, plain, context) : null
  if (plain && accepted) return judgedAs(draft, accepted, plain.stored)
  const judgement = judge(profile, draft.candidate, context)
  const place: RecordPlace = { jurisdiction: context.jurisdiction, row: draft.item, line: draft.line ?? 0, columnOf }
  return judgedAs(draft, judgement, compactFields(profile, draft.candidate.fields, place))
}

function judgedAs(draft: Draft, judgement: Judgement, fields: Json): JudgedRecord {
  return {
    item: draft.item,
    line: draft.line,
    state: judgement.state,
    idempotencyKey: draft.idempotencyKey,
    naturalKey: judgement.naturalKey,
    confidence: judgement.confidence,
    reasons: judgement.reasons,
    fields,
    content: judgement.values,
    diagnostic: draft.diagnostic
  }
}

/** Judges every record under a catch of its own: one that fails is held and its neighbours go on. */
export function judgeDrafts(
  deps: PipelineDeps,
  chunk: ChunkWork,
  drafts: readonly Draft[],
  options: JudgeOptions
): JudgedRecord[] {
  const { jurisdiction, receivedAt } = chunk
  const rules = rulesContext(options.inForce, receivedAt)
  const context: JudgeContext = { today: deps.today(), jurisdiction, threshold: deps.confidence, ...rules }
  return drafts.map(draft => {
    try {
      return judgeOne(draft, context, options)
    } catch (error) {
      const diagnostic = diagnosticOf('validated', error, chunk.manifestVersion)
      const reasons = failedCandidate(draft.item, draft.line).reasons
      const { item, line, idempotencyKey } = draft
      const nothing = { naturalKey: null, confidence: null, fields: {}, content: null }
      return { item, line, idempotencyKey, state: 'quarantined', reasons, diagnostic, ...nothing }
    }
  })
}
