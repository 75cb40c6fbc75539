import { statfs } from 'node:fs/promises'

export interface DiskUse {
  /** Share of the disk in use, 0–1, as `df` tells it: what only root may use is left out. */
  readonly used: number
  readonly freeBytes: number
  /** Share of the disk's entries in use; 0 where it has no such limit. */
  readonly usedEntries: number
}

/** How full the disk of a folder is; undefined when it cannot be asked. */
export async function diskUse(folder: string): Promise<DiskUse | undefined> {
  const disk = await statfs(folder).catch(() => undefined)
  if (!disk) return undefined
  const taken = disk.blocks - disk.bfree
  const all = taken + disk.bavail
  return {
    used: all > 0 ? taken / all : 0,
    freeBytes: disk.bavail * disk.bsize,
    usedEntries: disk.files > 0 ? (disk.files - disk.ffree) / disk.files : 0
  }
}
