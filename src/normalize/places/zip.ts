import type { Reading } from '../../model/reading.ts'
import { readAbsence } from '../absence.ts'
import { found, invalid } from '../outcome.ts'
import { foldShort } from '../text.ts'

/** A ZIP code; `zip4` is its four-digit add-on or null. */
export interface ZipReading extends Reading<string> {
  readonly zip4: string | null
}

/** States whose ZIP codes begin with 0, the digit spreadsheets drop. */
const LEADING_ZERO_STATES = new Set(['CT', 'MA', 'ME', 'NH', 'NJ', 'PR', 'RI', 'VI', 'VT'])

/**
 * A ZIP code as text. Four digits are a ZIP that lost its zero only in a state whose codes begin with 0
 * (`ZERO_PADDED`); elsewhere they are invalid.
 */
export function readZip(raw: string, state?: string): ZipReading {
  const text = foldShort(raw, 40)
  const absence = readAbsence(text)
  if (absence) return { ...absence, zip4: null }
  const parts = /^(\d{5})(?:-?(\d{4}))?$/.exec(text)
  if (parts) return { ...found(parts[1] ?? ''), zip4: parts[2] ?? null }
  const short = /^(\d{4})(?:-(\d{4}))?$/.exec(text)
  if (short && state !== undefined && LEADING_ZERO_STATES.has(state)) {
    return { ...found(`0${short[1]}`, ['ZERO_PADDED']), zip4: short[2] ?? null }
  }
  return { ...invalid(['FIELD_INVALID']), zip4: null }
}
