import { pickEastAsian } from './east-asian.ts'
import { type Encoding, encodingOf } from './encodings.ts'
import { decodeMultiByte } from './multi-byte.ts'
import { pickSingleByte } from './single-byte.ts'
import { EncodingSurvey } from './survey.ts'
import { wideEncoding } from './wide.ts'

export interface EncodingDecision {
  readonly encoding: Encoding
  /** Length of the byte order mark, in bytes. */
  readonly bomBytes: number
  /** What it rests on: `bom`, `declared`, `nul-pattern`, `valid`, `mostly-valid`, `escapes`, `words 0.93`, `undecided`. */
  readonly evidence: string
}

const BOMS: readonly (readonly [Encoding, readonly number[]])[] = [
  ['utf-32le', [0xff, 0xfe, 0, 0]],
  ['utf-32be', [0, 0, 0xfe, 0xff]],
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]]
]

/**
 * The encoding where the beginning or the declaration tells it, else null: a byte order mark beats a declared label,
 * which beats the pattern of NULs. `declared` labels that are not read count as not declared.
 */
export function encodingByHead(head: Buffer, declared?: string): EncodingDecision | null {
  for (const [encoding, bom] of BOMS) {
    if (bom.every((byte, index) => head[index] === byte)) return { encoding, bomBytes: bom.length, evidence: 'bom' }
  }
  const named = declared === undefined ? null : encodingOf(declared)
  if (named !== null) return { encoding: named, bomBytes: 0, evidence: 'declared' }
  const wide = wideEncoding(head)
  return wide === null ? null : { encoding: wide, bomBytes: 0, evidence: 'nul-pattern' }
}

/**
 * The encoding by what the bytes of the whole text tell. UTF-8 stands as long as well-formed sequences are not
 * outnumbered: one bad byte spoils its row, not the file.
 */
export function encodingBySurvey(survey: EncodingSurvey): EncodingDecision {
  const { valid, invalid } = survey
  if (valid + invalid === 0 && survey.hasEscapes && areEscaped(survey.cells)) return decision('iso-2022-jp', 'escapes')
  if (invalid === 0) return decision('utf-8', 'valid')
  if (valid >= invalid) return decision('utf-8', `mostly-valid ${valid}:${invalid}`)
  const picked = pickByWords(survey.cells)
  return picked === null
    ? decision('ascii', 'undecided')
    : decision(picked.encoding, `words ${picked.score.toFixed(2)}`)
}

/** The encoding of a text that is all there. */
export function detectEncoding(bytes: Buffer, declared?: string): EncodingDecision {
  const told = encodingByHead(bytes, declared)
  if (told !== null) return told
  const survey = new EncodingSurvey()
  survey.add(bytes, true)
  return encodingBySurvey(survey)
}

const decision = (encoding: Encoding, evidence: string): EncodingDecision => ({ encoding, bomBytes: 0, evidence })

/** Latin, Cyrillic, Greek and the like by their words, East Asian text by its characters; not both. */
function pickByWords(cells: readonly string[]): { encoding: Encoding; score: number } | null {
  const eastAsian = pickEastAsian(cells)
  const single = pickSingleByte(cells)
  if (eastAsian === null) return single && { encoding: single.encoding, score: single.share }
  return single === null ? eastAsian : null
}

/** Whether the escapes are those of ISO-2022-JP and what stands between them is text. */
function areEscaped(cells: readonly string[]): boolean {
  const texts = cells.map(cell => decodeMultiByte(Buffer.from(cell, 'latin1'), 'iso-2022-jp'))
  return texts.some(text => text !== null && /\P{ASCII}/u.test(text)) && texts.every(text => text !== null)
}
