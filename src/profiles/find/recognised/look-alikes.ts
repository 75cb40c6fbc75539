import type { FieldType } from '../../profile.ts'
import type { Evidence } from '../evidence.ts'

/** Letters and digits side by side, where one may be the other misread: `O80I71` or `080171`. */
const MIXED = /(?:[OQDILSBZGTA][0-9])|(?:[0-9][OQDILSBZGTAoli])|(?:\p{L}[01568])|(?:[01568]\p{L})/u
/** A dollar sign is read as a five; without any sign of a currency a leading five may be one. */
const MAYBE_SIGN = /^[5S]\d/
/** A point that is read as a digit or lost leaves thousands without a mark. */
const UNMARKED = /\d{4,}(?![\d]*[.,]\d{2}\b)/

/**
 * True for a recognised value in which a look-alike cannot be told from the real thing: nothing is repaired in it, and
 * nothing checks it.
 */
export function isDoubtful({ raw, flags }: Evidence, type: FieldType | undefined): boolean {
  if (flags.includes('OCR_REPAIR') || flags.includes('OCR_SUSPECT')) return true
  if (type === 'identifier') return MIXED.test(raw.replaceAll(/[\s./-]+/g, ' '))
  return type === 'money' && (MAYBE_SIGN.test(raw.trim()) || UNMARKED.test(raw))
}
