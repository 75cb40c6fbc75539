import type { Encoding } from './encodings.ts'

/** Bytes looked at. */
const SAMPLE_BYTES = 16_384
/** Share of units that must be the characters of a text. */
const TEXT_SHARE = 0.99
/** Share of 16-bit units that must be ASCII: delimiters, digits, spaces and line ends, in any language. */
const ASCII_SHARE = 0.08

/** UTF-16 or UTF-32 without a byte order mark, or null: only there is every second or fourth byte NUL so often. */
export function wideEncoding(head: Buffer): Encoding | null {
  const sample = head.subarray(0, SAMPLE_BYTES - (SAMPLE_BYTES % 4))
  if (sample.length < 4 || !sample.includes(0) || isNarrow(sample)) return null
  if (areCodePoints(sample, 'readUInt32LE')) return 'utf-32le'
  if (areCodePoints(sample, 'readUInt32BE')) return 'utf-32be'
  const little = asciiShare(sample, 'readUInt16LE')
  const big = asciiShare(sample, 'readUInt16BE')
  if (little < ASCII_SHARE && big < ASCII_SHARE) return null
  if (little > big * 4) return 'utf-16le'
  return big > little * 4 ? 'utf-16be' : null
}

/** Whether a few NULs stand in what is ASCII otherwise: in wide text of ASCII every second byte would be one. */
function isNarrow(sample: Buffer): boolean {
  let nuls = 0
  for (const byte of sample) {
    if (byte === 0) nuls++
    else if (byte > 126 || (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13)) return false
  }
  return nuls * 4 < sample.length
}

function areCodePoints(sample: Buffer, read: 'readUInt32LE' | 'readUInt32BE'): boolean {
  let good = 0
  const units = Math.floor(sample.length / 4)
  for (let unit = 0; unit < units; unit++) {
    const code = sample[read](unit * 4)
    if (code > 0 && code < 0x110000 && !(code >= 0xd800 && code <= 0xdfff)) good++
  }
  return good >= units * TEXT_SHARE
}

/** Share of units that are printable ASCII, tabs or line ends; 0 where too many are NUL or half a character. */
function asciiShare(sample: Buffer, read: 'readUInt16LE' | 'readUInt16BE'): number {
  let ascii = 0
  let broken = 0
  const units = Math.floor(sample.length / 2)
  for (let unit = 0; unit < units; unit++) {
    const code = sample[read](unit * 2)
    if ((code >= 32 && code < 127) || code === 9 || code === 10 || code === 13) ascii++
    else if (code < 32) broken++
  }
  return broken > units * (1 - TEXT_SHARE) ? 0 : ascii / units
}
