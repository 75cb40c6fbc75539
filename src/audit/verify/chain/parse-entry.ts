import type { Json } from '../../../model/json.ts'
import { canonicalJson } from '../../../model/json.ts'

/** What an entry's bytes say, as far as it is verified. */
export interface EntryFacts {
  readonly batch: string
  readonly jurisdiction: string
  readonly kind: string
  readonly seq: number
  readonly subject: string
  /** Hex. */
  readonly previous: string | null
  readonly idempotencyKey: string | null
  /** The commitment to what a record is after this entry, in hex; null when nothing of it is kept any more; undefined when the entry does not change it. */
  readonly content: string | null | undefined
  readonly detail: { readonly [name: string]: Json }
  readonly transitions: readonly (readonly [string, string])[]
}

type Members = { readonly [name: string]: Json }

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
/** RFC 3339 in UTC with microseconds, as the database writes it. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/

const isMembers = (value: Json | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTransition = (value: Json): value is readonly [string, string] =>
  Array.isArray(value) &&
  value.length === 2 &&
  typeof value[0] === 'string' &&
  typeof value[1] === 'string' &&
  TIME.test(value[1])

function factsOf(value: Json): EntryFacts | undefined {
  if (!isMembers(value)) return undefined
  const { batch, content, jurisdiction, kind, seq, subject, previous, transitions } = value
  const { detail = {}, idempotency_key: idempotencyKey = null } = value
  if (typeof batch !== 'string' || typeof jurisdiction !== 'string' || typeof kind !== 'string') return undefined
  if (typeof seq !== 'number' || typeof subject !== 'string' || !isMembers(detail)) return undefined
  if (previous !== null && typeof previous !== 'string') return undefined
  if (idempotencyKey !== null && typeof idempotencyKey !== 'string') return undefined
  if (content !== undefined && content !== null && typeof content !== 'string') return undefined
  if (!Array.isArray(transitions) || transitions.length === 0 || !transitions.every(isTransition)) return undefined
  return { batch, jurisdiction, kind, seq, subject, previous, idempotencyKey, content, detail, transitions }
}

function isSorted(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isSorted)
  const names = Object.keys(value)
  return names.every((name, i) => i === 0 || (names[i - 1] ?? '') < name) && Object.values(value).every(isSorted)
}

/** Same text as the canonical form. A text whose members are in order already is compared without sorting them. */
const isCanonical = (value: Json, text: string): boolean =>
  (JSON.stringify(value) === text && isSorted(value)) || canonicalJson(value) === text

/**
 * Reads the bytes of an entry. Undefined when they are not UTF-8, not JSON, not in canonical form (members in order, once
 * each, no white space, no other spelling of a number or a text), or lack what every entry has.
 */
export function parseEntry(bytes: Uint8Array): EntryFacts | undefined {
  try {
    const text = decoder.decode(bytes)
    const value = JSON.parse(text) as Json
    return isCanonical(value, text) ? factsOf(value) : undefined
  } catch {
    // Neither text nor JSON, or nested too deeply to be an entry of ours.
    return undefined
  }
}
