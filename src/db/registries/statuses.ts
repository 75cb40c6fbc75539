import type { Json } from '../../model/json.ts'
import type { Queryable } from '../pool.ts'

/** One registry and how it fares, for an operator. */
export interface StatusRow {
  readonly jurisdiction: string
  readonly kind: string
  /** As configured; null: tables that were loaded. */
  readonly settings: Json
  readonly version: number | null
  readonly state: 'closed' | 'open'
  readonly failures: number
  readonly code: string | null
  readonly openedAt: Date | null
  readonly retryAt: Date | null
  /** The code of what an operator has to mend; null when there is nothing. */
  readonly alert: string | null
  readonly alertSince: Date | null
  readonly cached: number
}

/** All configured registries and those that do not answer, of one jurisdiction or (null) of all. */
export async function listRegistryStatuses(db: Queryable, jurisdiction: string | null): Promise<StatusRow[]> {
  const { rows } = await db.query<StatusRow>(
    `with source as (
       select distinct on (jurisdiction, kind) jurisdiction, kind, version, settings from registry_source
       where $1::text is null or jurisdiction = $1 order by jurisdiction, kind, version desc
     ), known as (
       select jurisdiction, kind from source where settings is not null
       union select jurisdiction, kind from registry_breaker where $1::text is null or jurisdiction = $1
     )
     select k.jurisdiction, k.kind, s.settings, s.version, coalesce(b.state, 'closed') as state,
       coalesce(b.failures, 0) as failures, b.code, b.opened_at as "openedAt", b.retry_at as "retryAt",
       a.code as alert, a.raised_at as "alertSince",
       (select count(*)::int from registry_cache c where c.jurisdiction = k.jurisdiction and c.kind = k.kind
         and c.version = s.version and c.answer is not null) as cached
     from known k left join source s using (jurisdiction, kind) left join registry_breaker b using (jurisdiction, kind)
       left join registry_alert a on a.jurisdiction = k.jurisdiction and a.kind = k.kind and a.ended_at is null
     order by k.jurisdiction, k.kind`,
    [jurisdiction]
  )
  return rows
}

/** A registry whose last call was not answered. */
export interface FailingRow {
  readonly jurisdiction: string
  readonly kind: string
  readonly isOpen: boolean
  readonly failures: number
  /** Whether an operator has to mend it. */
  readonly needsOperator: boolean
}

/** Registries that fail at present, at most `most` of them. */
export async function listFailingRegistries(db: Queryable, most: number): Promise<FailingRow[]> {
  const { rows } = await db.query<FailingRow>(
    `select b.jurisdiction, b.kind, b.state = 'open' as "isOpen", b.failures, a.id is not null as "needsOperator"
     from registry_breaker b left join registry_alert a
       on a.jurisdiction = b.jurisdiction and a.kind = b.kind and a.ended_at is null
     order by 1, 2 limit $1`,
    [most]
  )
  return rows
}
