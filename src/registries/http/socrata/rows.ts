import { RegistryFault } from '../../registry.ts'
import { faultOfStatus } from '../client/faults.ts'
import type { HttpReply } from '../client/guarded-client.ts'
import { isObject, type JsonObject } from '../mapping/pointer.ts'

/** Told for a query that names a column which is not there (any more), in either version's words. */
const NO_COLUMN = /no-such-column|unrecognized|type-mismatch/i

function faultOf({ status, body, retryAfterMs }: HttpReply): RegistryFault {
  const code = isObject(body) ? (body['code'] ?? body['errorCode']) : undefined
  if (status === 400 && typeof code === 'string' && NO_COLUMN.test(code.slice(0, 200))) {
    return new RegistryFault('configuration', 'bad_field')
  }
  return faultOfStatus(status, retryAfterMs)
}

/**
 * The rows of one reply. Only a JSON array of objects is an answer; everything else throws `RegistryFault`: also an object
 * that tells an error with HTTP 200.
 */
export function readRows(reply: HttpReply): readonly JsonObject[] {
  const { status, body } = reply
  if (status !== 200) throw faultOf(reply)
  if (body === undefined) throw new RegistryFault('transient', 'not_json')
  if (!Array.isArray(body)) {
    throw new RegistryFault('transient', isObject(body) && body['error'] !== undefined ? 'socrata_error' : 'no_rows')
  }
  if (!body.every(isObject)) throw new RegistryFault('transient', 'no_rows')
  return body
}
