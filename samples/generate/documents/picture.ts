import { constants, crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const WIDTH = 425
const HEIGHT = 550

/** A scanned page too coarse to read, as an 8 bit grey PNG: bars where the lines of text were. */
export function illegibleScan(): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(WIDTH, 0)
  head.writeUInt32BE(HEIGHT, 4)
  head[8] = 8
  const rows = Array.from({ length: HEIGHT }, (_, y) => scanLine(y))
  const pixels = deflateSync(Buffer.concat(rows), { strategy: constants.Z_HUFFMAN_ONLY })
  return Buffer.concat([SIGNATURE, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

function scanLine(y: number): Buffer {
  const line = Buffer.alloc(WIDTH + 1, 0xf4)
  line[0] = 0
  const textRow = Math.floor(y / 14)
  const isInk = y > 40 && y < HEIGHT - 60 && y % 14 < 6
  if (isInk) line.fill(0x8c, 40, 40 + 120 + ((textRow * 53) % 220))
  return line
}

function chunk(kind: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const body = Buffer.concat([Buffer.from(kind, 'latin1'), content])
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
