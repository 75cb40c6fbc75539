import type { Json } from './json.ts'

/**
 * Where a value or a reason comes from.
 * `bbox` is `[x0, y0, x1, y1]` as shares (0–1) of the page as displayed, origin at its top left; `page`
 * and `row` count from 1. `column` is the header as written, or its ordinal when there is none.
 */
export type Origin =
  | { readonly page: number; readonly bbox: readonly [number, number, number, number] }
  | { readonly paragraph: number }
  | { readonly row: number; readonly column?: string; readonly line?: number }
  | { readonly registry: string; readonly key: string }

/**
 * `absent` (nothing there) and an explicit none are different facts; `ambiguous` has at least two
 * `readings` and no value; `derived` follows from other values; `human` was set by a clerk.
 */
export const VALUE_STATUSES = [
  'found',
  'absent',
  'invalid',
  'ambiguous',
  'not_applicable',
  'redacted',
  'derived',
  'human'
] as const
export type ValueStatus = (typeof VALUE_STATUSES)[number]

/** One field of one record: what it means, what was written, where, and how sure we are. */
export interface Envelope {
  readonly value: Json
  /** The source text before any repair; null when there was none. */
  readonly raw: string | null
  readonly status: ValueStatus
  /** Calibrated probability, 0–1, that `value` is right. */
  readonly confidence: number
  readonly origin: Origin | null
  /** Codes for every repair and assumption made. */
  readonly flags: readonly string[]
  /** The possible values of an `ambiguous` or suspect field. */
  readonly readings?: readonly Json[]
}

export type Fields = Readonly<Record<string, Envelope>>
