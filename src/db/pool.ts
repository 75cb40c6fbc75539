import pg from 'pg'

/** A connection pool, and what runs a statement: the pool itself, or one client inside a transaction. */
export type Pool = pg.Pool

/** Anything that runs a statement. Functions that must be inside a transaction take `Tx` instead. */
export interface Queryable {
  query<R extends pg.QueryResultRow = pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<R>>
}

/** A client with an open transaction; made by `withTransaction` only. */
export type Tx = pg.PoolClient & { readonly inTransaction: true }

export interface PoolOptions {
  readonly url: string
  readonly max: number
  readonly applicationName: string
  /** Called for errors of idle connections, which would otherwise end the process. */
  readonly onError: (error: Error) => void
}

// int8 and numeric come back as text from pg; counts and byte offsets of ours stay below 2^53.
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === 20) return (value: string) => Number(value)
    if (oid === 1082) return (value: string) => value
    return pg.types.getTypeParser(oid, format as 'text')
  }
}

/**
 * Opens a pool in which every wait ends: connecting, queueing for a connection, a statement, a lock and an idle
 * transaction each have a limit (a frozen server otherwise leaves callers hanging for ever).
 */
export function createPool(options: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: 10_000,
    query_timeout: 60_000,
    statement_timeout: 55_000,
    lock_timeout: 20_000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    types: types as never
  })
  pool.on('error', options.onError)
  return pool
}
