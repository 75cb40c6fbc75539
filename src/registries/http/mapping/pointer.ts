import type { Json } from '../../../model/json.ts'

export type JsonObject = { readonly [name: string]: Json }

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member of an object by its own name only; undefined when there is none. */
export const memberOf = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

function step(value: Json | undefined, part: string): Json | undefined {
  if (Array.isArray(value))
    return /^(?:0|[1-9]\d{0,6})$/.test(part) ? (value as readonly Json[])[Number(part)] : undefined
  return isObject(value) ? memberOf(value, part) : undefined
}

/** What a JSON pointer (RFC 6901) leads to; undefined when it leads nowhere. */
export function followPointer(value: Json | undefined, pointer: string): Json | undefined {
  if (pointer === '') return value
  return pointer.slice(1).split('/').map(unescaped).reduce<Json | undefined>(step, value)
}
