import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const GREY = 0
const COLOUR = 2

export interface Bitmap {
  readonly width: number
  readonly height: number
  /** Red, green and blue of each pixel, row by row. */
  readonly rgb: Uint8Array
}

/** A picture as PNG, in greys when it has no colours. */
export function encodePng({ width, height, rgb }: Bitmap): Buffer {
  const isGrey = hasNoColour(rgb)
  const channels = isGrey ? 1 : 3
  // Each row begins with the number of its filter, which is none.
  const rows = Buffer.alloc((width * channels + 1) * height)
  for (let y = 0; y < height; y++) {
    const from = y * width * 3
    const to = y * (width * channels + 1) + 1
    if (!isGrey) rows.set(rgb.subarray(from, from + width * 3), to)
    else for (let x = 0; x < width; x++) rows[to + x] = rgb[from + x * 3] ?? 0
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  header[9] = isGrey ? GREY : COLOUR
  return Buffer.concat([
    SIGNATURE,
    chunkOf('IHDR', header),
    chunkOf('IDAT', deflateSync(rows, { level: 6 })),
    chunkOf('IEND', Buffer.alloc(0))
  ])
}

function hasNoColour(rgb: Uint8Array): boolean {
  for (let at = 0; at < rgb.length; at += 3) {
    if (rgb[at] !== rgb[at + 1] || rgb[at] !== rgb[at + 2]) return false
  }
  return true
}

function chunkOf(name: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length)
  chunk.write(name, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}
