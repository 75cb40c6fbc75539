import { crashPoint } from '../crash-points.ts'
import type { Tx } from '../db/pool.ts'
import { keepAnswers } from '../db/registries/answers.ts'
import type { HeldRecord } from '../db/review/held-records.ts'
import { withRetriedTransaction } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import type { Json } from '../model/json.ts'
import { type ReasonCode, reasonOf } from '../model/reasons.ts'
import type { Transition } from '../model/states.ts'
import { currentRules } from '../pipeline/rules/jurisdiction-rules.ts'
import { applyOutcome, type Outcome } from './apply-outcome.ts'
import { type Corrected, judgeCorrected } from './judge-corrected.ts'
import { loadTarget, profileOfRecord } from './load-target.ts'
import type { Corrections, DecideDeps, RecordTarget, ReviewDeps } from './review-deps.ts'

function outcomeOf(judged: Corrected, corrections: Corrections, decision: Json, done: readonly Transition[]): Outcome {
  const corrected = Object.keys(corrections).toSorted()
  const { judgement, fields, answers } = judged
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
    detail: {
      ...(corrected.length > 0 ? { corrected } : {}),
      ...(answers ? { answers: answers.digest } : {})
    }
  }
}

interface Decision {
  readonly record: HeldRecord
  readonly target: RecordTarget
  readonly judged: Corrected
}

/** Makes an outcome durable, and with it what registries had answered. */
async function applyJudged(tx: Tx, deps: ReviewDeps, decision: Decision, outcome: Outcome): Promise<void> {
  const { record, target, judged } = decision
  const { profile, rulesDigest, answers } = judged
  const { jurisdiction, chunkId } = record
  if (answers) await keepAnswers(tx, { jurisdiction, chunkId }, answers)
  await applyOutcome(tx, deps, { record, profile, rulesDigest, actor: target.actor }, outcome)
  crashPoint('decide.applied')
}

/**
 * Releases a held record, with corrections or as it stands. It is judged again and accepted only when no blocking reason
 * is left: otherwise `RECORD_STILL_BLOCKED`, and nothing has changed.
 */
export async function releaseRecord(deps: DecideDeps, target: RecordTarget, corrections: Corrections): Promise<void> {
  const judged = await judgeCorrected(deps, target, corrections)
  const { judgement } = judged
  if (judgement.state !== 'accepted') {
    const codes = judgement.reasons
      .filter(reason => reason.severity === 'block' || reason.severity === 'fatal')
      .map(reason => (reason.field ? `${reason.code} (${reason.field})` : reason.code))
    throw new AppError('RECORD_STILL_BLOCKED', `The record cannot be released yet: ${codes.join(', ')}.`, {
      details: { reasons: codes }
    })
  }
  const outcome = outcomeOf(judged, corrections, { action: 'release', actor: target.actor }, ['released'])
  await withRetriedTransaction(deps.pool, async tx => {
    const record = await loadTarget(tx, target)
    await applyJudged(tx, deps, { record, target, judged }, outcome)
  })
  crashPoint('decide.committed')
}

/** Saves corrections without releasing: the record stays held with the reasons that are left. */
export async function correctRecord(deps: DecideDeps, target: RecordTarget, corrections: Corrections): Promise<void> {
  if (Object.keys(corrections).length === 0) {
    throw new AppError('FIELD_INVALID', 'Name at least one field to correct.')
  }
  const judged = await judgeCorrected(deps, target, corrections)
  const outcome = outcomeOf(judged, corrections, { action: 'correct', actor: target.actor }, [])
  const held: Outcome = { ...outcome, state: 'quarantined' }
  await withRetriedTransaction(deps.pool, async tx => {
    const record = await loadTarget(tx, target)
    await applyJudged(tx, deps, { record, target, judged }, held)
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
