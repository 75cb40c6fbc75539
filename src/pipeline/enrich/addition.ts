import type { Envelope } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import { type Reason, type ReasonCode, reasonOf } from '../../model/reasons.ts'
import type { RegistryKind } from '../../registries/registry.ts'
import type { Draft } from '../work/judge-candidates.ts'

/** What the registries add to a draft. */
export interface Addition {
  readonly fields: Readonly<Record<string, Envelope>>
  readonly reasons: readonly Reason[]
}

export const NOTHING: Addition = { fields: {}, reasons: [] }

/** A field's value. Of a draft that has nothing to tell no envelope is made for it. */
export const valueOf = (draft: Draft, field: string): Json | undefined =>
  draft.plain ? draft.plain.values[field] : draft.candidate.fields[field]?.value

/** A field's value when it is text. */
export const textOf = (draft: Draft, field: string): string | undefined => {
  const value = valueOf(draft, field)
  return typeof value === 'string' ? value : undefined
}

/** What a kind of registry is called in origins. */
export const ORIGIN_OF = {
  parcel: 'parcel',
  zoning: 'zoning',
  property: 'property',
  feeSchedule: 'fee_schedule'
} as const satisfies Record<RegistryKind, string>

/** The envelope of a value that a registry gave for a key. */
export const fromRegistry = (value: Json, kind: RegistryKind, key: string): Envelope => ({
  value,
  raw: null,
  status: 'found',
  confidence: 1,
  origin: { registry: ORIGIN_OF[kind], key },
  flags: []
})

/** The envelope of a value that a registry was asked for and does not tell. */
export const absentFrom = (kind: RegistryKind, key: string): Envelope => ({
  value: null,
  raw: null,
  status: 'absent',
  confidence: 0,
  origin: { registry: ORIGIN_OF[kind], key },
  flags: []
})

/** A record held for what a registry said, or did not say, about a key. */
export const held = (code: ReasonCode, field: string, kind: RegistryKind, key: string): Addition => ({
  fields: {},
  reasons: [reasonOf(code, { field, origin: { registry: ORIGIN_OF[kind], key } })]
})
