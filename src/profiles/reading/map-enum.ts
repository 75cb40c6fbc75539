import type { Envelope } from '../../model/envelope.ts'
import type { EnumMapping } from '../profile.ts'

const NO_FLAGS: readonly string[] = Object.freeze([])
const UNMAPPED: readonly string[] = Object.freeze(['UNMAPPED_ENUM'])

const lookups = new WeakMap<EnumMapping, ReadonlyMap<string, string>>()

function lookupOf(mapping: EnumMapping): ReadonlyMap<string, string> {
  let lookup = lookups.get(mapping)
  if (lookup === undefined) {
    const entries = Object.entries(mapping.values).flatMap(([value, words]) =>
      words.map((word): [string, string] => [word.toLowerCase(), value])
    )
    lookup = new Map(entries)
    lookups.set(mapping, lookup)
  }
  return lookup
}

/** What a value is in the closed vocabulary of its companion, or undefined when no entry names it. */
export const companionOf = (mapping: EnumMapping, value: string): string | undefined =>
  lookupOf(mapping).get(value.toLowerCase())

/** The companion of a value in its closed vocabulary: derived, or flagged `UNMAPPED_ENUM` when no entry names it. */
export function mapEnum(mapping: EnumMapping, source: Envelope): Envelope | null {
  if (typeof source.value !== 'string') return null
  const { raw, origin } = source
  const value = companionOf(mapping, source.value)
  if (value === undefined) return { value: null, raw, status: 'invalid', confidence: 0, origin, flags: UNMAPPED }
  return { value, raw, status: 'derived', confidence: source.confidence, origin, flags: NO_FLAGS }
}
