import type { Reading } from '../../model/reading.ts'
import { readAbsence } from '../absence.ts'
import { found, invalid } from '../outcome.ts'
import { foldShort } from '../text.ts'

const LABEL = /^naic ?(?:code|no\.?|number|#)?:? ?/i

/** A five-digit NAIC company code as text, leading zeros kept; a space inside is joined and flagged `INNER_SPACE`. */
export function readNaic(raw: string): Reading<string> {
  const text = foldShort(raw, 60).replace(LABEL, '')
  const absence = readAbsence(text)
  if (absence) return absence
  if (/^\d{5}$/.test(text)) return found(text)
  const joined = text.replaceAll(' ', '')
  return /^\d{5}$/.test(joined) ? found(joined, ['INNER_SPACE']) : invalid(['FIELD_INVALID'])
}
