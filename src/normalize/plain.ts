import { WORDED_ABSENCES } from './absence.ts'

/** What a character may do to a reading: nothing, by itself nothing but two of them something, or anything. */
const ORDINARY = 0
const SPACE = 1
const X = 2
const TELLING = 3
const ASCII = 0x7f

const KINDS = new Uint8Array(ASCII).fill(TELLING, 0, 0x20)
KINDS[0x20] = SPACE
/** Two may begin a blacked-out value. */
for (const letter of 'Xx') KINDS[letter.charCodeAt(0)] = X
/** A lost character as an escape, `[redacted]`, `****1234`. */
for (const mark of '\\[*') KINDS[mark.charCodeAt(0)] = TELLING

const LOWER_CASE = 0x20
const LONGEST_WORDED = Math.max(...WORDED_ABSENCES.map(word => word.length))
/** By length and first letter: whether a word may stand for a value that is not there. */
const WORDED = new Uint8Array((LONGEST_WORDED + 1) * (ASCII + 1))
for (const word of WORDED_ABSENCES) WORDED[wordAt(word)] = 1

function wordAt(text: string): number {
  return text.length * (ASCII + 1) + (text.charCodeAt(0) | LOWER_CASE)
}

const isLetterOrDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | LOWER_CASE) >= 0x61 && (code | LOWER_CASE) <= 0x7a)

/**
 * Whether `readText` surely gives a text back as it stands, without a flag: printable ASCII that begins with a letter or
 * a digit and holds nothing that any reader looks for. One pass instead of many; false proves nothing.
 */
export function isPlainText(raw: string): boolean {
  const { length } = raw
  if (length === 0 || !isLetterOrDigit(raw.charCodeAt(0))) return false
  if (length <= LONGEST_WORDED && WORDED[wordAt(raw)] === 1) return false
  let before = ORDINARY
  for (let at = 0; at < length; at++) {
    const code = raw.charCodeAt(at)
    if (code >= ASCII) return false
    const kind = KINDS[code] ?? TELLING
    if (kind !== ORDINARY && (kind === TELLING || kind === before)) return false
    before = kind
  }
  return before !== SPACE
}
