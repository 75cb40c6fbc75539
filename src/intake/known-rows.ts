import { ensureJurisdiction } from '../db/batches.ts'
import { ensureManifest } from '../db/manifests.ts'
import type { Pool, Tx } from '../db/pool.ts'

/** Rows that are never changed or deleted once they are committed, and so need not be asked for again. */
interface KnownRows {
  readonly jurisdictions: Set<string>
  readonly manifests: Map<string, number>
}

const knownIn = new WeakMap<Pool, KnownRows>()

function knownRows(pool: Pool): KnownRows {
  const known = knownIn.get(pool) ?? { jurisdictions: new Set(), manifests: new Map() }
  knownIn.set(pool, known)
  return known
}

export interface Named {
  readonly jurisdiction: string
  readonly manifestVersion: string
  readonly profile: string
}

/** Makes sure that the jurisdiction and the manifest exist, within the transaction; answers the manifest's number. */
export async function ensureNamed(tx: Tx, pool: Pool, named: Named): Promise<number> {
  const known = knownRows(pool)
  if (!known.jurisdictions.has(named.jurisdiction)) await ensureJurisdiction(tx, named.jurisdiction)
  return known.manifests.get(named.manifestVersion) ?? ensureManifest(tx, named.manifestVersion, named.profile)
}

/** Remembers them; only once the transaction that ensured them is committed. */
export function rememberNamed(pool: Pool, named: Named, manifest: number): void {
  const known = knownRows(pool)
  known.jurisdictions.add(named.jurisdiction)
  known.manifests.set(named.manifestVersion, manifest)
}
