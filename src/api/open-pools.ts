import { createPool, type Pool } from '../db/pool.ts'
import { errorFields, type Logger } from '../logger.ts'

/**
 * The connections of an API process by what they are for. Taking submissions has its own, which nobody who waits for a
 * lock can use up; so have the decisions of clerks, which are the ones that wait.
 */
export interface Pools {
  readonly intake: Pool
  readonly review: Pool
  /** Everything that reads. */
  readonly reads: Pool
}

/** Whoever waits longer for a connection is told to come again: well within the ten seconds a request may take to say so. */
const WAIT_MS = 8000
/** A decision that has to wait longer than this is told to come again. */
const REVIEW_WAIT_MS = 5000

/** Divides so many connections; each kind has one at least. */
function sharesOf(max: number): Readonly<Record<keyof Pools, number>> {
  const intake = Math.max(1, Math.floor(max / 2))
  const review = Math.max(1, Math.floor(max / 5))
  return { intake, review, reads: Math.max(1, max - intake - review) }
}

/** Opens all pools of an API process, with `max` connections together. */
export function openPools(url: string, max: number, logger: Logger): Pools {
  const shares = sharesOf(max)
  const open = (kind: keyof Pools, limits: { readonly lockTimeoutMs?: number; readonly waitMs?: number } = {}): Pool =>
    createPool({
      url,
      max: shares[kind],
      waitMs: WAIT_MS,
      applicationName: `docket-api-${kind}`,
      onError: error => logger.warn(errorFields(error), 'idle connection lost'),
      ...limits
    })
  return {
    intake: open('intake'),
    review: open('review', { lockTimeoutMs: REVIEW_WAIT_MS, waitMs: REVIEW_WAIT_MS }),
    reads: open('reads')
  }
}

/** Ends all of them. */
export const endPools = (pools: Pools): Promise<void>[] => Object.values(pools).map((pool: Pool) => pool.end())
