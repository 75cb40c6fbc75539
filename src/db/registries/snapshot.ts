import type { Json } from '../../model/json.ts'
import type { Queryable } from '../pool.ts'
import { BREAKER_ROW, type BreakerRow } from './breakers.ts'

export interface SourceRow {
  readonly kind: string
  readonly version: number
  /** As configured; null when the kind has none any more. */
  readonly settings: Json
}

/** Everything there is to know about the registries of a jurisdiction before they are asked. */
export interface RegistrySnapshot {
  /** Kinds with reference data of our own. */
  readonly loaded: readonly string[]
  readonly sources: readonly SourceRow[]
  readonly breakers: readonly BreakerRow[]
}

const TABLES = {
  parcel: 'registry_parcel',
  zoning: 'registry_zoning',
  property: 'registry_property',
  feeSchedule: 'registry_fee_schedule'
}

const loaded = Object.entries(TABLES)
  .map(([kind, table]) => `case when exists (select 1 from ${table} where jurisdiction = $1) then '${kind}' end`)
  .join(', ')

/** Reads it in one statement: it is asked for every second in which a jurisdiction has work. */
export async function readRegistrySnapshot(db: Queryable, jurisdiction: string): Promise<RegistrySnapshot> {
  const { rows } = await db.query<RegistrySnapshot>({
    name: 'registry-snapshot',
    text: `select array_remove(array[${loaded}], null) as loaded,
        coalesce((select jsonb_agg(s) from (select distinct on (kind) kind, version, settings from registry_source
          where jurisdiction = $1 order by kind, version desc) s), '[]') as sources,
        coalesce((select jsonb_agg(r) from (select ${BREAKER_ROW} from registry_breaker b
          where b.jurisdiction = $1) r), '[]') as breakers`,
    values: [jurisdiction]
  })
  return rows[0] ?? { loaded: [], sources: [], breakers: [] }
}
