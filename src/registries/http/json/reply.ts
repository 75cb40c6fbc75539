import type { Json } from '../../../model/json.ts'
import { RegistryFault } from '../../registry.ts'
import { faultOfStatus } from '../client/faults.ts'
import type { HttpReply } from '../client/guarded-client.ts'
import type { Reply } from '../mapping/ask-in-halves.ts'
import { followPointer, isObject, type JsonObject } from '../mapping/pointer.ts'
import type { JsonSettings } from './settings.ts'

const NOTHING: Reply<JsonObject> = { rows: [], more: false }

const says = (body: Json, { pointer, equals }: { readonly pointer: string; readonly equals: Json }): boolean =>
  (followPointer(body, pointer) ?? null) === equals

/** Members that carry an error with HTTP 200 as often as not; empty ones are how some say that there was none. */
function tellsError(body: Json): boolean {
  if (!isObject(body)) return false
  return [body['error'], body['errors']].some(value =>
    Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== false && value !== ''
  )
}

function isWhole(body: Json, rows: number, whole: JsonSettings['whole']): boolean {
  if (whole === undefined) return true
  if ('equals' in whole) return says(body, whole)
  const count = followPointer(body, whole.count)
  if (typeof count !== 'number') throw new RegistryFault('configuration', 'field_missing')
  return count === rows
}

/** Reads one reply; throws `RegistryFault` for whatever is not the answer that the settings describe. */
export function readReply({ status, body, retryAfterMs }: HttpReply, settings: JsonSettings): Reply<JsonObject> {
  const { noMatch } = settings
  if (noMatch && status === noMatch.status && body !== undefined && says(body, noMatch)) return NOTHING
  if (status !== 200) throw faultOfStatus(status, retryAfterMs)
  if (body === undefined) throw new RegistryFault('transient', 'not_json')
  if (tellsError(body)) throw new RegistryFault('transient', 'error_body')
  const found = followPointer(body, settings.rows)
  const rows = isObject(found) ? [found] : found
  if (!Array.isArray(rows) || !rows.every(isObject)) throw new RegistryFault('transient', 'no_rows')
  return { rows, more: !isWhole(body, rows.length, settings.whole) }
}
