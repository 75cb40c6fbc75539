import type { ReadingContext } from '../../model/reading.ts'
import { readDecimal } from '../number.ts'
import { foldShort } from '../text.ts'

/** A point in degrees as exact decimal text. */
export interface Coordinates {
  readonly latitude: string
  readonly longitude: string
  readonly flags: readonly string[]
}

const MAX_LATITUDE = 90
const MAX_LONGITUDE = 180

/**
 * Reads `(lat, lon)`. When the first number cannot be a latitude and the other order fits, they are swapped and
 * flagged `AXES_SWAPPED`. Null when neither order fits, and for (0, 0), which exporting systems write for nothing.
 */
export function readCoordinates(raw: string, context: ReadingContext): Coordinates | null {
  const parts = foldShort(raw, 100)
    .replace(/^\(|\)$/g, '')
    .split(/ ?, ?/)
  if (parts.length !== 2) return null
  const [first, second] = parts.map(part => readDecimal(part, { ...context, decimal: '.' }).value)
  if (first == null || second == null || (Number(first) === 0 && Number(second) === 0)) return null
  if (fits(first, MAX_LATITUDE) && fits(second, MAX_LONGITUDE)) return { latitude: first, longitude: second, flags: [] }
  if (fits(second, MAX_LATITUDE) && fits(first, MAX_LONGITUDE)) {
    return { latitude: second, longitude: first, flags: ['AXES_SWAPPED'] }
  }
  return null
}

function fits(degrees: string, limit: number): boolean {
  return Math.abs(Number(degrees)) <= limit
}
