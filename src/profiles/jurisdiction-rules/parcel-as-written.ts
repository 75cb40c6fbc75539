import type { Envelope } from '../../model/envelope.ts'
import { identifierKey, readIdentifier } from '../../normalize/identifier.ts'

/** What a scheme adds to a number, so that its canonical form holds what was not written. */
const ADDED: readonly string[] = Object.freeze(['SUFFIX_DEFAULTED', 'ZERO_PADDED'])
/** The value was made of something else than the raw text alone. */
const MADE: readonly string[] = Object.freeze(['DERIVED', 'OCR_REPAIR'])
/** Only text of this kind is ever brought into a canonical form. */
const WRITTEN = /^[\dA-Za-z][\dA-Za-z .\-/]*$/

const withoutZeros = (text: string): string => text.replaceAll('0', '')

/** Whether a value is what some scheme makes of a text: the same signs, and no more than it is flagged to have added. */
function isMadeOf(value: string, written: string, flags: readonly string[]): boolean {
  const key = identifierKey(written)
  if (value === key) return true
  if (flags.includes('SUFFIX_DEFAULTED') && value.startsWith(key)) return true
  return flags.includes('ZERO_PADDED') && withoutZeros(value) === withoutZeros(key)
}

/**
 * The envelope of a parcel number as it was before any scheme brought it into canonical form, from its raw text. A held
 * record keeps the form of the mask that was in force when it was read; under another mask that form may be no number, or the
 * number of another parcel. The same envelope where there is nothing to undo.
 */
export function parcelAsWritten(envelope: Envelope): Envelope {
  const { value, raw, flags } = envelope
  if (typeof value !== 'string' || typeof raw !== 'string' || raw === value) return envelope
  if (flags.some(flag => MADE.includes(flag))) return envelope
  const { value: written } = readIdentifier(raw, { today: '', source: 'text' })
  if (written === null || written === value || !WRITTEN.test(written)) return envelope
  if (!isMadeOf(value, written, flags)) return envelope
  return { ...envelope, value: written, flags: flags.filter(flag => !ADDED.includes(flag)) }
}
