import { type Encoding, MULTI_BYTE, type MultiByte } from './encoding-names.ts'

/** Whether characters of the encoding take one byte or several. */
export const isMultiByte = (encoding: Encoding): encoding is MultiByte =>
  (MULTI_BYTE as readonly Encoding[]).includes(encoding)

/** Stands for a byte that is part of a longer character: never a delimiter, quote mark or line end. */
const PART = 0xff
const ESC = 0x1b
const LF = 10
const CR = 13

/**
 * The bytes for scanning, one unit a byte: those of longer characters that look like ASCII (`|` and `\\` are second bytes
 * of many) are made not to. A line end always ends a character, so that one cut short spoils its own line only.
 */
export function maskParts(bytes: Buffer, encoding: MultiByte): Uint8Array {
  if (encoding === 'euc-jp') return bytes
  return encoding === 'iso-2022-jp' ? maskEscaped(bytes) : maskPairs(bytes, encoding)
}

/** Bytes a character may begin with that is longer than one. */
function isLead(byte: number, encoding: MultiByte): boolean {
  if (encoding !== 'shift_jis') return byte > 0x80 && byte < 0xff
  return (byte > 0x80 && byte < 0xa0) || (byte > 0xdf && byte < 0xfd)
}

function maskPairs(bytes: Buffer, encoding: MultiByte): Uint8Array {
  const masked = Uint8Array.from(bytes)
  for (let at = 0; at < bytes.length; at++) {
    if (!isLead(bytes[at] ?? 0, encoding)) continue
    const second = bytes[at + 1] ?? 0
    if (encoding === 'gb18030' && second >= 0x30 && second <= 0x39) {
      // Four bytes: high, digit, high, digit.
      masked[at + 1] = PART
      const isWhole = (bytes[at + 2] ?? 0) > 0x80 && (bytes[at + 3] ?? 0) >= 0x30 && (bytes[at + 3] ?? 0) <= 0x39
      if (isWhole) masked[at + 3] = PART
      at += isWhole ? 3 : 1
    } else if (second >= 0x40) {
      masked[at + 1] = PART
      at++
    }
  }
  return masked
}

/** Between an escape to a set of characters and the next one back to ASCII or JIS Roman, or the line end, no byte is ASCII. */
function maskEscaped(bytes: Buffer): Uint8Array {
  const masked = Uint8Array.from(bytes)
  let inSet = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === LF || byte === CR) inSet = false
    else if (byte === ESC) {
      inSet = bytes[at + 1] === 0x24 || (bytes[at + 1] === 0x28 && bytes[at + 2] === 0x49)
      masked.fill(PART, at, at + 3)
      at += 2
    } else if (inSet) masked[at] = PART
  }
  return masked
}

const decoders = new Map<MultiByte, InstanceType<typeof TextDecoder>>()

/** C1 controls and private characters, which stand for bytes that the encoding does not assign. */
const UNASSIGNED = /[\u0080-\u0084\u0086-\u009f\ufffd\ue000-\uf8ff]/

/** The text, or null where the bytes are none in the encoding. */
export function decodeMultiByte(bytes: Uint8Array, encoding: MultiByte): string | null {
  let decoder = decoders.get(encoding)
  if (decoder === undefined) {
    decoder = new TextDecoder(encoding === 'uhc' ? 'euc-kr' : encoding, { fatal: true })
    decoders.set(encoding, decoder)
  }
  try {
    const text = decoder.decode(bytes)
    return UNASSIGNED.test(text) ? null : text
  } catch {
    return null
  }
}
