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

const INFRASTRUCTURE = new Set<ErrorCode>(['DATABASE_UNAVAILABLE', 'DATABASE_CONFLICT', 'STORE_UNAVAILABLE'])

/** What a system answers that is out of room, handles or memory, or whose disk fails (errno names of POSIX). */
const MACHINE = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM', 'EROFS', 'ESTALE', 'EAGAIN'])

/**
 * True for faults of our own infrastructure, which never count against a record: our codes for them, and what drivers and
 * the system throw before anybody has given it a code of ours.
 */
export function isInfrastructureFault(error: unknown): boolean {
  if (error instanceof AppError) return INFRASTRUCTURE.has(error.code)
  const state = stateOf(error)
  // A file that is not there is a fault of the work; a socket that is not there is a database away.
  if (state === 'ENOENT') return error instanceof Error && 'syscall' in error && error.syscall === 'connect'
  return MACHINE.has(state) || INFRASTRUCTURE.has(codeOfSqlState(error))
}
