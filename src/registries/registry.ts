/** What a registry answers for one key. Only `unavailable` is a fault; the others are data. */
export type LookUp<T> =
  | { readonly kind: 'match'; readonly value: T }
  | { readonly kind: 'no_match' }
  | { readonly kind: 'several'; readonly candidates: readonly T[] }
  | { readonly kind: 'unavailable' }

export interface Parcel {
  readonly parcelId: string
  readonly zoningCode: string | null
  readonly siteAddress: string | null
}

/** One line of a fee table: valuations above `over` up to and including `upTo`. All amounts are decimal strings. */
export interface FeeBracket {
  readonly over: string
  /** Null: without end. */
  readonly upTo: string | null
  readonly base: string
  /** Charged for every `unit` or fraction of one above `over`. */
  readonly rate: string
  readonly unit: string
}

export interface FeeSchedule {
  readonly id: string
  /** Null: for every type of permit without a schedule of its own. */
  readonly permitTypeCode: string | null
  readonly brackets: readonly FeeBracket[]
}

/** The registries of one jurisdiction; a kind without any data is not configured and is not asked. */
export interface Registry {
  readonly name: string
  readonly kinds: ReadonlySet<'parcel' | 'feeSchedule'>
  /** Most keys that one call takes. */
  readonly keysPerCall: number
  /** Looks up to `keysPerCall` parcels up. `asOf` is `YYYY-MM-DD`. The signal says that nobody waits any longer. */
  parcels(ids: readonly string[], asOf: string, signal: AbortSignal): Promise<ReadonlyMap<string, LookUp<Parcel>>>
  /** Schedules in force on a day. */
  feeSchedules(asOf: string, signal: AbortSignal): Promise<readonly FeeSchedule[]>
}
