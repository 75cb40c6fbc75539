import { decodeSingleByte, type Encoding } from './encodings.ts'
import { type Language, LETTER_PAIRS } from './letter-pairs.ts'

const WESTERN = ['es', 'fr', 'de', 'pt', 'it', 'ca', 'nl', 'da', 'nb', 'sv', 'fi', 'sq'] as const
const CENTRAL = ['cs', 'sk', 'pl', 'hu', 'hr', 'sl', 'ro', 'de', 'sq'] as const
const CYRILLIC = ['ru', 'bg', 'uk', 'sr'] as const

/** Languages whose words are looked for. Where two encodings give the same text, the earlier one is named. */
const CANDIDATES: readonly (readonly [Encoding, readonly Language[]])[] = [
  ['windows-1252', WESTERN],
  ['windows-1254', ['tr', 'de', 'fr']],
  ['macintosh', WESTERN],
  ['windows-1250', CENTRAL],
  ['iso-8859-15', WESTERN],
  ['iso-8859-2', CENTRAL],
  ['windows-1257', ['lt', 'lv', 'et', 'de']],
  ['windows-1251', CYRILLIC],
  ['koi8-r', ['ru', 'bg']],
  ['koi8-u', ['uk']],
  ['iso-8859-5', CYRILLIC],
  ['ibm866', ['ru', 'bg', 'uk']],
  ['x-mac-cyrillic', CYRILLIC],
  ['iso-8859-7', ['el']],
  ['windows-1253', ['el']],
  ['windows-1255', ['he']],
  ['windows-1256', ['ar']],
  ['iso-8859-6', ['ar']]
]

/** Words looked at; more change nothing. */
const MAX_WORDS = 4000
/** Share of words that must read well before an encoding is believed. */
const BELIEVED = 0.6
/** Letters from which another script may be believed. */
const TELLING_LETTERS = 6
/** By how much an encoding must lead over those that read another text: words, and a share of all words. */
const LEAD_WORDS = 0.25
/** What offices have on their desks. */
const USUAL: ReadonlySet<Encoding> = new Set(['windows-1252', 'windows-1251'])
/** The same for other encodings: a single word may fit by chance. */
const LEAD_WORDS_RARE = 0.8
const LEAD_SHARE = 0.1

export interface Picked {
  readonly encoding: Encoding
  /** How well the words read, 0–1. */
  readonly share: number
}

interface Reading extends Picked {
  readonly texts: readonly string[]
  readonly scores: readonly number[]
}

/**
 * The single-byte encoding in which the words with bytes beyond ASCII read as words of a language. `cells` hold one
 * character a byte. Null when none does, or when two encodings give different texts that read about as well: then nothing
 * is guessed.
 */
export function pickSingleByte(cells: readonly string[]): Picked | null {
  const words = wordsOf(cells)
  if (words.length === 0) return null
  const readings = CANDIDATES.map(([encoding, languages]) => readIn(encoding, languages, words))
  const best = readings.reduce((left, right) => (right.share > left.share ? right : left))
  if (best.share < BELIEVED) return null
  const rivals = readings.filter(other => other !== best)
  if (!rivals.every(rival => leads(best, rival))) return null
  const usual = readings.find(({ texts }) => texts.every((text, index) => text === best.texts[index])) ?? best
  return named({ ...usual, share: best.share }, words)
}

/** Compared only on words that the two read differently. */
function leads(best: Reading, rival: Reading): boolean {
  let differing = 0
  let lead = 0
  let readByRival = 0
  for (let index = 0; index < best.texts.length; index++) {
    if (best.texts[index] === rival.texts[index]) continue
    differing++
    readByRival += rival.scores[index] ?? 0
    lead += (best.scores[index] ?? 0) - (rival.scores[index] ?? 0)
  }
  const leastWords = USUAL.has(best.encoding) ? LEAD_WORDS : LEAD_WORDS_RARE
  return readByRival === 0 || lead >= Math.max(leastWords, differing * LEAD_SHARE)
}

/** Turkish without typographic marks is the text of ISO 8859-9 as well, which is what it is called then. */
function named({ encoding, share }: Picked, words: readonly string[]): Picked {
  const isIso = encoding === 'windows-1254' && !words.some(word => /[\x80-\x9f]/.test(word))
  return { encoding: isIso ? 'iso-8859-9' : encoding, share }
}

/** Stretches of bytes that are letters in some encoding, with what touches them: a mark or digit beside a letter tells. */
function wordsOf(cells: readonly string[]): string[] {
  const words = new Set<string>()
  for (const cell of cells) {
    for (const [word] of cell.matchAll(
      /(?<![0-9A-Za-z\x80-\xff])[0-9A-Za-z\x80-\xff]*[\x80-\xff][0-9A-Za-z\x80-\xff]*/g
    )) {
      words.add(word.slice(0, 60))
      if (words.size >= MAX_WORDS) return [...words]
    }
  }
  return [...words]
}

function readIn(encoding: Encoding, languages: readonly Language[], words: readonly string[]): Reading {
  const sets = languages.map(pairsOf)
  const isLatin = languages[0] !== undefined && LATIN.has(languages[0])
  const texts = words.map(word => decodeSingleByte(Buffer.from(word, 'latin1'), encoding))
  const isTelling = isLatin || texts.join('').length >= TELLING_LETTERS
  const scores = texts.map(text => (isTelling ? scoreOf(text, sets, isLatin) : 0))
  return { encoding, texts, scores, share: scores.reduce((sum, score) => sum + score, 0) / words.length }
}

const LATIN: ReadonlySet<Language> = new Set([...WESTERN, ...CENTRAL, 'tr', 'lt', 'lv', 'et'])

const pairSets = new Map<Language, ReadonlySet<string>>()

function pairsOf(language: Language): ReadonlySet<string> {
  let pairs = pairSets.get(language)
  if (pairs === undefined) {
    pairs = new Set(LETTER_PAIRS[language].match(/../gu))
    pairSets.set(language, pairs)
  }
  return pairs
}

/** Marks that stand beside letters in honest text; they split a word as spaces do. */
const MARKS =
  /[\u2018\u2019\u201a\u201c\u201d\u201e\u2013\u2014\u2026\u2022\u20ac\u00a0\u00a1\u00bf°®©™§£±½¼¾²³·«»ªº¹]+/u
/** Marks where honest text has none: these are letters of another encoding (`Wa³êsa`, `£ód¼`, `F·tima`, `To–o`). */
const MISPLACED_MARK =
  /\p{L}[^\p{L}\p{Nd}\u2018\u2019\u2013\u2014\u00a0·]+\p{L}|[^lL]·|·[^lL]|[\u2013\u2014](?:\p{Ll}|\p{L}(?!\p{L}))|[£¹²³®™»\u201d]\p{L}|\p{L}[£€¼½¾\u00a1\u00bf„«©]/u
/** An apostrophe inside a word: behind a prefix (`O’Brien`) or before a suffix (`Smith’s`). */
const APOSTROPHES = /^\p{L}{1,2}[\u2018\u2019]|[\u2018\u2019](?:s|t|d|m|n|ll|re|ve)?$/iu
const SHAPE = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lu}\p{Ll}+[A-Z]\p{Ll}+|\p{Lo}+)$/u
/** A letter beyond ASCII beside a digit. */
const BESIDE_DIGIT = /\d[^\P{L}A-Za-z]|[^\P{L}A-Za-z]\d/u
/** A single letter proves little. */
const LONE_LETTER = 0.5

/** How well a word reads in the best of the languages, 0–1. */
function scoreOf(text: string, sets: readonly ReadonlySet<string>[], isLatin: boolean): number {
  const word = text
    .normalize('NFD')
    .replace(/\p{Script=Hebrew}\p{M}+|\p{Script=Arabic}\p{M}+/gu, letter => letter[0] ?? '')
  const composed = word.normalize('NFC')
  if (MISPLACED_MARK.test(composed) || BESIDE_DIGIT.test(composed)) return 0
  if (/\p{L}[\u2018\u2019]|[\u2018\u2019]\p{L}/u.test(composed) && !(isLatin && APOSTROPHES.test(composed))) return 0
  const parts = composed.split(MARKS).filter(part => !/^[A-Za-z0-9]*$/.test(part))
  // Marks alone say nothing of a script.
  if (parts.length === 0) return isLatin ? 1 : 0
  return Math.min(...parts.map(part => partScore(part, sets, isLatin)))
}

function partScore(part: string, sets: readonly ReadonlySet<string>[], isLatin: boolean): number {
  if (!SHAPE.test(part) || (!isLatin && /[A-Za-z]/.test(part))) return 0
  const folded = `_${part.toLowerCase().replaceAll('i\u0307', 'i')}_`
  let all = 0
  const known = sets.map(() => 0)
  for (let at = 0; at + 1 < folded.length; at++) {
    const pair = folded.slice(at, at + 2)
    if (isLatin && !/[^_a-z]/.test(pair)) continue
    all++
    sets.forEach((pairs, index) => {
      if (pairs.has(pair)) known[index] = (known[index] ?? 0) + 1
    })
  }
  const share = Math.max(...known) / Math.max(1, all)
  return part.length === 1 ? Math.min(LONE_LETTER, share) : share
}
