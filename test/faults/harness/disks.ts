import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Whether file systems can be mounted here: only root may. */
export const mayMount = (): boolean => process.platform === 'linux' && process.getuid?.() === 0

export interface Disk {
  readonly folder: string
  /** Takes all space that is left but `spare` bytes. */
  fill(spare: number): void
  /** Gives it back. */
  free(): void
  unmount(): void
}

const FILLER = '.filler'
const PIECE = 1024 * 1024

/** A disk in memory of so many MB. */
export function smallDisk(folder: string, megabytes: number): Disk {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0711`, 'tmpfs', folder])
  let pieces = 0
  return {
    folder,
    fill(spare) {
      const fits = (size: number): boolean => {
        const { bavail, bsize } = statfsSync(folder)
        return bavail * bsize - spare >= size
      }
      for (const size of [PIECE, 4096]) {
        for (; fits(size); pieces += 1) writeFileSync(join(folder, `${FILLER}-${pieces}`), Buffer.alloc(size))
      }
    },
    free() {
      for (; pieces > 0; pieces -= 1) rmSync(join(folder, `${FILLER}-${pieces - 1}`), { force: true })
    },
    unmount() {
      execFileSync('umount', ['-l', folder])
    }
  }
}
