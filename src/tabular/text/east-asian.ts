import type { MultiByte } from './encoding-names.ts'
import { decodeMultiByte } from './multi-byte.ts'
import { CELL_BYTES } from './survey.ts'

/** An encoding that a text may have, and how well it reads in it (0–1). */
export interface Reading {
  readonly encoding: MultiByte
  readonly score: number
}

/** Share of the cells that must be text in the encoding at all. */
const DECODED_SHARE = 0.98
/** Score from which a reading is believed, and by how much it must lead. */
const BELIEVED = 0.8
const LEAD = 0.15

const KANA = /[\u3041-\u30ff]/
const HANGUL = /[\uac00-\ud7a3]/
const HAN = /[\u4e00-\u9fff]/
/** A character of several bytes beside a Latin letter: Western text read in pairs. */
const TORN = /[A-Za-z](?=[\u4e00-\u9fff\uac00-\ud7a3\uff61-\uff9f])|[\u4e00-\u9fff\uac00-\ud7a3\uff61-\uff9f](?=[a-z])/g

/** First bytes of the characters that are in everyday use; each standard puts them before the rare ones. */
const EVERYDAY: Readonly<Record<MultiByte, readonly [number, number]>> = {
  'euc-jp': [0xb0, 0xcf],
  'iso-2022-jp': [0, 0],
  shift_jis: [0x88, 0x97],
  uhc: [0xb0, 0xc8],
  big5: [0xa4, 0xc6],
  gb18030: [0xb0, 0xd7]
}

/**
 * The encoding of Japanese, Korean or Chinese text in which nearly all characters are in everyday use; null when none is,
 * or when two are: kanji alone may be common Chinese characters too, and then nothing is guessed.
 */
export function pickEastAsian(cells: readonly string[]): Reading | null {
  const encodings: readonly MultiByte[] = ['euc-jp', 'shift_jis', 'uhc', 'big5', 'gb18030']
  const readings = encodings
    .map(encoding => ({ encoding, score: scoreIn(encoding, cells) }))
    .toSorted((left, right) => right.score - left.score)
  const [best, next] = readings
  if (best === undefined || best.score < BELIEVED) return null
  return next !== undefined && next.score > best.score - LEAD ? null : best
}

/** Fewer prove nothing. */
const LEAST_CHARACTERS = 4
/** From so many characters on, every language has used all parts of its range. */
const TELLING_CHARACTERS = 20
/** Least share of characters in the part of the range that only this standard's everyday characters reach. */
const LEAST_SPREAD = 0.05

function scoreIn(encoding: MultiByte, cells: readonly string[]): number {
  let decoded = 0
  let good = 0
  let all = 0
  let spread = 0
  for (const cell of cells) {
    const bytes = Buffer.from(cell, 'latin1')
    const text = decodeCut(bytes, encoding)
    if (text === null) continue
    decoded++
    const counts = judge(encoding, text, bytes)
    good += counts.good
    all += counts.all
    spread += counts.spread
  }
  if (decoded < cells.length * DECODED_SHARE || all < LEAST_CHARACTERS) return 0
  const isNarrow = all >= TELLING_CHARACTERS && spread < all * LEAST_SPREAD
  return Math.max(0, good / all) * (isNarrow ? 0.5 : 1)
}

/** The text; where the survey cut the cell, maybe inside a character, without its last bytes. */
function decodeCut(bytes: Buffer, encoding: MultiByte): string | null {
  const mostLeft = bytes.length < CELL_BYTES ? 0 : 3
  for (let left = 0; left <= mostLeft; left++) {
    const text = decodeMultiByte(bytes.subarray(0, bytes.length - left), encoding)
    if (text !== null) return text
  }
  return null
}

interface Counts {
  /** Characters that tell, and those of them that the language uses every day. */
  readonly all: number
  readonly good: number
  /** Those that Korean, whose syllables fill one part of the range, would not have. */
  readonly spread: number
}

function judge(encoding: MultiByte, text: string, bytes: Buffer): Counts {
  let at = 0
  let good = 0
  let all = 0
  let spread = 0
  for (const letter of text) {
    const lead = bytes[at] ?? 0
    const size = sizeOf(encoding, bytes, at)
    at += size
    // Punctuation and full-width forms are the same rows in all of the standards.
    if (lead < 0x80 || (size > 1 && !KANA.test(letter) && !HANGUL.test(letter) && !HAN.test(letter))) continue
    all++
    const last = bytes[at - 1] ?? 0
    if (isUsual(encoding, letter, lead, last)) good++
    if (isBeyondKorean(encoding, letter, lead, last)) spread++
  }
  return { good: good - (text.match(TORN)?.length ?? 0) * 2, all, spread }
}

function isUsual(encoding: MultiByte, letter: string, lead: number, last: number): boolean {
  const [from, to] = EVERYDAY[encoding]
  const isEveryday = lead >= from && lead <= to
  if (encoding === 'uhc') return HANGUL.test(letter) && isEveryday && last > 0xa0
  if (encoding === 'euc-jp' || encoding === 'shift_jis') return KANA.test(letter) || (HAN.test(letter) && isEveryday)
  return HAN.test(letter) && isEveryday && (encoding === 'big5' || last > 0xa0)
}

function isBeyondKorean(encoding: MultiByte, letter: string, lead: number, last: number): boolean {
  if (encoding === 'uhc' || encoding === 'shift_jis') return true
  return encoding === 'big5' ? last < 0x80 : lead > 0xc8 || KANA.test(letter)
}

function sizeOf(encoding: MultiByte, bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0
  if (lead <= 0x80) return 1
  if (encoding === 'shift_jis') return lead >= 0xa0 && lead <= 0xdf ? 1 : 2
  if (encoding === 'euc-jp') return lead === 0x8f ? 3 : 2
  const second = bytes[at + 1] ?? 0
  return encoding === 'gb18030' && second >= 0x30 && second <= 0x39 ? 4 : 2
}
