import { isAscii, isUtf8 } from 'node:buffer'

/** `ascii` stands for "not decided": rows with other bytes are held. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'utf-32le',
  'utf-32be',
  'ascii',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'iso-8859-2',
  'iso-8859-15',
  'koi8-r',
  'macintosh'
] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Labels clients declare, beside the names above. As on the web, Latin-1 means windows-1252. */
const ALIASES: Readonly<Record<string, Encoding>> = {
  utf8: 'utf-8',
  'us-ascii': 'utf-8',
  'utf-16': 'utf-16le',
  'utf-32': 'utf-32le',
  latin1: 'windows-1252',
  'latin-1': 'windows-1252',
  'iso-8859-1': 'windows-1252',
  cp1252: 'windows-1252',
  cp1250: 'windows-1250',
  cp1251: 'windows-1251',
  'iso-8859-9': 'windows-1254',
  'mac-roman': 'macintosh'
}

/** The encoding a declared label means, or null for one that is not read. */
export function encodingOf(label: string): Encoding | null {
  const folded = label.trim().toLowerCase()
  const known = ENCODINGS.find(name => name === folded && name !== 'ascii')
  return known ?? (Object.hasOwn(ALIASES, folded) ? (ALIASES[folded] ?? null) : null)
}

/** Bytes of one code unit. Structural characters (delimiter, quote, line end, brackets) are one unit in each encoding read. */
export function unitBytes(encoding: Encoding): 1 | 2 | 4 {
  if (encoding.startsWith('utf-16')) return 2
  return encoding.startsWith('utf-32') ? 4 : 1
}

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

/** UTF-8, UTF-16LE and single-byte text, or null where the bytes are not text in the encoding. */
export function decodeStrict(bytes: Buffer, encoding: Encoding): string | null {
  if (encoding === 'utf-8') return isUtf8(bytes) ? bytes.toString('utf8') : null
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
