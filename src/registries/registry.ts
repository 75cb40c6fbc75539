import type { Json } from '../model/json.ts'

/** What can be looked up: `property` by property id, `parcel` and `zoning` by parcel id, `feeSchedule` by `ALL_SCHEDULES`. */
export const REGISTRY_KINDS = ['parcel', 'zoning', 'property', 'feeSchedule'] as const
export type RegistryKind = (typeof REGISTRY_KINDS)[number]

/** The one key of a registry of fee schedules: its answer is a match with all of them, `{ schedules: [...] }`. */
export const ALL_SCHEDULES = '*'

/**
 * What a registry tells about one key, under Docket's names whatever the registry calls them. Parcel: `parcelId`,
 * `zoningCode`, `siteAddress`, `ownerName`, `retired`, `equivalents`; zoning: `zoningCode`, `overlays`; property:
 * `propertyId`, `address`. What a registry does not tell is left out or null.
 */
export type RegistryRecord = { readonly [name: string]: Json }

/** Most candidates an answer carries; `more` says that there were others. */
export const MAX_CANDIDATES = 20

/** What a registry says about one key. These are data; faults are thrown. `asOf`: the day the registry's entry is of. */
export type Answer =
  | { readonly kind: 'match'; readonly value: RegistryRecord; readonly asOf?: string }
  | { readonly kind: 'no_match' }
  | { readonly kind: 'several'; readonly candidates: readonly RegistryRecord[]; readonly more?: boolean }

export interface AskContext {
  /** The day asked about, `YYYY-MM-DD`. */
  readonly asOf: string
  /** Aborted when nobody waits for the answer any longer. */
  readonly signal: AbortSignal
}

/** Talks to one registry of one kind, once and without waiting longer than its signal: what surrounds it tries again. */
export interface Adapter {
  readonly kind: RegistryKind
  /** Most keys that one call takes. */
  readonly keysPerCall: number
  /**
   * Looks up to `keysPerCall` distinct keys up; every key has an answer. Throws `RegistryFault` when the registry does not
   * answer as it should; anything else thrown is a fault of our own.
   */
  lookUp(keys: readonly string[], context: AskContext): Promise<ReadonlyMap<string, Answer>>
}

/** `transient`: trying again may help. `configuration`: only an operator can help, and no call is made until then. */
export type FaultKind = 'transient' | 'configuration'

/** A registry that did not answer as it should. Holds no key, no address and no value: its code goes to logs and metrics. */
export class RegistryFault extends Error {
  override readonly name = 'RegistryFault'
  readonly kind: FaultKind
  /** Stable, lower case, e.g. `timeout`, `http_503`, `not_json`, `no_features`, `truncated`, `host_refused`. */
  readonly code: string
  /** How long the registry asked to be left alone. */
  readonly retryAfterMs: number | undefined

  constructor(kind: FaultKind, code: string, retryAfterMs?: number) {
    super(`The registry failed: ${code}.`)
    this.kind = kind
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** Where an answer comes from, kept with what was decided by it. */
export interface Provenance {
  /** The adapter and kind, e.g. `table`. */
  readonly registry: string
  readonly key: string
  /** The day the answer is about, or that the registry says its entry is of. */
  readonly asOf: string
  /** When the registry gave it, RFC 3339. */
  readonly fetchedAt: string
  readonly fromCache: boolean
  /** Hex sha-256 of the answer's canonical JSON. */
  readonly digest: string
}

/**
 * What the pipeline sees for one key. `stale`: the registry answered, but its entry is older than its configuration allows,
 * or it is away and only an outdated answer is left. `unavailable` is the only fault, and never an answer.
 */
export type LookUp =
  | { readonly kind: 'match'; readonly value: RegistryRecord; readonly provenance: Provenance }
  | { readonly kind: 'no_match'; readonly provenance: Provenance }
  | {
      readonly kind: 'several'
      readonly candidates: readonly RegistryRecord[]
      readonly more: boolean
      readonly provenance: Provenance
    }
  | { readonly kind: 'stale'; readonly value: RegistryRecord; readonly provenance: Provenance }
  | { readonly kind: 'unavailable'; readonly code: string }
