import type { ChunkWork } from '../../db/work/chunks.ts'
import type { Envelope } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import { type Reason, type ReasonCode, reasonOf } from '../../model/reasons.ts'
import { feeCents, scheduleFor } from '../../registries/fee.ts'
import type { LookUps } from '../../registries/look-ups.ts'
import type { FeeSchedule, LookUp, Parcel, Registry } from '../../registries/registry.ts'
import type { Draft } from './judge-candidates.ts'
import type { PipelineDeps } from './pipeline-deps.ts'
import { profileOf } from './profile-of.ts'

const textOf = (draft: Draft, field: string): string | undefined => {
  const value = draft.candidate.fields[field]?.value
  return typeof value === 'string' ? value : undefined
}

const fromRegistry = (value: Json, registry: string, key: string): Envelope => ({
  value,
  raw: null,
  status: 'found',
  confidence: 1,
  origin: { registry, key },
  flags: []
})

interface Addition {
  readonly fields: Readonly<Record<string, Envelope>>
  readonly reasons: readonly Reason[]
}

const NOTHING: Addition = { fields: {}, reasons: [] }
const held = (code: ReasonCode, field: string, registry: string, key: string): Addition => ({
  fields: {},
  reasons: [reasonOf(code, { field, origin: { registry, key } })]
})

const NO_PARCEL = {
  no_match: 'PARCEL_NO_MATCH',
  several: 'PARCEL_MULTIPLE',
  unavailable: 'ENRICH_UNAVAILABLE'
} as const

function addParcel(draft: Draft, answers: ReadonlyMap<string, LookUp<Parcel>>): Addition {
  const id = textOf(draft, 'parcel_id')
  const answer = id === undefined ? undefined : answers.get(id)
  if (id === undefined || answer === undefined) return NOTHING
  if (answer.kind !== 'match') return held(NO_PARCEL[answer.kind], 'parcel_id', 'parcel', id)
  const { zoningCode } = answer.value
  return zoningCode === null
    ? NOTHING
    : { fields: { zoning_code: fromRegistry(zoningCode, 'parcel', id) }, reasons: [] }
}

function addFee(draft: Draft, schedules: readonly FeeSchedule[] | undefined): Addition {
  const type = textOf(draft, 'permit_type_code')
  const valuation = textOf(draft, 'project_valuation')
  if (type === undefined || valuation === undefined || valuation.startsWith('-')) return NOTHING
  if (!schedules) return held('ENRICH_UNAVAILABLE', 'permit_type_code', 'fee_schedule', type)
  const schedule = scheduleFor(schedules, type)
  const cents = schedule ? feeCents(schedule.brackets, valuation) : null
  if (!schedule || cents === null) return held('FEE_SCHEDULE_MISSING', 'permit_type_code', 'fee_schedule', type)
  return {
    fields: {
      fee_cents: fromRegistry(cents, 'fee_schedule', schedule.id),
      fee_schedule_id: fromRegistry(schedule.id, 'fee_schedule', schedule.id)
    },
    reasons: []
  }
}

const merge = (draft: Draft, additions: readonly Addition[]): Draft => ({
  ...draft,
  candidate: {
    ...draft.candidate,
    fields: Object.assign({}, draft.candidate.fields, ...additions.map(addition => addition.fields)),
    reasons: [...draft.candidate.reasons, ...additions.flatMap(addition => addition.reasons)]
  }
})

async function lookUp(
  lookUps: LookUps,
  registry: Registry,
  drafts: readonly Draft[],
  { today, signal }: { readonly today: string; readonly signal: AbortSignal }
) {
  const ids = [...new Set(drafts.flatMap(draft => textOf(draft, 'parcel_id') ?? []))]
  const days = [...new Set(drafts.map(draft => textOf(draft, 'applied_date') ?? today))]
  const [parcels, schedules] = await Promise.all([
    registry.kinds.has('parcel') ? lookUps.parcels(registry, ids, today, signal) : undefined,
    registry.kinds.has('feeSchedule')
      ? Promise.all(days.map(async day => [day, await lookUps.feeSchedules(registry, day, signal)] as const))
      : undefined
  ])
  return { parcels, schedules: schedules ? new Map(schedules) : undefined }
}

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
  const { fields } = profileOf(deps, chunk.profile)
  if (fields['zoning_code']?.filledBy !== 'registry') return drafts
  const registry = await deps.registries(chunk.jurisdiction)
  if (!registry) return drafts
  const today = deps.today()
  const { parcels, schedules } = await lookUp(deps.lookUps, registry, drafts, { today, signal })
  signal.throwIfAborted()
  return drafts.map(draft =>
    merge(draft, [
      parcels ? addParcel(draft, parcels) : NOTHING,
      schedules ? addFee(draft, schedules.get(textOf(draft, 'applied_date') ?? today)) : NOTHING
    ])
  )
}
