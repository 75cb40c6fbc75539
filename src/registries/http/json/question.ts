import type { Json } from '../../../model/json.ts'
import type { HttpCall } from '../client/guarded-client.ts'
import { isObject } from '../mapping/pointer.ts'
import type { JsonSettings } from './settings.ts'

interface Asked {
  readonly keys: readonly string[]
  readonly asOf: string
}

/** Encoded, so that no key adds to the path or the query. */
function fillAddress(template: string, separator: string, { keys, asOf }: Asked): URL {
  const encoded = keys.map(key => encodeURIComponent(key))
  const values: Readonly<Record<string, string>> = {
    '{key}': encoded[0] ?? '',
    '{keys}': encoded.join(encodeURIComponent(separator)),
    '{asOf}': asOf
  }
  return new URL(template.replaceAll(/\{(?:keys?|asOf)\}/g, name => values[name] ?? ''))
}

function fillBody(template: Json, asked: Asked): Json {
  if (template === '{keys}') return asked.keys
  if (typeof template === 'string') {
    const values: Readonly<Record<string, string>> = { '{key}': asked.keys[0] ?? '', '{asOf}': asked.asOf }
    return template.replaceAll(/\{(?:key|asOf)\}/g, name => values[name] ?? '')
  }
  if (Array.isArray(template)) return template.map((element: Json) => fillBody(element, asked))
  if (!isObject(template)) return template
  return Object.fromEntries(Object.entries(template).map(([name, value]) => [name, fillBody(value, asked)] as const))
}

/** Whether a key can stand in the address of these settings: not as a step up in a path, nor as two keys of a list. */
export function fitsAddress(key: string, { url, separator }: JsonSettings): boolean {
  if (url.includes('{keys}') && key.includes(separator)) return false
  return !url.includes('{key') || !(key === '.' || key.includes('..'))
}

/** The request that asks for keys. */
export function questionOf(settings: JsonSettings, asked: Asked): Omit<HttpCall, 'signal'> {
  const { method, headers, body } = settings
  const url = fillAddress(settings.url, settings.separator, asked)
  if (method === 'GET' || body === undefined) return { method, url, headers }
  return { method, url, headers, body: { type: 'application/json', text: JSON.stringify(fillBody(body, asked)) } }
}
