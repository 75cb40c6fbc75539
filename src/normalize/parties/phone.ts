import type { Reading, ReadingContext } from '../../model/reading.ts'
import { readAbsence } from '../absence.ts'
import { isWithinRepairGate, repairDigits } from '../ocr.ts'
import { found, invalid, withFlags } from '../outcome.ts'
import { foldShort } from '../text.ts'

const SHAPE = /^(?:\+?1[ .-]?)?\(?([2-9]\d{2})\)?[ .-]?(\d{3})[ .-]?(\d{4})(?:,? ?(?:x|ext\.?) ?(\d{1,6}))?$/i

/** A North American telephone number as E.164, with `;ext=` for an extension (RFC 3966). */
export function readPhone(raw: string, context: ReadingContext): Reading<string> {
  const text = foldShort(raw, 60)
  const absence = readAbsence(text)
  if (absence) return absence
  const number = formatPhone(text)
  if (number !== null) return found(number)
  const at = text.search(/,? ?(?:x|ext\.?) ?\d{1,6}$/i)
  const head = at < 0 ? text : text.slice(0, at)
  const { text: repaired, repairs } = repairDigits(head)
  const second =
    context.source === 'ocr' && isWithinRepairGate(repairs, text)
      ? formatPhone(repaired + text.slice(head.length))
      : null
  return second === null ? invalid(['FIELD_INVALID']) : withFlags(found(second), ['OCR_REPAIR'])
}

function formatPhone(text: string): string | null {
  const parts = SHAPE.exec(text)
  if (!parts) return null
  const number = `+1${parts[1]}${parts[2]}${parts[3]}`
  return parts[4] === undefined ? number : `${number};ext=${parts[4]}`
}
