import type { Json } from '../model/json.ts'
import type { Reading } from '../model/reading.ts'

/** Shared by all readings without flags. */
export const NO_FLAGS: readonly string[] = Object.freeze([])

/** Longest text any short value (date, number, identifier, code) is read from; longer text is not one. */
export const MAX_VALUE_LENGTH = 512

/** A value that was written. */
export function found<T extends Json>(value: T, flags: readonly string[] = NO_FLAGS): Reading<T> {
  return { value, status: 'found', flags }
}

/** A value that follows from what was written. */
export function derived<T extends Json>(value: T, flags: readonly string[] = ['DERIVED']): Reading<T> {
  return { value, status: 'derived', flags }
}

/** Nothing usable stands there; a flag says which kind of nothing. */
export function absent(...flags: readonly string[]): Reading<never> {
  return { value: null, status: 'absent', flags: flags.length === 0 ? NO_FLAGS : flags }
}

/** Something stands there that the type cannot hold. `readings` are only suggestions to a person. */
export function invalid<T extends Json = never>(flags: readonly string[], readings: readonly T[] = []): Reading<T> {
  return readings.length === 0
    ? { value: null, status: 'invalid', flags }
    : { value: null, status: 'invalid', flags, readings }
}

/** Two or more values fit and nothing decides between them. */
export function ambiguous<T extends Json>(flags: readonly string[], readings: readonly T[]): Reading<T> {
  return { value: null, status: 'ambiguous', flags, readings }
}

/** The same reading with more flags, each named once. */
export function withFlags<R extends Reading>(reading: R, flags: readonly string[]): R {
  if (flags.length === 0) return reading
  return { ...reading, flags: [...new Set([...reading.flags, ...flags])] }
}
