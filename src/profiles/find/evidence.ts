import type { Envelope, Origin } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'

/** One value that one place of a document offers for one field. */
export interface Evidence {
  readonly field: string
  /** Null when something stands there that cannot be read as this field; `flags` say why. */
  readonly value: Json
  readonly raw: string
  readonly origin: Origin
  readonly status: Envelope['status']
  readonly flags: readonly string[]
  readonly readings?: readonly Json[]
  /** How well place, label and form fit, 0–1. */
  readonly score: number
  /** What found it: a label phrase or the name of a pattern. Two finds by different means corroborate each other. */
  readonly via: string
}

/** Two values that mean the same compare equal by this. */
export function valueKey(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return value
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
}
