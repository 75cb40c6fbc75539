import { crc32, deflateRawSync } from 'node:zlib'

export interface MadeEntry {
  /** Bytes are written as they are, without the mark for UTF-8. */
  readonly name: string | Buffer
  readonly content: Buffer
  /** General purpose flags; bit 0 marks encryption. */
  readonly flags?: number
  readonly crc?: number
  /** Size to claim in the headers instead of the true one. */
  readonly claimed?: number
  /** Compression method to claim; 0 also stores the content as it is. */
  readonly method?: number
  /** Deflated content to write instead. */
  readonly deflated?: Buffer
  /** Mode of Unix, file type included. */
  readonly mode?: number
  /** Number of another entry whose place this one names instead of having one. */
  readonly sharesWith?: number
}

/** Builds a ZIP in memory, lies included. */
export function makeZip(entries: readonly MadeEntry[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  const offsets: number[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name)
    const data = entry.deflated ?? (entry.method === 0 ? entry.content : deflateRawSync(entry.content))
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE((entry.flags ?? 0) | (typeof entry.name === 'string' ? 0x800 : 0), 2)
    head.writeUInt16LE(entry.method ?? 8, 4)
    head.writeUInt32LE(entry.crc ?? crc32(entry.content), 10)
    head.writeUInt32LE(data.length, 14)
    head.writeUInt32LE(entry.claimed ?? entry.content.length, 18)
    head.writeUInt16LE(name.length, 22)
    const start = Buffer.concat([Buffer.from('PK\x03\x04'), head, name, data])
    const place = entry.sharesWith === undefined ? offset : (offsets[entry.sharesWith] ?? 0)
    offsets.push(place)
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(((entry.mode ?? 0) << 16) >>> 0, 6)
    tail.writeUInt32LE(place, 10)
    const madeBy = entry.mode === undefined ? '\x14\x00' : '\x14\x03'
    central.push(Buffer.concat([Buffer.from(`PK\x01\x02${madeBy}`), head, tail, name]))
    if (entry.sharesWith !== undefined) continue
    local.push(start)
    offset += start.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...local, directory, Buffer.from('PK\x05\x06'), end])
}
