import { inflateSync } from 'node:zlib'

export interface Picture {
  readonly width: number
  readonly height: number
  /** 0 (white) to 1 (black) at a pixel. */
  readonly inkAt: (x: number, y: number) => number
}

/** Reads a PNG as our own writer makes it: 8 bits, grey or red, green and blue, rows without a filter. */
export function readPng(png: Buffer): Picture {
  let header: Buffer | undefined
  const data: Buffer[] = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const name = png.toString('latin1', at + 4, at + 8)
    const body = png.subarray(at + 8, at + 8 + length)
    if (name === 'IHDR') header = body
    if (name === 'IDAT') data.push(body)
    at += 12 + length
  }
  if (!header) throw new Error('a PNG without a header')
  const width = header.readUInt32BE(0)
  const height = header.readUInt32BE(4)
  const channels = header[9] === 0 ? 1 : 3
  const rows = inflateSync(Buffer.concat(data))
  const stride = width * channels + 1
  if (rows.length !== stride * height) throw new Error('a PNG of another size than it says')
  return {
    width,
    height,
    inkAt(x, y) {
      const at = y * stride + 1 + x * channels
      return 1 - (rows[at] ?? 255) / 255
    }
  }
}
