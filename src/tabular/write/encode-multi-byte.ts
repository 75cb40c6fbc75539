import type { MultiByte } from '../text/encoding-names.ts'
import { decodeMultiByte } from '../text/multi-byte.ts'

const REPLACEMENT = Buffer.from('?')
/** Escapes of ISO-2022-JP to JIS X 0208 and back to ASCII. */
const TO_JIS = Buffer.from('\x1b$B', 'latin1')
const TO_ASCII = Buffer.from('\x1b(B', 'latin1')

const tables = new Map<MultiByte, ReadonlyMap<string, Buffer>>()

/** Character → bytes, for every sequence of up to two bytes, and of four in the basic plane of GB 18030. */
function bytesOf(encoding: MultiByte): ReadonlyMap<string, Buffer> {
  let table = tables.get(encoding)
  if (table === undefined) {
    const made = new Map<string, Buffer>()
    for (const bytes of sequences(encoding)) {
      const text = decodeMultiByte(bytes, encoding)
      if (text !== null && Array.from(text).length === 1 && !made.has(text)) made.set(text, bytes)
    }
    table = made
    tables.set(encoding, table)
  }
  return table
}

function* sequences(encoding: MultiByte): Generator<Buffer> {
  for (let byte = 0; byte < 0x100; byte++) yield Buffer.from([byte])
  for (let lead = 0x81; lead < 0xff; lead++) {
    for (let second = 0x40; second < 0xff; second++) yield Buffer.from([lead, second])
  }
  if (encoding !== 'gb18030') return
  // The linear part of the standard, up to U+FFFF.
  for (let index = 0; index < 39_420; index++) {
    const third = Math.floor(index / 10)
    const second = Math.floor(third / 126)
    yield Buffer.from([0x81 + Math.floor(second / 10), 0x30 + (second % 10), 0x81 + (third % 126), 0x30 + (index % 10)])
  }
}

/** Text as bytes of an encoding of several bytes a character; what it does not have becomes a question mark. */
export function encodeMultiByte(text: string, encoding: MultiByte): Buffer {
  if (encoding === 'iso-2022-jp') return encodeEscaped(text)
  const table = bytesOf(encoding)
  return Buffer.concat(Array.from(text, character => table.get(character) ?? REPLACEMENT))
}

/** JIS X 0208 is EUC-JP without the high bits, between escapes. */
function encodeEscaped(text: string): Buffer {
  const table = bytesOf('euc-jp')
  const parts: Buffer[] = []
  let inJis = false
  for (const character of text) {
    const found = table.get(character) ?? REPLACEMENT
    const bytes = found.length === 2 && (found[0] ?? 0) > 0xa0 ? Buffer.from(found.map(byte => byte & 0x7f)) : null
    if ((bytes !== null) !== inJis) parts.push(bytes === null ? TO_ASCII : TO_JIS)
    inJis = bytes !== null
    parts.push(bytes ?? (found.length === 1 ? found : REPLACEMENT))
  }
  if (inJis) parts.push(TO_ASCII)
  return Buffer.concat(parts)
}
