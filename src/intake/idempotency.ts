import type { Pool, Queryable } from '../db/pool.ts'
import { toDatabaseError } from '../db/sqlstate.ts'
import {
  getSubmissionKey,
  type KeyName,
  releaseSubmissionKey,
  renewSubmissionKey,
  reserveSubmissionKey,
  type SubmissionKey
} from '../db/submission-keys.ts'
import { AppError } from '../errors.ts'
import type { NewId } from '../model/ids.ts'

/** A key this request holds while it runs. */
export interface Reservation {
  readonly name: KeyName
  readonly owner: string
  /** Gives the key up unless it was answered. */
  release(): Promise<void>
}

export interface ReservationDeps {
  readonly pool: Pool
  readonly newId: NewId
  readonly leaseSeconds: number
}

/** `held`: this request runs under the key. `answered`: an earlier one did, and its content has to be compared. */
export type Reserved =
  | { readonly kind: 'held'; readonly reservation: Reservation }
  | { readonly kind: 'answered'; readonly earlier: SubmissionKey }

/** Any key of 1 to 255 visible ASCII characters; the quotes of a structured header string are not part of it. */
const KEY = /^[\x20-\x7e]{1,255}$/

/** Reads the Idempotency-Key header. Throws `REQUEST_INVALID` when it is no key. */
export function idempotencyKeyOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = header.length > 1 && header.startsWith('"') && header.endsWith('"') ? header.slice(1, -1) : header
  if (KEY.test(key)) return key
  throw new AppError('REQUEST_INVALID', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.')
}

/** Renewals within one lease: a late one, or one that fails, does not lose it. */
const RENEWALS = 4

function hold(deps: ReservationDeps, name: KeyName, owner: string): Reservation {
  const renew = setInterval(
    () => {
      // A renewal that fails is not an error here: the owner is checked again when the batch is made.
      renewSubmissionKey(deps.pool, name, owner, deps.leaseSeconds).catch(() => undefined)
    },
    (deps.leaseSeconds * 1000) / RENEWALS
  )
  renew.unref()
  return {
    name,
    owner,
    async release() {
      clearInterval(renew)
      // A key that cannot be released now lapses with its lease.
      await releaseSubmissionKey(deps.pool, name, owner).catch(() => undefined)
    }
  }
}

/** A reservation may lapse between losing it and looking who has it. */
const ATTEMPTS = 3

/**
 * Another request runs under the key. A process that died with it leaves it taken for what is left of its lease, so that
 * is how long the caller is told to wait.
 */
function keyInUse(message: string, earlier: SubmissionKey | undefined): AppError {
  const seconds = earlier?.state === 'running' ? earlier.leaseSeconds : 0
  return new AppError('IDEMPOTENCY_RUNNING', message, { details: { retry_after_seconds: Math.max(1, seconds) } })
}

/** The error of a request whose reservation went to another one. */
export async function lostKey(db: Queryable, name: KeyName): Promise<AppError> {
  const message = 'The Idempotency-Key went to another request meanwhile. Send the same again later.'
  return keyInUse(message, await getSubmissionKey(db, name))
}

/**
 * Reserves a key before the body is read. Throws `IDEMPOTENCY_RUNNING`, with `retry_after_seconds` in its details, while
 * another request runs under it.
 */
export async function reserve(deps: ReservationDeps, name: KeyName): Promise<Reserved> {
  const owner = deps.newId()
  let earlier: SubmissionKey | undefined
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await reserveSubmissionKey(deps.pool, name, owner, deps.leaseSeconds)) {
        return { kind: 'held', reservation: hold(deps, name, owner) }
      }
      earlier = await getSubmissionKey(deps.pool, name)
      if (earlier?.state === 'done') return { kind: 'answered', earlier }
    }
  } catch (error) {
    throw toDatabaseError(error)
  }
  throw keyInUse(
    'A request with this Idempotency-Key is being worked on. Send the same again after the seconds of Retry-After.',
    earlier
  )
}
