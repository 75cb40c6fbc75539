import type { KeptAnswers } from '../../db/registries/answers.ts'
import type { ChunkWork } from '../../db/work/chunks.ts'
import type { Profile } from '../../profiles/profile.ts'
import type { FeeSchedule } from '../../registries/fees/schedule.ts'
import { ALL_SCHEDULES, type RegistryKind } from '../../registries/registry.ts'
import { rulesOf } from '../rules/jurisdiction-rules.ts'
import { type Draft, diagnosticOf, failedCandidate } from '../work/judge-candidates.ts'
import type { PipelineDeps } from '../work/pipeline-deps.ts'
import { profileOf } from '../work/profile-of.ts'
import { addFee, schedulesOf } from './add-fee.ts'
import { addParcel } from './add-parcel.ts'
import { addProperty } from './add-property.ts'
import { addZoning } from './add-zoning.ts'
import { type Addition, textOf } from './addition.ts'
import { withAdditions, withPlain } from './enriched-draft.ts'
import { keptAnswers } from './kept-answers.ts'
import { type KeysOf, parcelKeysOf } from './parcel-keys.ts'
import { enrichPlain, type Found } from './plain-enrichment.ts'
import { type KeysByValue, type ResolvedByValue, resolve, type Wanted } from './resolve.ts'

/** Drafts with what registries know, and what these answered; null when none was asked. */
export interface Enriched {
  readonly drafts: readonly Draft[]
  readonly answers: KeptAnswers | null
}

/** What enrichment works with, in a worker or where a person's decision is judged. */
export type EnrichDeps = Pick<PipelineDeps, 'pool' | 'profiles' | 'lookUps' | 'sources' | 'today'>

/** Whose records are enriched, and under which rules. */
export type EnrichedChunk = Pick<
  ChunkWork,
  'jurisdiction' | 'profile' | 'rulesDigest' | 'manifestVersion' | 'receivedAt'
>

/** Characters of the day in an instant of UTC. */
const ISO_DAY = 10

const ALL: KeysByValue = new Map([[ALL_SCHEDULES, [ALL_SCHEDULES]]])

/** The distinct values of a field and the keys each is looked up by. */
function keysByValue(drafts: readonly Draft[], field: string, keysOf: KeysOf): KeysByValue {
  const keys = new Map<string, readonly string[]>()
  for (const draft of drafts) {
    const value = textOf(draft, field)
    if (value === undefined) continue
    const known = keys.get(value)
    if (known === undefined) keys.set(value, keysOf(draft))
    // The same value written in another way: its forms count for both.
    else if (!draft.plain) keys.set(value, [...new Set([...known, ...keysOf(draft)])])
  }
  return keys
}

const propertyKeys: KeysOf = draft => [textOf(draft, 'property_id') ?? '']

const takesZoning = ({ fields }: Profile): boolean => fields['zoning_code']?.filledBy === 'registry'

type Registries = ReadonlyMap<RegistryKind, ResolvedByValue>

/** Makes the function that tells what the registries found for a draft. */
function finder(registries: Registries, received: string): (draft: Draft) => Found {
  const [parcels, zonings] = [registries.get('parcel'), registries.get('zoning')]
  const properties = registries.get('property')
  const fees = registries.get('feeSchedule')?.get(ALL_SCHEDULES)
  let schedules: readonly FeeSchedule[] | undefined
  return draft => {
    const id = textOf(draft, 'parcel_id') ?? ''
    // Read for the first record, so that schedules that cannot be read hold the records and not the chunk.
    if (fees) schedules ??= schedulesOf(fees)
    return {
      parcel: parcels?.get(id),
      zoning: zonings?.get(id),
      property: properties?.get(textOf(draft, 'property_id') ?? ''),
      hasFees: fees !== undefined,
      schedules,
      received
    }
  }
}

/** What the registries add to a draft. */
export function additionsOf(draft: Draft, found: Found): readonly Addition[] {
  const { parcel, zoning, property, hasFees, schedules, received } = found
  const all = [addParcel(draft, parcel), addZoning(parcel, zoning), addProperty(draft, property)]
  return hasFees ? [...all, addFee(draft, schedules, received)] : all
}

/** A draft with what the registries found for it. */
export function enrichDraft(profile: Profile, draft: Draft, found: Found): Draft {
  const plain = draft.plain ? enrichPlain(profile, draft, draft.plain, found) : null
  if (plain !== null) return withPlain(draft, plain, () => additionsOf(draft, found))
  return withAdditions(profile, draft, additionsOf(draft, found))
}

/** Which kinds a profile is enriched from, and by what. Throws faults of our own database. */
export async function wantedOf(
  deps: Pick<EnrichDeps, 'pool' | 'profiles' | 'sources'>,
  chunk: EnrichedChunk,
  drafts: readonly Draft[]
): Promise<Wanted> {
  const { jurisdiction } = chunk
  const profile = profileOf(deps, chunk.profile)
  const sources = await deps.sources(jurisdiction)
  const property = sources.has('property') && profile.fields['property_id'] !== undefined
  const properties = property ? { property: keysByValue(drafts, 'property_id', propertyKeys) } : {}
  if (!takesZoning(profile) || sources.size === 0) return properties
  const keysOf = parcelKeysOf(jurisdiction, await rulesOf(deps.pool, { jurisdiction, profile }, chunk.rulesDigest))
  const hasParcels = sources.has('parcel') || sources.has('zoning')
  const parcels = hasParcels ? keysByValue(drafts, 'parcel_id', keysOf) : ALL
  return {
    ...properties,
    ...(sources.has('parcel') ? { parcel: parcels } : {}),
    ...(sources.has('zoning') ? { zoning: parcels } : {}),
    ...(sources.has('feeSchedule') ? { feeSchedule: ALL } : {})
  }
}

/**
 * Adds what the registries of the jurisdiction know: zoning by parcel, the fee by what its schedule asks for, and where
 * they contradict a record. A chunk's distinct keys are looked up together, within the limits of the worker; what does not
 * answer in time holds its records as `ENRICH_UNAVAILABLE`. A kind that is not configured is not asked, and its fields stay
 * out. Throws faults of our own database and the signal's reason.
 */
export async function enrichDrafts(
  deps: EnrichDeps,
  chunk: EnrichedChunk,
  drafts: readonly Draft[],
  signal: AbortSignal
): Promise<Enriched> {
  const wanted = await wantedOf(deps, chunk, drafts)
  if (Object.keys(wanted).length === 0) return { drafts, answers: null }
  const today = deps.today()
  const profile = profileOf(deps, chunk.profile)
  const registries = await resolve(deps.lookUps, wanted, { jurisdiction: chunk.jurisdiction, asOf: today, signal })
  signal.throwIfAborted()
  const inForce = await rulesOf(deps.pool, { jurisdiction: chunk.jurisdiction, profile }, chunk.rulesDigest)
  // Never the day of this run: a record that is read late, or once more, is charged as it would have been.
  const received = inForce?.rules.dayReceived(chunk.receivedAt) ?? chunk.receivedAt.slice(0, ISO_DAY)
  const foundFor = finder(registries, received)
  const enriched = drafts.map(draft => {
    try {
      return enrichDraft(profile, draft, foundFor(draft))
    } catch (error) {
      const { item, line, idempotencyKey } = draft
      const diagnostic = diagnosticOf('enriched', error, chunk.manifestVersion)
      return { item, line, idempotencyKey, candidate: failedCandidate(item, line), diagnostic }
    }
  })
  return { drafts: enriched, answers: keptAnswers(registries) }
}
