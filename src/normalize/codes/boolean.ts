import type { Reading } from '../../model/reading.ts'
import { readAbsence } from '../absence.ts'
import { found, invalid } from '../outcome.ts'
import { foldShort } from '../text.ts'

const TRUE = new Set(['☒', '☑', '✓', '✔', '[x]', 'x', 'y', 'yes', 'true', 't', '1', 'on', '/yes'])
const FALSE = new Set(['☐', '[ ]', '[]', 'n', 'no', 'false', 'f', '0', 'off', '/off'])

/** A check box or yes/no word. Anything else is invalid, never false. */
export function readBoolean(raw: string): Reading<boolean> {
  const text = foldShort(raw, 40).toLowerCase()
  if (TRUE.has(text)) return found(true)
  if (FALSE.has(text)) return found(false)
  return readAbsence(text) ?? invalid(['FIELD_INVALID'])
}
