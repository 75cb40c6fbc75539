import { crashPoint } from '../crash-points.ts'
import { selectResultUris } from '../db/documents/extractions.ts'
import { selectKnownFiles } from '../db/files.ts'
import type { Pool } from '../db/pool.ts'
import { deleteExpiredSubmissionKeys } from '../db/submission-keys.ts'
import type { Logger } from '../logger.ts'
import type { PayloadStore } from '../storage/payload-store.ts'

export interface SweepDeps {
  readonly pool: Pool
  readonly store: PayloadStore
  readonly logger: Logger
  readonly now: () => Date
}

export interface Swept {
  readonly spools: number
  readonly payloads: number
  readonly keys: number
}

/** Nothing younger is touched: an upload may run for hours. */
const AGE_MS = 24 * 3600 * 1000

/** Payloads looked up in one statement. */
const LOOK_UP = 500

async function sweepPayloads(deps: SweepDeps, before: Date): Promise<number> {
  let removed = 0
  let group: { uri: string; id: string; isUnpacked: boolean }[] = []
  let jurisdiction = ''
  const settle = async (): Promise<void> => {
    const known = await selectKnownFiles(
      deps.pool,
      jurisdiction,
      group.map(({ id }) => id)
    )
    const uris = group.map(({ uri }) => uri)
    const results = await selectResultUris(deps.pool, jurisdiction, uris)
    for (const { uri, id, isUnpacked } of group) {
      if (results.has(uri)) continue
      // A payload stays as long as its file; what was unpacked, only when splitting came to use it.
      if (isUnpacked ? known.get(id) === uri : known.has(id)) continue
      await deps.store.remove(uri)
      crashPoint('sweep.payload-removed')
      removed += 1
    }
    group = []
  }
  for await (const { uri, key } of deps.store.listPayloads(before)) {
    const [owner = '', name = ''] = key.split('/')
    const [id = '', form] = name.split('.')
    if (group.length >= LOOK_UP || owner !== jurisdiction) await settle()
    jurisdiction = owner
    group.push({ uri, id, isUnpacked: form !== undefined })
  }
  await settle()
  return removed
}

/**
 * Removes what crashes left behind: spools, payloads without a file row, unpacked contents that no file names and results
 * of reading that no row names, all older than a day, and keys whose window is over. Safe at any time and in any number of processes.
 */
export async function sweepSpool(deps: SweepDeps): Promise<Swept> {
  const before = new Date(deps.now().getTime() - AGE_MS)
  const spools = await deps.store.listSpool(before)
  for (const name of spools) {
    await deps.store.discard(name)
    crashPoint('sweep.spool-removed')
  }
  const payloads = await sweepPayloads(deps, before)
  const keys = await deleteExpiredSubmissionKeys(deps.pool)
  if (spools.length + payloads > 0) {
    deps.logger.warn({ files: spools.length + payloads }, 'removed files that belong to no batch')
  }
  return { spools: spools.length, payloads, keys }
}
