import { AppError, type ErrorCode } from '../errors.ts'

/** Five digits and capitals; the system's own codes (`ECONNREFUSED`) are longer. */
const SQLSTATE = /^[0-9A-Z]{5}$/
const UNAVAILABLE = /^(?:08|28|3D|53|57P|58|25006|XX000)/
const CONFLICT = new Set(['40001', '40P01', '55P03', '57014'])
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  // This machine, or this process, has nothing left to make a connection of.
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'EADDRNOTAVAIL'
])
const CLIENT_SIDE =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|Cannot use a pool after calling end/

const stateOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** Two transactions brought the first version, or the head, of one natural key: the later one finds it on trying again. */
const isRacedVersion = (error: unknown): boolean =>
  stateOf(error) === '23505' &&
  error instanceof Error &&
  'constraint' in error &&
  (error.constraint === 'canonical_record_pkey' || error.constraint === 'canonical_head_pkey')

/**
 * The code of a database error: the server being away or overloaded (`DATABASE_UNAVAILABLE`), a lost race that a retry
 * settles (`DATABASE_CONFLICT`), a value it cannot hold (`VALUE_NOT_STORABLE`: class 22, or an index row too large).
 */
export function codeOfSqlState(error: unknown): ErrorCode {
  const state = stateOf(error)
  if (CONFLICT.has(state) || isRacedVersion(error)) return 'DATABASE_CONFLICT'
  if (UNAVAILABLE.test(state) || NETWORK.has(state)) return 'DATABASE_UNAVAILABLE'
  if (state.startsWith('22') || state === '54000') return 'VALUE_NOT_STORABLE'
  if (error instanceof Error && CLIENT_SIDE.test(error.message)) return 'DATABASE_UNAVAILABLE'
  return 'INTERNAL'
}

/** What is wrong with a server that does not serve, by the code the driver or the server gave, and what to do. */
const AWAY: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'Nothing answers at its address. Start Postgres, or correct host and port in DATABASE_URL.'],
  [/^ENOENT$/, 'Its socket is not there. Start Postgres, or correct the path in DATABASE_URL.'],
  [
    /^(?:ENOTFOUND|EAI_AGAIN)$/,
    'Its host has no address. Correct the host in DATABASE_URL, or the name service of this machine.'
  ],
  [
    /^(?:EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/,
    'Its host cannot be reached. Look at the network and firewalls between here and it.'
  ],
  [/^28/, 'It refused the user or the password. Correct them in DATABASE_URL, or the access rules of the server.'],
  [/^3D/, 'It has no database of that name. Create it, or correct the name in DATABASE_URL.'],
  [
    /^53300$/,
    'It has no connections left. Raise its max_connections, or lower DOCKET_POOL_MAX or the number of processes.'
  ],
  [/^53[12]/, 'It is out of disk space or memory. Free some; work goes on by itself.'],
  [/^25006$/, 'It is read-only, as a standby is. Point DATABASE_URL at the primary.'],
  [/^57P/, 'It is shutting down or starting. Work goes on by itself when it is up.']
]

function messageOf(code: ErrorCode, state: string): string {
  if (code !== 'DATABASE_UNAVAILABLE') {
    return state
      ? `The database refused a statement (${state}).`
      : 'A step of a transaction failed; nothing was written.'
  }
  const advice = AWAY.find(([pattern]) => pattern.test(state))?.[1]
  const fallback = 'The connection was lost or nothing came in time. Look at the server and its log, and the network.'
  return `The database is not available${state ? ` (${state})` : ''}. ${advice ?? fallback}`
}

/**
 * Wraps a driver error. The message says what is wrong with the server and what to do, or names the SQLSTATE of a refused
 * statement; never the server's own text, which may quote a value.
 */
export function toDatabaseError(error: unknown): AppError {
  if (error instanceof AppError) return error
  const state = stateOf(error)
  const code = codeOfSqlState(error)
  const details = SQLSTATE.test(state) ? { sqlstate: state } : {}
  return new AppError(code, messageOf(code, state), { details, cause: error })
}

/** Whether an error tells of a wait for a connection: nothing had been sent by then. */
export const isConnectionWait = ({ cause }: AppError): boolean =>
  cause instanceof Error && cause.message === 'timeout exceeded when trying to connect'

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
