import { isAscii } from 'node:buffer'
import { type Encoding, encodingOf } from './encodings.ts'
import { pickSingleByte } from './single-byte.ts'

export interface EncodingDecision {
  readonly encoding: Encoding
  /** Length of the byte order mark, in bytes. */
  readonly bomBytes: number
  /** What it rests on: `bom`, `declared`, `nul-pattern`, `valid`, `mostly-valid`, `words 0.93`, `undecided`. */
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
 * The encoding of a text by its beginning. A byte order mark beats a declared label, which beats statistics. UTF-8
 * stands as long as well-formed sequences are not outnumbered: one bad byte spoils its row, not the file.
 * `declared` labels that are not read count as not declared.
 */
export function detectEncoding(head: Buffer, declared?: string): EncodingDecision {
  for (const [encoding, bom] of BOMS) {
    if (bom.every((byte, index) => head[index] === byte)) return { encoding, bomBytes: bom.length, evidence: 'bom' }
  }
  const named = declared === undefined ? null : encodingOf(declared)
  if (named !== null) return { encoding: named, bomBytes: 0, evidence: 'declared' }
  const wide = byNulPattern(head.subarray(0, 4096))
  if (wide !== null) return { encoding: wide, bomBytes: 0, evidence: 'nul-pattern' }
  return { bomBytes: 0, ...byBytes(head) }
}

function byNulPattern(sample: Buffer): Encoding | null {
  const share = (place: number): number => {
    const bytes = sample.filter((_, index) => index % 4 === place)
    return bytes.filter(byte => byte === 0).length / Math.max(1, bytes.length)
  }
  const [a, b, c, d] = [share(0), share(1), share(2), share(3)]
  if (sample.length < 4) return null
  if (a < 0.1 && b > 0.4 && c > 0.8 && d > 0.8) return 'utf-32le'
  if (a > 0.8 && b > 0.8 && c > 0.4 && d < 0.1) return 'utf-32be'
  if (a < 0.1 && c < 0.1 && b > 0.4 && d > 0.4) return 'utf-16le'
  if (b < 0.1 && d < 0.1 && a > 0.4 && c > 0.4) return 'utf-16be'
  return null
}

function byBytes(head: Buffer): { encoding: Encoding; evidence: string } {
  if (isAscii(head)) return { encoding: 'utf-8', evidence: 'valid' }
  const { valid, invalid } = countSequences(head)
  if (invalid === 0) return { encoding: 'utf-8', evidence: 'valid' }
  if (valid >= invalid) return { encoding: 'utf-8', evidence: 'mostly-valid' }
  const picked = pickSingleByte(head)
  if (picked === null) return { encoding: 'ascii', evidence: 'undecided' }
  return { encoding: picked.encoding, evidence: `words ${picked.share.toFixed(2)}` }
}

/** Well-formed multi-byte sequences and bytes that belong to none. A sequence cut by the end of the head is neither. */
function countSequences(head: Buffer): { valid: number; invalid: number } {
  let valid = 0
  let invalid = 0
  for (let at = 0; at < head.length; ) {
    const lead = head[at] ?? 0
    if (lead < 0x80) {
      at++
      continue
    }
    const size = sequenceBytes(lead)
    if (size > 0 && at + size > head.length) break
    const isWhole = size > 0 && head.subarray(at + 1, at + size).every(byte => (byte & 0xc0) === 0x80)
    if (isWhole) valid++
    else invalid++
    at += isWhole ? size : 1
  }
  return { valid, invalid }
}

function sequenceBytes(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2
  if (lead >= 0xe0 && lead <= 0xef) return 3
  return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0
}
