import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { toDatabaseError } from '../../db/sqlstate.ts'
import { AppError, type ErrorCode } from '../../errors.ts'
import { errorFields } from '../../logger.ts'
import { PROBLEM_TYPE, retryAfterSeconds, STATUS_OF, toProblem } from './problem.ts'

/** What the framework's own refusals are called here. */
const BY_FRAMEWORK_CODE: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['MEDIA_TYPE_UNSUPPORTED', 'This media type is not read here.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['BODY_MALFORMED', 'The request body is not valid JSON.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['BODY_EMPTY', 'The request body is empty although its type says JSON.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['BODY_TRUNCATED', 'The request body is not as long as it says.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['REQUEST_TOO_LARGE', 'The request body is too large.'],
  FST_ERR_NOT_FOUND: ['NOT_FOUND', 'There is nothing at this address.'],
  FST_ERR_BAD_URL: ['REQUEST_INVALID', 'The address is not well formed.']
}

/** Names the faulty parameters and what they must be; never repeats what was sent. */
function validationError(error: FastifyError): AppError {
  const faults = (error.validation ?? []).map(fault => {
    const place = fault.instancePath.replaceAll('/', '.').replace(/^\./, '')
    return place === '' ? (error.validationContext ?? 'request') : place
  })
  const fields = [...new Set(faults)].slice(0, 20)
  return new AppError('REQUEST_INVALID', `These are missing or not as described: ${fields.join(', ')}.`, {
    details: { fields, in: error.validationContext ?? 'request' }
  })
}

/** The application error of anything a route or the framework throws. */
function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (!(error instanceof Error)) return new AppError('INTERNAL', 'Something that is no error was thrown.')
  const { validation, code, statusCode } = error as FastifyError
  if (validation) return validationError(error as FastifyError)
  const known = BY_FRAMEWORK_CODE[code]
  if (known) return new AppError(known[0], known[1], { cause: error })
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return new AppError('REQUEST_INVALID', 'The request is not well formed.', { cause: error })
  }
  return toDatabaseError(error)
}

/** Answers an error as problem details and logs the ones that are ours. */
export async function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const fault = toAppError(error)
  const { status } = STATUS_OF[fault.kind]
  if (status >= 500) {
    request.log.error({ ...errorFields(fault.cause ?? fault), code: fault.code }, 'request failed')
  }
  const seconds = retryAfterSeconds(fault)
  if (seconds !== undefined) reply.header('retry-after', seconds)
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  return reply
    .code(status)
    .type(PROBLEM_TYPE)
    .serializer((body: unknown) => JSON.stringify(body))
    .send(toProblem(fault, request.id))
}
