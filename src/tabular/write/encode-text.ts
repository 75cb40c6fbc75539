import type { Encoding } from '../text/encodings.ts'
import { isMultiByte } from '../text/multi-byte.ts'
import { encodeMultiByte } from './encode-multi-byte.ts'

const REPLACEMENT = 0x3f

const tables = new Map<Encoding, ReadonlyMap<string, number>>()

/** Character → byte of a single-byte encoding. */
function bytesOf(encoding: Encoding): ReadonlyMap<string, number> {
  let table = tables.get(encoding)
  if (table === undefined) {
    const decoder = new TextDecoder(encoding === 'ascii' ? 'utf-8' : encoding)
    const high = encoding === 'ascii' ? 0 : 128
    table = new Map(
      Array.from({ length: 128 + high }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const)
    )
    tables.set(encoding, table)
  }
  return table
}

function utf32(text: string, isLittle: boolean): Buffer {
  const points = Array.from(text, character => character.codePointAt(0) ?? REPLACEMENT)
  const bytes = Buffer.alloc(points.length * 4)
  points.forEach((point, at) => (isLittle ? bytes.writeUInt32LE(point, at * 4) : bytes.writeUInt32BE(point, at * 4)))
  return bytes
}

/** Text as bytes of an encoding. A character that the encoding does not have becomes a question mark. */
export function encodeText(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text, 'utf8')
    case 'utf-16le':
      return Buffer.from(text, 'utf16le')
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16()
    case 'utf-32le':
    case 'utf-32be':
      return utf32(text, encoding === 'utf-32le')
    default: {
      if (isMultiByte(encoding)) return encodeMultiByte(text, encoding)
      const table = bytesOf(encoding)
      return Buffer.from(Array.from(text, character => table.get(character) ?? REPLACEMENT))
    }
  }
}
