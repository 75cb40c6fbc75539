import type { ChunkWork } from '../../db/work/chunks.ts'
import { ALL_SCHEDULES } from '../../registries/registry.ts'
import { rulesOf } from '../rules/jurisdiction-rules.ts'
import { type Draft, diagnosticOf, failedCandidate } from '../work/judge-candidates.ts'
import type { PipelineDeps } from '../work/pipeline-deps.ts'
import { profileOf } from '../work/profile-of.ts'
import { addFee, schedulesOf } from './add-fee.ts'
import { addParcel } from './add-parcel.ts'
import type { Addition } from './addition.ts'
import { type KeysOf, parcelKeysOf } from './parcel-keys.ts'

const merge = (draft: Draft, additions: readonly Addition[]): Draft => ({
  ...draft,
  candidate: {
    ...draft.candidate,
    fields: Object.assign({}, draft.candidate.fields, ...additions.map(addition => addition.fields)),
    reasons: [...draft.candidate.reasons, ...additions.flatMap(addition => addition.reasons)]
  }
})

const distinct = (drafts: readonly Draft[], keysOf: KeysOf): string[] => [...new Set(drafts.flatMap(keysOf))]

/**
 * Adds what the registries of the jurisdiction know: zoning by parcel, the fee by type, valuation and day of application.
 * A chunk's distinct keys are looked up together, within the limits of the worker; what does not answer in time holds its
 * records as `ENRICH_UNAVAILABLE`. A kind that is not configured is not asked, and its fields stay out.
 */
export async function enrichDrafts(
  deps: PipelineDeps,
  chunk: ChunkWork,
  drafts: readonly Draft[],
  signal: AbortSignal
): Promise<readonly Draft[]> {
  const { jurisdiction } = chunk
  const profile = profileOf(deps, chunk.profile)
  if (profile.fields['zoning_code']?.filledBy !== 'registry') return drafts
  const today = deps.today()
  const keysOf = parcelKeysOf(jurisdiction, await rulesOf(deps.pool, { jurisdiction, profile }, chunk.rulesDigest))
  const keys = { parcel: distinct(drafts, keysOf), feeSchedule: [ALL_SCHEDULES] }
  const answers = await deps.lookUps.ask({ jurisdiction, keys, asOf: today, signal })
  signal.throwIfAborted()
  if (answers.size === 0) return drafts
  const [parcels, fees] = [answers.get('parcel'), answers.get('feeSchedule')]
  const schedules = fees ? schedulesOf(fees) : undefined
  const additionsTo = (draft: Draft): Addition[] => [
    ...(parcels ? [addParcel(draft, parcels, keysOf(draft))] : []),
    ...(fees ? [addFee(draft, schedules, today)] : [])
  ]
  return drafts.map(draft => {
    try {
      return merge(draft, additionsTo(draft))
    } catch (error) {
      const { item, line } = draft
      const diagnostic = diagnosticOf('enriched', error, chunk.manifestVersion)
      return { ...draft, candidate: failedCandidate(item, line), diagnostic }
    }
  })
}
