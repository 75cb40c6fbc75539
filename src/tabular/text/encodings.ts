import { isAscii, isUtf8 } from 'node:buffer'
import type { Encoding } from './encoding-names.ts'
import { decodeMultiByte, isMultiByte } from './multi-byte.ts'

export { type Encoding, encodingOf, unitBytes } from './encoding-names.ts'

const tables = new Map<Encoding, readonly string[]>()

function tableOf(encoding: Encoding): readonly string[] {
  let table = tables.get(encoding)
  if (table === undefined) {
    const decoder = new TextDecoder(encoding)
    table = Array.from({ length: 256 }, (_, byte) => decoder.decode(Uint8Array.of(byte)))
    tables.set(encoding, table)
  }
  return table
}

/** Characters no single-byte text means: C1 controls other than NEL, and the replacement for unassigned bytes. */
const UNASSIGNED = /[\u0080-\u0084\u0086-\u009f\ufffd]/

/** Text of a single-byte encoding, with the C1 controls of bytes it does not assign. */
export function decodeSingleByte(bytes: Buffer, encoding: Encoding): string {
  const table = tableOf(encoding)
  return bytes.toString('latin1').replace(/[\x80-\xff]/g, unit => table[unit.charCodeAt(0)] ?? '\ufffd')
}

/** UTF-8, single-byte and multi-byte text, or null where the bytes are not text in the encoding. */
export function decodeStrict(bytes: Buffer, encoding: Encoding): string | null {
  if (encoding === 'utf-8') return isUtf8(bytes) ? bytes.toString('utf8') : null
  if (isMultiByte(encoding)) return decodeMultiByte(bytes, encoding)
  if (isAscii(bytes)) return bytes.toString('latin1')
  // Bytes that are also valid UTF-8 have two readings, and the second is the likelier one.
  if (encoding === 'ascii' || isUtf8(bytes)) return null
  const text = decodeSingleByte(bytes, encoding)
  return UNASSIGNED.test(text) ? null : text
}

/** Code points of UTF-32 units; null where one is no character. */
export function decodeCodePoints(codes: Uint32Array): string | null {
  let text = ''
  for (const code of codes) {
    if (code > 0x10ffff) return null
    text += String.fromCodePoint(code)
  }
  return text
}

/** What cannot be stored as text made visible: bytes that are no text as `\xE9`, NUL and halves of characters as `\u0000`. */
export function escapeBytes(bytes: Buffer): string {
  let text = ''
  let from = 0
  while (from < bytes.length) {
    let to = from + 1
    while (to < Math.min(bytes.length, from + 4) && ((bytes[to] ?? 0) & 0xc0) === 0x80) to++
    const piece = bytes.subarray(from, to)
    if (isUtf8(piece)) text += piece.toString('utf8')
    else text += [...piece].map(byte => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${hex(byte, 2)}`)).join('')
    from = to
  }
  return escapeText(text)
}

/** Text with NUL and lone surrogates written as `\u0000`: what the database takes. */
export function escapeText(text: string): string {
  if (isStorable(text)) return text
  return text.replace(/\0|\p{Surrogate}/gu, unit => `\\u${hex(unit.charCodeAt(0), 4)}`)
}

/** Whether Postgres can hold the text. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function hex(code: number, digits: number): string {
  return code.toString(16).toUpperCase().padStart(digits, '0')
}
