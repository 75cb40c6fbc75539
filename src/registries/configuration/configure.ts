import { isDeepStrictEqual } from 'node:util'
import type { Pool } from '../../db/pool.ts'
import { forgetFaults, insertSource, listSources, lockSources } from '../../db/registries/sources.ts'
import { withTransaction } from '../../db/transaction.ts'
import type { Json } from '../../model/json.ts'
import { REGISTRY_KINDS, type RegistryKind } from '../registry.ts'

/** What a file changes for one kind; `version` is the one that counts now, or would. */
export interface SourceChange {
  readonly kind: RegistryKind
  readonly change: 'new' | 'changed' | 'unchanged' | 'ended'
  readonly version: number
}

function changeOf(before: Json, after: Json): SourceChange['change'] {
  if (isDeepStrictEqual(before, after)) return 'unchanged'
  if (after === null) return 'ended'
  return before === null ? 'new' : 'changed'
}

/**
 * Makes checked settings the newest version of each kind they name, all of them or none, and tells what that changes. A
 * dry run writes nothing.
 */
export async function configureSources(
  pool: Pool,
  jurisdiction: string,
  registries: Partial<Readonly<Record<RegistryKind, Json>>>,
  dryRun: boolean
): Promise<readonly SourceChange[]> {
  return withTransaction(pool, async tx => {
    await lockSources(tx, jurisdiction)
    const known = new Map((await listSources(tx, jurisdiction)).map(row => [row.kind, row]))
    const changes: SourceChange[] = []
    for (const kind of REGISTRY_KINDS) {
      const after = registries[kind]
      if (after === undefined) continue
      const row = known.get(kind)
      const change = changeOf(row?.settings ?? null, after)
      const next = (row?.version ?? 0) + (change === 'unchanged' ? 0 : 1)
      if (!dryRun) {
        // Also for what stays: an operator who has mended the registry itself says so by this.
        await forgetFaults(tx, jurisdiction, kind)
        if (change !== 'unchanged') await insertSource(tx, jurisdiction, kind, after)
      }
      changes.push({ kind, change, version: next })
    }
    return changes
  })
}
