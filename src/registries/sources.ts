import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../db/pool.ts'
import type { BreakerRow } from '../db/registries/breakers.ts'
import { readRegistrySnapshot, type SourceRow } from '../db/registries/snapshot.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { BREAKER_LIMITS, type Breaker, type BreakerLimits, createBreaker } from './breaker/breaker.ts'
import { type Configured, openAdapter, readSecretOf } from './configuration/open-adapter.ts'
import type { ReadSecret } from './configuration/secrets.ts'
import { SourceSettings } from './configuration/settings.ts'
import { type Adapter, REGISTRY_KINDS, RegistryFault, type RegistryKind } from './registry.ts'
import { openTable } from './table-registry.ts'

/** How answers of a source are kept. */
export interface Keeping {
  /** Answers of another version of the configuration do not count. */
  readonly version: number
  readonly ttlSeconds: number
  readonly negativeTtlSeconds: number
  readonly staleSeconds: number
}

/** One registry of a jurisdiction, as it is configured. */
export interface Source {
  readonly jurisdiction: string
  readonly kind: RegistryKind
  /** What the adapter is called, e.g. `table` or `arcgis`. */
  readonly name: string
  readonly adapter: Adapter
  readonly breaker: Breaker
  /** The host that is asked, and how many calls it may have at once; undefined for tables of our own. */
  readonly remote?: { readonly host: string; readonly concurrency: number }
  /** Undefined: its answers are not kept, asking costs no more than that would. */
  readonly keeping?: Keeping
  /** Entries that the registry says are older are not relied on. */
  readonly maxAgeDays?: number
}

export type Sources = ReadonlyMap<RegistryKind, Source>

/** The registries a jurisdiction has; a kind that is not among them is not configured. Throws database errors. */
export type OpenSources = (jurisdiction: string) => Promise<Sources>

export interface SourceDeps {
  readonly db: Queryable
  readonly secrets: ReadSecret
  readonly logger: Logger
  /** Monotonic milliseconds. */
  readonly now: () => number
  readonly breakerLimits?: BreakerLimits
}

/** Stands for a registry that cannot be asked as it is configured: says so whenever it is. */
const brokenAdapter = (kind: RegistryKind): Adapter => ({
  kind,
  keysPerCall: Number.MAX_SAFE_INTEGER,
  lookUp: () => Promise.reject(new RegistryFault('configuration', 'settings_invalid'))
})

/** A source that was opened, and what it was opened from. */
interface Open {
  readonly source: Source
  readonly row: SourceRow | undefined
  readonly secret: string | undefined
}

type OpenByKind = Map<RegistryKind, Open>

interface Wanted {
  readonly jurisdiction: string
  readonly kind: RegistryKind
  /** Undefined: reference data was loaded and nothing configured. */
  readonly row: SourceRow | undefined
}

/** What was configured, without the breaker. Throws `CONFIG_INVALID` for what cannot work. */
function partsOf(deps: SourceDeps, configured: Configured, version: number, secret: string | undefined) {
  const { jurisdiction, kind, settings } = configured
  const opened = openAdapter(configured, secret)
  if (!opened) return { adapter: openTable(deps.db, jurisdiction, kind, deps.now) }
  const { ttlSeconds, negativeTtlSeconds, staleSeconds, concurrency } = settings
  const keeping = { version, ttlSeconds, negativeTtlSeconds, staleSeconds }
  return { adapter: opened.adapter, remote: { host: opened.host, concurrency }, keeping }
}

/** The same source as before while nothing of it has changed: it may hold connections and tokens. */
async function openOne(deps: SourceDeps, wanted: Wanted, known: Open | undefined): Promise<Open> {
  const { jurisdiction, kind, row } = wanted
  const breakerOf = (): Breaker =>
    known?.source.breaker ??
    createBreaker({ ...deps, limits: deps.breakerLimits ?? BREAKER_LIMITS }, jurisdiction, kind)
  const isKnown = (secret?: string): boolean =>
    known !== undefined && known.secret === secret && isDeepStrictEqual(known.row, row)
  const base = { jurisdiction, kind }
  if (row === undefined) {
    if (known && isKnown()) return known
    const adapter = openTable(deps.db, jurisdiction, kind, deps.now)
    return { source: { ...base, name: 'table', adapter, breaker: breakerOf() }, row, secret: undefined }
  }
  const parsed = SourceSettings.safeParse(row.settings)
  const broken = { ...base, name: 'invalid', adapter: brokenAdapter(kind) }
  if (!parsed.success) return { source: { ...broken, breaker: breakerOf() }, row, secret: undefined }
  const configured: Configured = { ...base, settings: parsed.data }
  try {
    const secret = await readSecretOf(configured, deps.secrets)
    if (known && isKnown(secret)) return known
    const { maxAgeDays, source } = parsed.data
    const aged = maxAgeDays === undefined ? {} : { maxAgeDays }
    const parts = partsOf(deps, configured, row.version, secret)
    return { source: { ...base, ...aged, ...parts, name: source.adapter, breaker: breakerOf() }, row, secret }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { source: { ...broken, breaker: breakerOf() }, row, secret: undefined }
  }
}

async function refresh(deps: SourceDeps, jurisdiction: string, known: OpenByKind): Promise<Sources> {
  const { loaded, sources, breakers } = await readRegistrySnapshot(deps.db, jurisdiction)
  const rows = new Map(sources.filter(row => row.settings !== null).map(row => [row.kind, row]))
  const states = new Map(breakers.map((row: BreakerRow) => [row.kind, row]))
  for (const kind of REGISTRY_KINDS) {
    const row = rows.get(kind)
    if (row === undefined && !loaded.includes(kind)) known.delete(kind)
    else {
      const open = await openOne(deps, { jurisdiction, kind, row }, known.get(kind))
      open.source.breaker.see(states.get(kind))
      known.set(kind, open)
    }
  }
  return new Map([...known].map(([kind, { source }]) => [kind, source]))
}

/** How long it is remembered what a jurisdiction has and which of its registries do not answer. */
const REMEMBER_MS = 1000

interface Remembered {
  readonly until: number
  readonly sources: Promise<Sources>
}

/** Opens registries, remembering for a moment what each jurisdiction has: nearly all have none. */
export function createSources(deps: SourceDeps): OpenSources {
  const opened = new Map<string, OpenByKind>()
  const known = new Map<string, Remembered>()
  return jurisdiction => {
    const found = known.get(jurisdiction)
    if (found && found.until > deps.now()) return found.sources
    const byKind = opened.get(jurisdiction) ?? new Map<RegistryKind, Open>()
    opened.set(jurisdiction, byKind)
    const sources = refresh(deps, jurisdiction, byKind)
    known.set(jurisdiction, { until: deps.now() + REMEMBER_MS, sources })
    sources.catch(() => known.delete(jurisdiction))
    return sources
  }
}
