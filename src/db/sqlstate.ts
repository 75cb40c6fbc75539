import { AppError, type ErrorCode } from '../errors.ts'

const UNAVAILABLE = /^(?:08|53|57P|58|25006|XX000)/
const CONFLICT = new Set(['40001', '40P01', '55P03', '57014'])
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'ENOENT'])
const CLIENT_SIDE =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end/

const stateOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/**
 * The code of a database error: the server being away or overloaded (`DATABASE_UNAVAILABLE`), a lost race that a retry
 * settles (`DATABASE_CONFLICT`), a value it cannot hold (`VALUE_NOT_STORABLE`: class 22, or an index row too large).
 */
export function codeOfSqlState(error: unknown): ErrorCode {
  const state = stateOf(error)
  if (CONFLICT.has(state)) return 'DATABASE_CONFLICT'
  if (UNAVAILABLE.test(state) || NETWORK.has(state)) return 'DATABASE_UNAVAILABLE'
  if (state.startsWith('22') || state === '54000') return 'VALUE_NOT_STORABLE'
  if (error instanceof Error && CLIENT_SIDE.test(error.message)) return 'DATABASE_UNAVAILABLE'
  return 'INTERNAL'
}

/** Wraps a driver error: the message names the SQLSTATE only, since the server's own text may quote a value. */
export function toDatabaseError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const state = stateOf(error)
  const code = codeOfSqlState(error)
  return new AppError(code, `The database refused a statement (${state || 'no SQLSTATE'}).`, {
    details: state ? { sqlstate: state } : {},
    cause: error
  })
}

/** True for faults of our own infrastructure, which never count against a record. */
export const isInfrastructureFault = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.code === 'DATABASE_UNAVAILABLE' || error.code === 'DATABASE_CONFLICT' || error.code === 'STORE_UNAVAILABLE')
