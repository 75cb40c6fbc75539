import type { Reading } from '../model/reading.ts'
import { readAbsence } from './absence.ts'
import { withoutInvisible, withPlainHyphens } from './invisible.ts'
import { found } from './outcome.ts'

const NEEDS_FOLDING = /[^\S ]| {2}|^ | $/
const HIDDEN = /(?!\s)\p{Cc}|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/u
/** A byte order mark inside a text has no width: it parts nothing, so it is kept and flagged. */
const SPACES = /[^\S\ufeff]+/g

/** Runs of white space become one space and the ends are trimmed; nothing else changes. Idempotent. */
export function foldText(raw: string): string {
  return NEEDS_FOLDING.test(raw) ? raw.replace(SPACES, ' ').trim() : raw
}

/** Stands for text longer than a reader takes: matches nothing, so the reader refuses instead of cutting. */
export const OVERLONG = '\ufffd'

/** NFKC and folded white space for short values; `OVERLONG` when more than `longest` characters remain. Bounds every reader's work. */
export function foldShort(raw: string, longest: number): string {
  if (raw.length > longest * 4) return OVERLONG
  const text = foldText(raw.normalize('NFKC'))
  return text.length > longest ? OVERLONG : text
}

/** Words of ASCII with one space between them: only their case folds. */
const PLAIN_WORDS = /^[!-~]+(?: [!-~]+)*$/

/**
 * One part of a natural key: NFKC, case and white space folded, without characters that cannot be seen, every hyphen the
 * plain one, so that a number has one key however it was copied. Idempotent and independent of locale.
 */
export function naturalKeyPart(raw: string): string {
  if (PLAIN_WORDS.test(raw)) return raw.toLowerCase()
  const seen = withPlainHyphens(withoutInvisible(raw.normalize('NFKC')))
  const folded = seen.toLowerCase().toUpperCase().toLowerCase().normalize('NFKC')
  return foldText(withoutInvisible(folded))
}

/** True for text that stands in for a value: `TBD`, `N/A`, `see plans`, dashes, an unfilled blank. Not for empty text. */
export function isPlaceholder(raw: string): boolean {
  const absence = readAbsence(foldText(raw))
  return absence !== null && absence.flags.length > 0 && absence.status !== 'redacted'
}

/**
 * Free text, names and addresses: words as written, white space folded. `HIDDEN_CHARACTERS` marks text
 * with invisible or direction-changing characters, which are kept.
 */
export function readText(raw: string): Reading<string> {
  const text = foldText(raw)
  const absence = readAbsence(text)
  if (absence) return absence
  return HIDDEN.test(text) ? found(text, ['HIDDEN_CHARACTERS']) : found(text)
}
