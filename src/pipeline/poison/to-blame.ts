import type { Pool } from '../../db/pool.ts'
import { countEndedWorkers } from '../../db/workers/signs-of-life.ts'

/** Nothing is tried more often than this without an end; its job has not many tries more. */
export const MOST_LAUNCHES = 8

/** So many times the workers that it may have ended itself must have ended, for them to be dying of something else. */
const STORM = 6

/** Workers that ended since so long are counted: longer than all tries of one chunk take where nothing else ends workers. */
const WITHIN_SECONDS = 600

/**
 * Whether what was started so often without an end, more than `limit` times, is why its workers ended. It is not where
 * far more of them ended meanwhile than it was in: machines that are taken away, or a database that ends, would else have
 * sound records held. There it is tried again, up to `MOST_LAUNCHES` times.
 */
export async function isToBlame(pool: Pool, launches: number, limit: number): Promise<boolean> {
  if (launches <= limit) return false
  if (launches > MOST_LAUNCHES) return true
  return (await countEndedWorkers(pool, WITHIN_SECONDS)) <= STORM * (launches - 1)
}
