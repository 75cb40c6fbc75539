import type { Tx } from '../db/pool.ts'
import type { HeldRecord } from '../db/review/held-records.ts'
import { withRetriedTransaction } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import type { Json } from '../model/json.ts'
import { type ReasonCode, reasonOf } from '../model/reasons.ts'
import type { Transition } from '../model/states.ts'
import { currentRules, rulesContext } from '../pipeline/rules/jurisdiction-rules.ts'
import { prepareCandidate } from '../pipeline/rules/prepare-drafts.ts'
import { applyCorrections } from '../profiles/judge/apply-corrections.ts'
import { compactFields } from '../profiles/judge/compact-fields.ts'
import { judge } from '../profiles/judge/judge.ts'
import { applyOutcome, type Outcome } from './apply-outcome.ts'
import { candidateOf, loadTarget, placeOf, profileOfRecord } from './load-target.ts'
import type { Corrections, RecordTarget, ReviewDeps } from './review-deps.ts'

/** Judges a held record again with a clerk's corrections. A person has looked at it, so confidence holds nothing back. */
async function judgeCorrected(tx: Tx, deps: ReviewDeps, record: HeldRecord, corrections: Corrections) {
  const { jurisdiction, receivedAt } = record
  const profile = profileOfRecord(deps, record)
  const inForce = await currentRules(tx, { jurisdiction, profile })
  const context = { today: deps.today(), jurisdiction, ...rulesContext(inForce, receivedAt) }
  const corrected = applyCorrections(profile, candidateOf(profile, record), corrections, context)
  const candidate = prepareCandidate(corrected, { jurisdiction, receivedAt, profile, inForce })
  const judgement = judge(profile, candidate, { ...context, threshold: 0 })
  return {
    judgement,
    fields: compactFields(profile, candidate.fields, placeOf(record)) as Json,
    profile,
    rulesDigest: inForce?.digest ?? null
  }
}

function outcomeOf(
  judged: Awaited<ReturnType<typeof judgeCorrected>>,
  corrections: Corrections,
  decision: Json,
  done: readonly Transition[]
): Outcome {
  const corrected = Object.keys(corrections).toSorted()
  const { judgement, fields } = judged
  return {
    state: judgement.state,
    naturalKey: judgement.naturalKey,
    confidence: judgement.confidence,
    reasons: judgement.reasons,
    fields,
    content: judgement.values,
    decision,
    diagnostic: null,
    transitions: corrected.length > 0 ? ['corrected', ...done] : done,
    detail: corrected.length > 0 ? { corrected } : {}
  }
}

/**
 * Releases a held record, with corrections or as it stands. It is judged again and accepted only when no blocking reason
 * is left: otherwise `RECORD_STILL_BLOCKED`, and nothing has changed.
 */
export async function releaseRecord(deps: ReviewDeps, target: RecordTarget, corrections: Corrections): Promise<void> {
  await withRetriedTransaction(deps.pool, async tx => {
    const record = await loadTarget(tx, target)
    const judged = await judgeCorrected(tx, deps, record, corrections)
    const { profile, rulesDigest } = judged
    if (judged.judgement.state !== 'accepted') {
      const codes = judged.judgement.reasons
        .filter(reason => reason.severity === 'block' || reason.severity === 'fatal')
        .map(reason => (reason.field ? `${reason.code} (${reason.field})` : reason.code))
      throw new AppError('RECORD_STILL_BLOCKED', `The record cannot be released yet: ${codes.join(', ')}.`, {
        details: { reasons: codes }
      })
    }
    const outcome = outcomeOf(judged, corrections, { action: 'release', actor: target.actor }, ['released'])
    await applyOutcome(tx, deps, { record, profile, rulesDigest, actor: target.actor }, outcome)
  })
}

/** Saves corrections without releasing: the record stays held with the reasons that are left. */
export async function correctRecord(deps: ReviewDeps, target: RecordTarget, corrections: Corrections): Promise<void> {
  if (Object.keys(corrections).length === 0) {
    throw new AppError('FIELD_INVALID', 'Name at least one field to correct.')
  }
  await withRetriedTransaction(deps.pool, async tx => {
    const record = await loadTarget(tx, target)
    const judged = await judgeCorrected(tx, deps, record, corrections)
    const { profile, rulesDigest } = judged
    const outcome = outcomeOf(judged, corrections, { action: 'correct', actor: target.actor }, [])
    const held: Outcome = { ...outcome, state: 'quarantined' }
    await applyOutcome(tx, deps, { record, profile, rulesDigest, actor: target.actor }, held)
  })
}

/** Rejects a held record for good, with a reason of the catalogue and a comment for the submitter. */
export async function rejectRecord(
  deps: ReviewDeps,
  target: RecordTarget,
  decision: { readonly reason: ReasonCode; readonly comment: string }
): Promise<void> {
  await withRetriedTransaction(deps.pool, async tx => {
    const record = await loadTarget(tx, target)
    const profile = profileOfRecord(deps, record)
    const rulesDigest = (await currentRules(tx, { jurisdiction: record.jurisdiction, profile }))?.digest ?? null
    const known = record.reasons.filter(reason => reason.code !== decision.reason)
    await applyOutcome(
      tx,
      deps,
      { record, profile, rulesDigest, actor: target.actor },
      {
        state: 'rejected',
        naturalKey: null,
        confidence: null,
        reasons: [reasonOf(decision.reason, { severity: 'fatal' }), ...known],
        fields: record.fields,
        content: record.content,
        decision: { action: 'reject', reason: decision.reason, comment: decision.comment, actor: target.actor },
        diagnostic: null,
        transitions: [],
        detail: { reason: decision.reason }
      }
    )
  })
}
