import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from '../../db/pool.ts'
import { forgetWorkers, lastSigns } from '../../db/workers/signs-of-life.ts'
import type { Logger } from '../../logger.ts'

export interface WorkSweepDeps {
  readonly pool: Pool
  readonly logger: Logger
  /** Where every worker has a folder of its own, named by its id; several machines may share it. */
  readonly workFolder: string
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** A worker gives a sign every few seconds; one that has given none for so long has died, or does nothing. */
const SILENT_SECONDS = 600

/** A folder nobody is listed for may belong to a worker of an earlier version. */
const UNLISTED_MS = 24 * 3600 * 1000

/** A worker's folder on a disk of its own is only removed there: its entry is kept until that may have happened. */
const LISTED_DAYS = 30

const WORKER_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

async function workerFolders(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return entries.filter(entry => entry.isDirectory() && WORKER_ID.test(entry.name)).map(entry => entry.name)
}

async function lastChange(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined)
  return found?.mtimeMs ?? Number.POSITIVE_INFINITY
}

/** Folders whose workers look dead, each with the sign they were last known by; nothing that lives is among them for long. */
async function deadFolders(deps: WorkSweepDeps): Promise<Map<string, string>> {
  const ids = await workerFolders(deps.workFolder)
  const signs = new Map((await lastSigns(deps.pool, ids, SILENT_SECONDS)).map(sign => [sign.id, sign]))
  const dead = new Map<string, string>()
  for (const id of ids) {
    const sign = signs.get(id)
    if (sign?.isSilent) dead.set(id, sign.seenAt)
    if (sign) continue
    const changed = await lastChange(join(deps.workFolder, id))
    if (deps.now() - changed > UNLISTED_MS) dead.set(id, String(changed))
  }
  return dead
}

/**
 * Makes the sweep of what workers left that were killed: copies of documents and other files of their own. A folder goes
 * when two runs in a row found its worker silent since the same moment: after a time in which nobody could reach the
 * database, those who live have given a sign by the second run. Safe in any number of processes and machines.
 */
export function createWorkSweep(deps: WorkSweepDeps): () => Promise<number> {
  let before = new Map<string, string>()
  return async () => {
    const dead = await deadFolders(deps)
    const gone = [...dead].filter(([id, sign]) => before.get(id) === sign).map(([id]) => id)
    before = dead
    for (const id of gone) await rm(join(deps.workFolder, id), { recursive: true, force: true })
    if (gone.length > 0) deps.logger.warn({ count: gone.length }, 'removed what killed workers left behind')
    await forgetWorkers(deps.pool, LISTED_DAYS)
    return gone.length
  }
}
