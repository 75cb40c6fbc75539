import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { toDatabaseError } from '../../db/sqlstate.ts'
import { AppError, type ErrorCode } from '../../errors.ts'
import { errorFields } from '../../logger.ts'
import { namesOf } from './known-names.ts'
import { PROBLEM_TYPE, retryAfterSeconds, STATUS_OF, toProblem } from './problem.ts'

/** What the framework's own refusals are called here. */
const BY_FRAMEWORK_CODE: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    'MEDIA_TYPE_UNSUPPORTED',
    'Send the body as JSON, with Content-Type: application/json.'
  ],
  FST_ERR_CTP_INVALID_JSON_BODY: ['BODY_MALFORMED', 'The request body is not valid JSON.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['BODY_EMPTY', 'The request body is empty although its type says JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['BODY_TRUNCATED', 'The request body is not as long as it says.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['REQUEST_TOO_LARGE', 'The request body is too large.'],
  FST_ERR_NOT_FOUND: ['NOT_FOUND', 'There is nothing at this address.'],
  FST_ERR_BAD_URL: ['REQUEST_INVALID', 'The address is not well formed.']
}

type Fault = NonNullable<FastifyError['validation']>[number]

/** Most faults told of, and the longest text about one: a list of all reason codes would bury the rest. */
const MAX_FAULTS = 20
const MAX_ABOUT = 120

/** What is wrong with one value, as far as its kind tells; what was sent is no part of it. */
function aboutFault(fault: Fault, known: readonly string[]): string {
  if (fault.keyword === 'unrecognized_keys') {
    return known.length === 0
      ? 'a name that is not known; none is'
      : `a name that is not known; known are ${known.join(', ')}`
  }
  const about = (fault.message ?? 'not as described').replace(/^Invalid input: /, '')
  if (about.endsWith('received undefined')) return 'missing'
  if (about.length <= MAX_ABOUT) return about
  return about.startsWith('Invalid option')
    ? 'not one of the values this may have; /openapi.json lists them'
    : `${about.slice(0, MAX_ABOUT)}…`
}

/** Names the faulty parameters and what they must be; never repeats what was sent. */
function validationError(error: FastifyError, schema: FastifyRequest['routeOptions']['schema']): AppError {
  const part = error.validationContext ?? 'request'
  const known = namesOf(part === 'body' ? schema?.body : schema?.querystring)
  const faults = (error.validation ?? []).slice(0, MAX_FAULTS).map(fault => {
    const place = fault.instancePath.replaceAll('/', '.').replace(/^\./, '')
    return [place === '' ? part : place, aboutFault(fault, known)] as const
  })
  const fields = [...new Set(faults.map(([place]) => place))]
  const told = faults.map(([place, about]) => `${place} (${about})`).join('; ')
  return new AppError('REQUEST_INVALID', `Missing or not as described in the ${part}: ${told}.`, {
    details: { fields, in: part }
  })
}

/** The application error of anything a route or the framework throws. */
function toAppError(error: unknown, request: FastifyRequest): AppError {
  if (error instanceof AppError) return error
  if (!(error instanceof Error)) return new AppError('INTERNAL', 'Something that is no error was thrown.')
  const { validation, code, statusCode } = error as FastifyError
  if (validation) return validationError(error as FastifyError, request.routeOptions?.schema)
  const known = BY_FRAMEWORK_CODE[code]
  if (known) return new AppError(known[0], known[1], { cause: error })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError('REQUEST_INVALID', 'The request is not well formed.', { cause: error })
  }
  return toDatabaseError(error)
}

/** Answers an error as problem details and logs the ones that are ours. */
export async function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const fault = toAppError(error, request)
  const { status } = STATUS_OF[fault.kind]
  if (status >= 500) {
    request.log.error({ ...errorFields(fault.cause ?? fault), code: fault.code }, 'request failed')
  }
  const seconds = retryAfterSeconds(fault)
  // The framework refuses some addresses before any hook has run.
  reply.header('x-request-id', request.id)
  if (seconds !== undefined) reply.header('retry-after', seconds)
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  return reply
    .code(status)
    .type(PROBLEM_TYPE)
    .serializer((body: unknown) => JSON.stringify(body))
    .send(toProblem(fault, request.id))
}
