import { crc32, deflateRawSync } from 'node:zlib'

export interface MadeEntry {
  readonly name: string
  readonly content: Buffer
  /** General purpose flags; bit 0 marks encryption. */
  readonly flags?: number
  readonly crc?: number
  /** Size to claim in the headers instead of the true one. */
  readonly claimed?: number
}

/** Builds a ZIP in memory, lies included. */
export function makeZip(entries: readonly MadeEntry[]): Buffer {
  const local: Buffer[] = []
  const central: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const name = Buffer.from(entry.name)
    const data = deflateRawSync(entry.content)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE((entry.flags ?? 0) | 0x800, 2)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(entry.crc ?? crc32(entry.content), 10)
    head.writeUInt32LE(data.length, 14)
    head.writeUInt32LE(entry.claimed ?? entry.content.length, 18)
    head.writeUInt16LE(name.length, 22)
    const start = Buffer.concat([Buffer.from('PK\x03\x04'), head, name, data])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), head, tail, name]))
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
