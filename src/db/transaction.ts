import type { Pool, Tx } from './pool.ts'
import { toDatabaseError } from './sqlstate.ts'

/**
 * Runs `work` in one transaction on one connection: committed when it resolves, rolled back when it throws. The only
 * place that begins or ends a transaction. Driver errors come out as `AppError`s; a connection whose rollback fails is
 * closed, not reused. When the COMMIT's answer is lost the outcome is unknown: callers rely on their guards.
 */
export async function withTransaction<T>(pool: Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw toDatabaseError(error)
  })
  let broken: Error | undefined
  // A checked-out client's connection error would otherwise be an uncaught 'error' event.
  const onError = (error: Error): void => {
    broken = error
  }
  client.on('error', onError)
  try {
    await client.query('begin')
    const result = await work(client as unknown as Tx)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw toDatabaseError(error)
  } finally {
    client.off('error', onError)
    client.release(broken)
  }
}
