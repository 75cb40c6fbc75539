import type { Queryable } from '../db/pool.ts'
import { listLoadedKinds } from '../db/registries/tables.ts'
import { type Adapter, REGISTRY_KINDS, type RegistryKind } from './registry.ts'
import { openTable } from './table-registry.ts'

/** One registry of a jurisdiction, as it is configured. */
export interface Source {
  readonly jurisdiction: string
  readonly kind: RegistryKind
  /** What the adapter is called, e.g. `table`. */
  readonly name: string
  readonly adapter: Adapter
}

export type Sources = ReadonlyMap<RegistryKind, Source>

/** The registries a jurisdiction has; a kind that is not among them is not configured. Throws database errors. */
export type OpenSources = (jurisdiction: string) => Promise<Sources>

async function openTables(db: Queryable, jurisdiction: string): Promise<Sources> {
  const loaded = await listLoadedKinds(db, jurisdiction)
  return new Map(
    REGISTRY_KINDS.filter(kind => loaded[kind]).map(kind => [
      kind,
      { jurisdiction, kind, name: 'table', adapter: openTable(db, jurisdiction, kind) }
    ])
  )
}

/** How long it is remembered which registries a jurisdiction has. */
const REMEMBER_MS = 5000

/** Opens registries, remembering for a moment what each jurisdiction has: nearly all have none. */
export function createSources(db: Queryable, now: () => number): OpenSources {
  const known = new Map<string, { until: number; sources: Promise<Sources> }>()
  return jurisdiction => {
    const found = known.get(jurisdiction)
    if (found && found.until > now()) return found.sources
    const sources = openTables(db, jurisdiction)
    known.set(jurisdiction, { until: now() + REMEMBER_MS, sources })
    sources.catch(() => known.delete(jurisdiction))
    return sources
  }
}
