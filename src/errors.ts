/**
 * What kind of fault an error is. The API maps a kind to an HTTP status and the worker maps it to
 * what becomes of the job; nothing below those two knows either.
 */
export type ErrorKind =
  | 'malformed'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'other_method'
  | 'gone'
  | 'conflict'
  | 'precondition'
  | 'precondition_required'
  | 'too_large'
  | 'unsupported'
  | 'invalid'
  | 'busy'
  | 'unavailable'
  | 'internal'

/** Every code an error can carry: stable, listed in the API document, each with its kind and whether a retry may help. */
export const ERROR_CODES = {
  BODY_MALFORMED: { kind: 'malformed', retryable: false },
  BODY_TRUNCATED: { kind: 'malformed', retryable: false },
  BODY_EMPTY: { kind: 'malformed', retryable: false },
  REQUEST_INVALID: { kind: 'malformed', retryable: false },
  CURSOR_INVALID: { kind: 'malformed', retryable: false },
  KEY_MISSING: { kind: 'unauthorized', retryable: false },
  KEY_UNKNOWN: { kind: 'unauthorized', retryable: false },
  SCOPE_MISSING: { kind: 'forbidden', retryable: false },
  JURISDICTION_FORBIDDEN: { kind: 'forbidden', retryable: false },
  NOT_FOUND: { kind: 'not_found', retryable: false },
  METHOD_NOT_ALLOWED: { kind: 'other_method', retryable: false },
  PAGE_NOT_FOUND: { kind: 'not_found', retryable: false },
  PAGE_NOT_DRAWN: { kind: 'invalid', retryable: false },
  DRAWING_BUSY: { kind: 'unavailable', retryable: true },
  IDEMPOTENCY_RUNNING: { kind: 'conflict', retryable: true },
  IDEMPOTENCY_MISMATCH: { kind: 'invalid', retryable: false },
  BATCH_FINISHED: { kind: 'conflict', retryable: false },
  CHANGE_IN_PROGRESS: { kind: 'conflict', retryable: true },
  RECORD_NOT_HELD: { kind: 'conflict', retryable: false },
  RECORD_STILL_BLOCKED: { kind: 'conflict', retryable: false },
  REVISION_STALE: { kind: 'precondition', retryable: false },
  REVISION_REQUIRED: { kind: 'precondition_required', retryable: false },
  FILE_TOO_LARGE: { kind: 'too_large', retryable: false },
  REQUEST_TOO_LARGE: { kind: 'too_large', retryable: false },
  TOO_MANY_PARTS: { kind: 'too_large', retryable: false },
  MEDIA_TYPE_UNSUPPORTED: { kind: 'unsupported', retryable: false },
  FIELD_INVALID: { kind: 'invalid', retryable: false },
  FIELD_CONFLICT: { kind: 'invalid', retryable: false },
  PROFILE_UNKNOWN: { kind: 'invalid', retryable: false },
  JURISDICTION_INVALID: { kind: 'invalid', retryable: false },
  QUEUE_FULL: { kind: 'busy', retryable: true },
  DATABASE_UNAVAILABLE: { kind: 'unavailable', retryable: true },
  DATABASE_CONFLICT: { kind: 'unavailable', retryable: true },
  STORE_FULL: { kind: 'unavailable', retryable: true },
  STORE_UNAVAILABLE: { kind: 'unavailable', retryable: true },
  PAYLOAD_MISSING: { kind: 'internal', retryable: false },
  PAYLOAD_CORRUPT: { kind: 'internal', retryable: false },
  ENQUEUE_FAILED: { kind: 'internal', retryable: true },
  CLAIM_LOST: { kind: 'internal', retryable: false },
  VALUE_NOT_STORABLE: { kind: 'internal', retryable: false },
  CONFIG_INVALID: { kind: 'invalid', retryable: false },
  REFERENCE_INVALID: { kind: 'invalid', retryable: false },
  MIGRATION_CHANGED: { kind: 'internal', retryable: false },
  SCHEMA_TOO_NEW: { kind: 'internal', retryable: false },
  PROFILE_INVALID: { kind: 'invalid', retryable: false },
  FEE_SCHEDULE_INVALID: { kind: 'invalid', retryable: false },
  RULES_INVALID: { kind: 'invalid', retryable: false },
  NOT_SEALED: { kind: 'conflict', retryable: true },
  RECORD_ERASED: { kind: 'gone', retryable: false },
  PAYLOAD_REMOVED: { kind: 'gone', retryable: false },
  PAYLOAD_SHARED: { kind: 'conflict', retryable: false },
  RECORD_NOT_ENDED: { kind: 'conflict', retryable: false },
  LEGAL_HOLD: { kind: 'conflict', retryable: false },
  SIGNING_KEY_MISSING: { kind: 'unavailable', retryable: false },
  LOG_DAMAGED: { kind: 'internal', retryable: false },
  CHECKPOINT_REFUSED: { kind: 'internal', retryable: true },
  INTERNAL: { kind: 'internal', retryable: false }
} as const satisfies Record<string, { kind: ErrorKind; retryable: boolean }>

export type ErrorCode = keyof typeof ERROR_CODES

export interface ErrorOptionsWithDetails {
  /** Safe for the caller to read: names, counts and limits, never a value of a person's data. */
  readonly details?: Readonly<Record<string, string | number | boolean | readonly string[]>>
  readonly cause?: unknown
}

/** The one error class. `message` says what is wrong and what to do, and holds no submitted value. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, string | number | boolean | readonly string[]>>

  constructor(code: ErrorCode, message: string, options: ErrorOptionsWithDetails = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = options.details ?? {}
  }

  get kind(): ErrorKind {
    return ERROR_CODES[this.code].kind
  }

  get retryable(): boolean {
    return ERROR_CODES[this.code].retryable
  }
}

/** The code of anything thrown: an AppError's own, else `INTERNAL`. */
export function codeOf(error: unknown): ErrorCode {
  return error instanceof AppError ? error.code : 'INTERNAL'
}

/** What a payload that was lost or altered is told by: trying again does not help. */
export const PAYLOAD_FAULTS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['PAYLOAD_MISSING', 'PAYLOAD_CORRUPT'])
