import { decodeSingleByte, type Encoding } from './encodings.ts'

/**
 * In order of preference: an earlier one wins unless a later one reads clearly more words. Western and Central European
 * only: other scripts cannot be told apart by shape, so they are to be declared.
 */
const CANDIDATES = ['windows-1252', 'windows-1254', 'macintosh', 'windows-1250'] as const satisfies readonly Encoding[]

/** Words looked at; more change nothing. */
const MAX_WORDS = 2000
/** Share of words that must read well before an encoding is believed. */
const BELIEVED_SHARE = 0.6
/** A later candidate must read this much more. */
const CLEARLY_MORE = 1.1

/** Marks that stand between or beside letters in honest text. */
const MARKS = /[\u2018\u2019\u201c\u201d\u201e\u2013\u2014\u2026\u00a0°®©™§€£±½¼¾²³·«»•ªº]+/u
/** Marks where honest text has none: these are letters of Central European encodings (`Wa³êsa`, `£ód¼`). */
const MISPLACED_MARK = /[£¹²³]\p{L}|\p{L}[£¼½¾]/u
const LATIN_WORD = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lu}\p{Ll}+\p{Lu}\p{Ll}+)$/u
/** Letters that in these places mean that another encoding was read: Turkish as Western, Japanese as anything. */
const UNLIKELY = /[\u00d0\u00de\u00f0\u00fe\u0192]/

/**
 * The single-byte encoding in which words with bytes beyond ASCII read as words: letters of one script in a usual
 * pattern of cases. Null when none does; then nothing is guessed.
 */
export function pickSingleByte(sample: Buffer): { readonly encoding: Encoding; readonly share: number } | null {
  const words = wordsOf(sample)
  let best: { encoding: Encoding; good: number; share: number } | null = null
  for (const encoding of CANDIDATES) {
    const good = words.filter(word => readsWellIn(encoding, word)).length
    const share = words.length === 0 ? 1 : good / words.length
    if (share < BELIEVED_SHARE) continue
    if (best === null || good > best.good * CLEARLY_MORE) best = { encoding, good, share }
  }
  return best && { encoding: best.encoding, share: best.share }
}

function wordsOf(sample: Buffer): string[] {
  const words = new Set<string>()
  for (const [word] of sample.toString('latin1').matchAll(/[A-Za-z\x80-\xff]+/g)) {
    if (/[\x80-\xff]/.test(word)) words.add(word.slice(0, 40))
    if (words.size >= MAX_WORDS) break
  }
  return [...words]
}

/** Marks split a word as spaces do; ASCII parts say nothing. */
function readsWellIn(encoding: Encoding, word: string): boolean {
  const text = decodeSingleByte(Buffer.from(word, 'latin1'), encoding)
  if (MISPLACED_MARK.test(text)) return false
  const parts = text.split(MARKS)
  return parts.every(part => /^[A-Za-z]*$/.test(part) || readsWell(part))
}

function readsWell(word: string): boolean {
  if (!LATIN_WORD.test(word) || UNLIKELY.test(word)) return false
  // Letters beyond ASCII only, three and more: another script read as Latin.
  return word.length < 3 || /[A-Za-z]/.test(word)
}
