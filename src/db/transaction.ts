import type { PoolClient } from 'pg'
import { AppError } from '../errors.ts'
import type { Pool, Tx } from './pool.ts'
import { toDatabaseError } from './sqlstate.ts'

/** A lost race is settled by the winner's commit: the next try sees it. More tries than racing workers are of no use. */
const MAX_TRIES = 5

/** SQLSTATE of a lock that was not to be had in time. */
export const LOCK_TIMEOUT = '55P03'

/**
 * Like `withTransaction`, and runs `work` again in a new transaction when it lost a race (`DATABASE_CONFLICT`), a few
 * times at most. `work` must do nothing but database work.
 */
export async function withRetriedTransaction<T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await withTransaction(pool, work)
    } catch (error) {
      // A lock that was waited for in vain was no race: whoever holds it is not likely to let go by the next try.
      const isLostRace =
        error instanceof AppError && error.code === 'DATABASE_CONFLICT' && error.details['sqlstate'] !== LOCK_TIMEOUT
      if (!isLostRace || tries === MAX_TRIES) throw error
    }
  }
}

/**
 * Runs `work` with one connection, given back afterwards; one that breaks meanwhile, or that `work` says is of no more
 * use, is closed. Failures of the driver come out as `AppError`s.
 */
export async function withClient<T>(
  pool: Pool,
  work: (client: PoolClient, close: (why: Error) => void) => Promise<T>
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw toDatabaseError(error)
  })
  let broken: Error | undefined
  // A checked-out client's connection error would otherwise be an uncaught 'error' event.
  const close = (why: Error): void => {
    broken = why
  }
  client.on('error', close)
  try {
    return await work(client, close)
  } finally {
    client.off('error', close)
    client.release(broken)
  }
}

/**
 * Runs `work` in one transaction on one connection: committed when it resolves, rolled back when it throws. The only
 * place that begins or ends a transaction. Driver errors come out as `AppError`s; a connection whose rollback fails is
 * closed, not reused. When the COMMIT's answer is lost the outcome is unknown: callers rely on their guards.
 */
export async function withTransaction<T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  return withClient(pool, async (client, close) => {
    try {
      await client.query('begin')
      const result = await work(client as unknown as Tx)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(close)
      throw toDatabaseError(error)
    }
  })
}
