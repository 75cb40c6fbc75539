import type { KeptAnswers } from '../db/registries/answers.ts'
import type { HeldRecord } from '../db/review/held-records.ts'
import { withRetriedTransaction } from '../db/transaction.ts'
import type { Json } from '../model/json.ts'
import { currentRules, rulesContext } from '../pipeline/rules/jurisdiction-rules.ts'
import { prepareCandidate } from '../pipeline/rules/prepare-drafts.ts'
import { applyCorrections } from '../profiles/judge/apply-corrections.ts'
import { compactFields } from '../profiles/judge/compact-fields.ts'
import { type Judgement, judge } from '../profiles/judge/judge.ts'
import { judgedVersion } from '../profiles/manifest-version.ts'
import type { Profile } from '../profiles/profile.ts'
import { enrichAgain, isHeldByRegistry } from './enrich-again.ts'
import { candidateOf, loadTarget, placeOf, profileOfRecord } from './load-target.ts'
import type { Corrections, DecideDeps, RecordTarget } from './review-deps.ts'

/** What a record is with a clerk's corrections. */
export interface Corrected {
  readonly judgement: Judgement
  readonly fields: Json
  readonly profile: Profile
  readonly rulesDigest: string | null
  /** What registries answered, to be kept with the decision. */
  readonly answers: KeptAnswers | null
}

/** Judges a held record with corrections. A person has looked at it, so confidence holds nothing back. */
async function judgeRecord(deps: DecideDeps, record: HeldRecord, corrections: Corrections): Promise<Corrected> {
  const { jurisdiction, receivedAt } = record
  const profile = profileOfRecord(deps, record)
  const inForce = await currentRules(deps.pool, { jurisdiction, profile })
  const context = { today: deps.today(), jurisdiction, ...rulesContext(inForce, receivedAt) }
  const corrected = applyCorrections(profile, candidateOf(profile, record), corrections, context)
  const prepared = prepareCandidate(corrected, { jurisdiction, receivedAt, profile, inForce })
  const rulesDigest = inForce?.digest ?? null
  const manifestVersion = judgedVersion(profile, rulesDigest)
  const judged = { jurisdiction, profile: profile.name, receivedAt, rulesDigest, manifestVersion }
  const chunk = { ...judged, profileOf: profile }
  const isChanged = Object.keys(corrections).length > 0 || isHeldByRegistry(record.reasons)
  const again = isChanged ? await enrichAgain(deps, chunk, prepared) : { candidate: prepared, answers: null }
  const { candidate, answers } = again
  const judgement = judge(profile, candidate, { ...context, threshold: 0 })
  const fields = compactFields(profile, candidate.fields, placeOf(record)) as Json
  return { judgement, fields, profile, rulesDigest, answers }
}

/**
 * Judges a held record with corrections, asking its registries again. Nothing is written and no lock is kept: the caller's
 * transaction makes sure that the record is still at the revision this was about. Throws what `loadTarget` and
 * `applyCorrections` throw.
 */
export async function judgeCorrected(
  deps: DecideDeps,
  target: RecordTarget,
  corrections: Corrections
): Promise<Corrected> {
  const record = await withRetriedTransaction(deps.pool, tx => loadTarget(tx, target))
  return judgeRecord(deps, record, corrections)
}
