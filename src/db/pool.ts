import type { EventEmitter } from 'node:events'
import {
  Pool as PgPool,
  type PoolClient,
  types as pgTypes,
  type QueryResult,
  type QueryResultRow,
  TypeOverrides
} from 'pg'

/** A connection pool, and what runs a statement: the pool itself, or one client inside a transaction. */
export type Pool = PgPool

/** A statement that is prepared once per connection under its name. */
export interface NamedStatement {
  readonly name: string
  readonly text: string
  readonly values: unknown[]
}

/** Anything that runs a statement. Functions that must be inside a transaction take `Tx` instead. */
export interface Queryable {
  query<R extends QueryResultRow = QueryResultRow>(
    statement: string | NamedStatement,
    values?: unknown[]
  ): Promise<QueryResult<R>>
}

/** A client with an open transaction; made by `withTransaction` only. */
export type Tx = Queryable & { readonly inTransaction: true }

/** When a connection is asked for a sign of life before it is given out, and how long it has for it. */
export interface SignTimes {
  readonly idleMs: number
  readonly answerMs: number
}

/** Under load no connection lies idle for a second, and none is asked. */
const SIGNS: SignTimes = { idleMs: 1000, answerMs: 5000 }

export interface PoolOptions {
  readonly url: string
  readonly max: number
  readonly applicationName: string
  /** How long a statement waits for a lock. */
  readonly lockTimeoutMs?: number
  /** How long a caller waits for a connection. */
  readonly waitMs?: number
  /** Other times only in tests. */
  readonly signs?: SignTimes
  /** Called for errors of idle connections, which would otherwise end the process. */
  readonly onError: (error: Error) => void
}

// int8 comes back as text from pg; counts and byte offsets of ours stay below 2^53. A date stays the text it is.
const types = new TypeOverrides()
types.setTypeParser(pgTypes.builtins.INT8, Number)
types.setTypeParser(pgTypes.builtins.DATE, (value: string) => value)

const WAITED = 'docket:waited'

type Taken = Parameters<PgPool['connect']>[0]

/**
 * Asks a connection that has lain idle for a sign of life before it is given out: its other end may have gone without a
 * word, and whoever got it would wait for as long as a statement may take. One that gives none is closed.
 */
function askIdle(pool: PgPool, { idleMs, answerMs }: SignTimes): void {
  const releasedAt = new WeakMap<object, number>()
  pool.on('release', (_error, client) => releasedAt.set(client, performance.now()))
  const connect = pool.connect.bind(pool) as (taken?: Taken) => Promise<PoolClient> | undefined
  const isDoubtful = (client: PoolClient): boolean =>
    performance.now() - (releasedAt.get(client) ?? performance.now()) > idleMs
  const ask = (client: PoolClient, done: (fault?: Error) => void): void => {
    const ignore = (): void => undefined
    // One that breaks while it is asked says so twice, the second time to nobody.
    client.on('error', ignore)
    const question = { text: 'select 1', query_timeout: answerMs }
    client.query(question, fault => {
      if (fault) client.release(fault)
      else client.off('error', ignore)
      done(fault)
    })
  }
  const asking = (taken?: Taken) => {
    if (taken) {
      return connect((error, client, release) => {
        if (error || !client || !isDoubtful(client)) return taken(error, client, release)
        ask(client, fault => (fault ? taken(fault, undefined, () => undefined) : taken(undefined, client, release)))
      })
    }
    return connect()?.then(client => {
      if (!isDoubtful(client)) return client
      return new Promise<PoolClient>((resolve, reject) => {
        ask(client, fault => (fault ? reject(fault) : resolve(client)))
      })
    })
  }
  pool.connect = asking as PgPool['connect']
}

/** Tells how long each caller waited for a connection, the opening of one included. */
function timeWaits(pool: PgPool): void {
  const connect = pool.connect.bind(pool) as (taken?: Taken) => Promise<PoolClient> | undefined
  const emitter: EventEmitter = pool
  const timed = (taken?: Taken) => {
    const begun = performance.now()
    const tell = (): void => void emitter.emit(WAITED, (performance.now() - begun) / 1000)
    if (!taken) return connect()?.finally(tell)
    return connect((error, client, release) => {
      tell()
      taken(error, client, release)
    })
  }
  pool.connect = timed as PgPool['connect']
}

/** Calls `listen` with the seconds that each caller of this pool waited for its connection. */
export function onPoolWait(pool: Pool, listen: (seconds: number) => void): void {
  const emitter: EventEmitter = pool
  emitter.on(WAITED, listen)
}

/** Whether all connections of a pool are in use: whoever waits then waits for others, not for the server. */
export const isInUse = (pool: Pool): boolean => pool.idleCount === 0 && pool.totalCount >= pool.options.max

/** Tells those who listen on this pool that a caller of another one of the process waited: a thread has its own. */
export function tellPoolWait(pool: Pool, seconds: number): void {
  const emitter: EventEmitter = pool
  emitter.emit(WAITED, seconds)
}

/**
 * Opens a pool in which every wait ends: connecting, queueing for a connection, a statement, a lock and an idle
 * transaction each have a limit (a frozen server otherwise leaves callers hanging for ever). A connection that lay idle is
 * asked for a sign of life first.
 */
export function createPool(options: PoolOptions): Pool {
  const pool = new PgPool({
    connectionString: options.url,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: options.waitMs ?? 10_000,
    query_timeout: 60_000,
    statement_timeout: 55_000,
    lock_timeout: options.lockTimeoutMs ?? 20_000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    types
  })
  pool.on('error', options.onError)
  askIdle(pool, options.signs ?? SIGNS)
  timeWaits(pool)
  return pool
}
