import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface Postmaster {
  readonly pid: number
  readonly port: number
  /** It takes connections; pg_ctl waits for the same word. */
  readonly isReady: boolean
}

/** What the server that runs on `folder` wrote about itself: pid on line 1, port on line 4, its state on line 8. */
export async function readPostmaster(folder: string): Promise<Postmaster | undefined> {
  const text = await readFile(postmasterPath(folder), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' }
}

/** Postgres keeps this file as long as it runs. */
export const postmasterPath = (folder: string): string => join(folder, 'postmaster.pid')
