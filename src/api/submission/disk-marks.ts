import type { DiskConfig } from '../../config/disk.ts'
import { AppError } from '../../errors.ts'
import type { Logger } from '../../logger.ts'
import { diskUse } from '../../storage/disk-use.ts'

/** How long an answer about the disk is used again. */
const CACHE_MS = 2000

const RETRY_SECONDS = 60

export interface DiskMarks {
  /** Throws `STORE_FULL` from the high mark on, until the disk is below the low one again. */
  admit(): Promise<void>
  /** The fuller disk's share in use, 0–1, and whether submissions are refused for it. */
  look(): Promise<{ readonly used: number; readonly isStopped: boolean }>
}

export interface DiskMarkOptions extends DiskConfig {
  /** Monotonic milliseconds. */
  readonly nowMs: () => number
  readonly logger: Logger
  /** The share in use of the fullest disk that a submission needs. */
  readonly used: () => Promise<number>
}

/** The fullest of these folders' disks; one that cannot be asked does not count: that it is away is told by who writes. */
export async function fullestOf(folders: readonly string[]): Promise<number> {
  const uses = await Promise.all(folders.map(diskUse))
  return Math.max(0, ...uses.map(use => Math.max(use?.used ?? 0, use?.usedEntries ?? 0)))
}

/**
 * Stops admission while the disk is nearly full: what was taken can then still be worked and written to the database. The
 * two marks lie apart, so that admission does not flicker at one of them.
 */
export function createDiskMarks({ high, low, nowMs, logger, used }: DiskMarkOptions): DiskMarks {
  let until = Number.NEGATIVE_INFINITY
  let share: Promise<number> = Promise.resolve(0)
  let isStopped = false
  const look = async (): Promise<{ used: number; isStopped: boolean }> => {
    if (nowMs() >= until) {
      until = nowMs() + CACHE_MS
      share = used()
    }
    const now = await share
    const before = isStopped
    if (now >= high && high < 1) isStopped = true
    else if (now < low) isStopped = false
    if (isStopped && !before) logger.error({ code: 'STORE_FULL' }, 'the disk is nearly full: no submissions are taken')
    if (!isStopped && before) logger.warn({ code: 'STORE_FULL' }, 'the disk has room again: submissions are taken')
    return { used: now, isStopped }
  }
  return {
    look,
    async admit() {
      if (!(await look()).isStopped) return
      throw new AppError('STORE_FULL', 'There is no room for more at present. Send the batch again later.', {
        details: { retry_after_seconds: RETRY_SECONDS }
      })
    }
  }
}
