import { z } from 'zod'
import { AppError, ERROR_CODES, type ErrorCode, type ErrorKind } from '../../errors.ts'

/** The one table from kinds of faults to HTTP. */
export const STATUS_OF: Readonly<Record<ErrorKind, { readonly status: number; readonly title: string }>> = {
  malformed: { status: 400, title: 'The request cannot be read' },
  unauthorized: { status: 401, title: 'A valid key is needed' },
  forbidden: { status: 403, title: 'The key does not allow this' },
  not_found: { status: 404, title: 'There is no such thing' },
  other_method: { status: 405, title: 'The address does not take this method' },
  gone: { status: 410, title: 'It was erased' },
  conflict: { status: 409, title: 'The present state does not allow this' },
  precondition: { status: 412, title: 'It was changed meanwhile' },
  too_large: { status: 413, title: 'The request is too large' },
  unsupported: { status: 415, title: 'This media type is not read' },
  invalid: { status: 422, title: 'The request cannot be carried out' },
  precondition_required: { status: 428, title: 'If-Match is needed' },
  busy: { status: 429, title: 'There is too much waiting' },
  internal: { status: 500, title: 'A fault of this service' },
  unavailable: { status: 503, title: 'A part of this service is away' }
}

export const PROBLEM_TYPE = 'application/problem+json'

/** RFC 9457, as every error is answered. */
export const Problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]),
    request_id: z.string()
  })
  .catchall(z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
  .meta({ id: 'Problem', description: 'Problem details (RFC 9457). `code` is stable.' })
export type Problem = z.infer<typeof Problem>

const HIDDEN = 'The service could not carry this out. The fault is logged under this request id.'

/** The body of an error. Messages of our own faults stay hidden; those of the caller's never hold a submitted value. */
export function toProblem(error: AppError, requestId: string): Problem {
  const { status, title } = STATUS_OF[error.kind]
  const details = error.kind === 'internal' ? {} : error.details
  return {
    ...(details as Record<string, string | number | boolean | string[]>),
    type: 'about:blank',
    title,
    status,
    detail: error.kind === 'internal' ? HIDDEN : error.message,
    code: error.code,
    request_id: requestId
  }
}

/** Seconds after which a repetition may help, for the Retry-After header. */
export function retryAfterSeconds(error: AppError): number | undefined {
  const given = error.details['retry_after_seconds']
  if (typeof given === 'number') return given
  return error.kind === 'unavailable' || error.kind === 'busy' ? 5 : undefined
}
