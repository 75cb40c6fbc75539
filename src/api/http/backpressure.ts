import { toDatabaseError } from '../../db/sqlstate.ts'
import { AppError } from '../../errors.ts'
import { queueDepths } from '../../queue/live-jobs.ts'
import type { ApiDeps } from '../deps.ts'

/** How long an answer about the queue's age is used again. */
const CACHE_MS = 2000

const UNTIMELY = new Set(['dead', 'ocr', 'reread'])

/** Longest wait asked for, in seconds: a queue that is far behind is asked about again now and then. */
const MAX_RETRY_SECONDS = 300

/**
 * Answers a check that throws `QUEUE_FULL` while the oldest job has waited longer than allowed, with a Retry-After of the
 * time by which it is late, and `DATABASE_UNAVAILABLE` when the queue cannot be asked.
 */
export function createBackpressure(deps: Pick<ApiDeps, 'pool' | 'nowMs' | 'queueAgeSeconds'>): () => Promise<void> {
  let until = Number.NEGATIVE_INFINITY
  let oldest: Promise<number> = Promise.resolve(0)
  const ask = async (): Promise<number> => {
    const depths = await queueDepths(deps.pool).catch((error: unknown) => {
      until = Number.NEGATIVE_INFINITY
      throw toDatabaseError(error)
    })
    // Maintenance work waits for whatever else there is, dead letters for their sweep, and scans for slots of their own
    // that take minutes a document: none of them is a sign of lateness.
    const timely = depths.filter(depth => !UNTIMELY.has(depth.queue) && depth.lane !== 'maintenance')
    return Math.max(0, ...timely.map(depth => depth.oldestSeconds))
  }
  return async () => {
    if (deps.nowMs() >= until) {
      until = deps.nowMs() + CACHE_MS
      oldest = ask()
    }
    const seconds = await oldest
    if (seconds <= deps.queueAgeSeconds) return
    const late = Math.ceil(seconds - deps.queueAgeSeconds)
    throw new AppError('QUEUE_FULL', 'More is waiting than can be worked in time. Send the batch again later.', {
      details: { retry_after_seconds: Math.min(MAX_RETRY_SECONDS, Math.max(1, late)) }
    })
  }
}
