import type { Json } from '../../../model/json.ts'
import { RegistryFault } from '../../registry.ts'
import { faultOfStatus } from '../client/faults.ts'
import type { HttpReply } from '../client/guarded-client.ts'
import { readRetrySentence } from '../client/retry-after.ts'
import type { Reply } from '../mapping/ask-in-halves.ts'
import { isObject, type JsonObject } from '../mapping/pointer.ts'

/** One row of a layer; the geometry is there only when it was asked for. */
export interface Feature {
  readonly attributes: JsonObject
  readonly geometry: Json
}

/** What servers say when they could not do what they can do at other times. */
const FAILED = /failed to execute|unable to (?:complete|perform)|error performing/i
const AGAIN = /try again|rate limit|too many requests/i

function textOf(error: JsonObject): string {
  const { message, details } = error
  const parts = [message, ...(Array.isArray(details) ? details : [details])]
  return parts
    .filter(part => typeof part === 'string')
    .join(' ')
    .slice(0, 500)
}

/**
 * An `error` in the body, which comes with HTTP 200 as often as not. Codes: `query_failed` for what may be the load of the
 * moment, `arcgis_CODE` otherwise. The server's text is not kept: it may quote the question.
 */
function faultOfBody(error: Json, retryAfterMs: number | undefined): RegistryFault {
  if (!isObject(error)) return new RegistryFault('transient', 'arcgis_error', retryAfterMs)
  const text = textOf(error)
  const code = Number.isSafeInteger(error['code']) ? Number(error['code']) : 0
  if (code === 429 || AGAIN.test(text)) {
    return new RegistryFault('transient', 'arcgis_429', retryAfterMs ?? readRetrySentence(text))
  }
  if (FAILED.test(text)) return new RegistryFault('transient', 'query_failed', retryAfterMs)
  const kind = code >= 400 && code < 500 && code !== 408 ? 'configuration' : 'transient'
  return new RegistryFault(kind, `arcgis_${code}`, kind === 'transient' ? retryAfterMs : undefined)
}

function featureOf(value: Json): Feature {
  const attributes = isObject(value) ? value['attributes'] : undefined
  if (!isObject(value) || !isObject(attributes)) throw new RegistryFault('transient', 'no_features')
  return { attributes, geometry: value['geometry'] ?? null }
}

/**
 * Reads one reply of a layer's `query`. Only JSON with a list of features and without an error is an answer; everything
 * else throws `RegistryFault`, whatever its HTTP status says. `maxRecordCount`: as many rows as that may not be all.
 */
export function readPage({ status, body, retryAfterMs }: HttpReply, maxRecordCount?: number): Reply<Feature> {
  const error = isObject(body) ? body['error'] : undefined
  if (error !== undefined && error !== null) throw faultOfBody(error, retryAfterMs)
  if (status !== 200) throw faultOfStatus(status, retryAfterMs)
  if (!isObject(body)) throw new RegistryFault('transient', 'not_json')
  const { features, properties } = body
  if (!Array.isArray(features)) throw new RegistryFault('transient', 'no_features')
  // The flag tells, and not the number of rows: it is set on short pages too, and on empty ones.
  const told = body['exceededTransferLimit'] ?? (isObject(properties) ? properties['exceededTransferLimit'] : undefined)
  const isFull = maxRecordCount !== undefined && features.length >= maxRecordCount
  return { rows: features.map(featureOf), more: isFull || (told !== undefined && told !== null && told !== false) }
}
