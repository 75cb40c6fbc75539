import type { Queryable } from '../db/pool.ts'
import { listFeeSchedules, listParcels, listRegistryKinds } from '../db/registries.ts'
import type { FeeBracket, LookUp, Parcel, Registry } from './registry.ts'

function group(rows: readonly Parcel[]): Map<string, Parcel[]> {
  const byId = new Map<string, Parcel[]>()
  for (const row of rows) {
    const known = byId.get(row.parcelId)
    if (known) known.push(row)
    else byId.set(row.parcelId, [row])
  }
  return byId
}

function answerOf(found: readonly Parcel[] | undefined): LookUp<Parcel> {
  const [first, ...others] = found ?? []
  if (!first) return { kind: 'no_match' }
  return others.length === 0 ? { kind: 'match', value: first } : { kind: 'several', candidates: [first, ...others] }
}

/**
 * The registry kept in our own tables, or undefined when the jurisdiction has loaded nothing. The database being away is
 * a fault of ours and is thrown, never an answer.
 */
export async function openTableRegistry(db: Queryable, jurisdiction: string): Promise<Registry | undefined> {
  const loaded = await listRegistryKinds(db, jurisdiction)
  const kinds = new Set((['parcel', 'feeSchedule'] as const).filter(kind => loaded[kind]))
  if (kinds.size === 0) return undefined
  return {
    name: 'table',
    kinds,
    // More than a chunk ever holds: its keys go in one statement.
    keysPerCall: 10_000,
    async parcels(ids, asOf) {
      const byId = group(await listParcels(db, jurisdiction, ids, asOf))
      return new Map(ids.map(id => [id, answerOf(byId.get(id))]))
    },
    async feeSchedules(asOf) {
      const rows = await listFeeSchedules(db, jurisdiction, asOf)
      return rows.map(row => ({ ...row, brackets: row.brackets as readonly FeeBracket[] }))
    }
  }
}

/** How long it is remembered which registries a jurisdiction has. */
const REMEMBER_MS = 5000

/** Opens registries, remembering for a moment what each jurisdiction has: nearly all have none. */
export function createRegistries(
  db: Queryable,
  now: () => number
): (jurisdiction: string) => Promise<Registry | undefined> {
  const known = new Map<string, { until: number; registry: Promise<Registry | undefined> }>()
  return jurisdiction => {
    const found = known.get(jurisdiction)
    if (found && found.until > now()) return found.registry
    const registry = openTableRegistry(db, jurisdiction)
    known.set(jurisdiction, { until: now() + REMEMBER_MS, registry })
    registry.catch(() => known.delete(jurisdiction))
    return registry
  }
}
