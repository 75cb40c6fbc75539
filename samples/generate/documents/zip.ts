import { constants, crc32, deflateRawSync } from 'node:zlib'

/** 1 January 1980, the earliest a ZIP can state: the same archive at every run. */
const DOS_DATE = 0x0021
const FLAG_UTF8 = 0x0800
const METHOD_DEFLATE = 8

/**
 * A ZIP archive of the entries in their order. The same input gives the same bytes on every machine:
 * Huffman coding alone is used, because how matches are searched differs between builds of zlib.
 */
export function zipOf(entries: readonly (readonly [name: string, content: Buffer])[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of entries) {
    const path = Buffer.from(name, 'utf8')
    const packed = deflateRawSync(content, { strategy: constants.Z_HUFFMAN_ONLY })
    const facts = factsOf(content, packed.length, path.length)
    const local = Buffer.concat([signature(0x04034b50), facts, path, packed])
    directory.push(signature(0x02014b50), uint16(20), facts, directoryTail(offset), path)
    locals.push(local)
    offset += local.length
  }
  const central = Buffer.concat(directory)
  return Buffer.concat([...locals, central, endOf(entries.length, central.length, offset)])
}

/** The 26 bytes that a local header and a directory entry have in common. */
function factsOf(content: Buffer, packedLength: number, nameLength: number): Buffer {
  const sizes = Buffer.alloc(12)
  sizes.writeUInt32LE(crc32(content), 0)
  sizes.writeUInt32LE(packedLength, 4)
  sizes.writeUInt32LE(content.length, 8)
  const start = [uint16(20), uint16(FLAG_UTF8), uint16(METHOD_DEFLATE), uint16(0), uint16(DOS_DATE)]
  return Buffer.concat([...start, sizes, uint16(nameLength), uint16(0)])
}

/** Comment length, disk, both attribute fields, and where the local header stands. */
function directoryTail(offset: number): Buffer {
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(offset, 10)
  return tail
}

function endOf(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return end
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}
