import { checkSize, ImageFault } from './image-fault.ts'
import { type PngHeader, unpackPng } from './unpack-png.ts'
import type { PicturePage } from './write-pdf.ts'

const METRES_PER_INCH = 0.0254
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }
const DEPTHS = [1, 2, 4, 8, 16]
const PALETTE = 3
const COLOUR = 2

/** A PNG as one page. Plain ones keep their data; interlaced ones and those with transparency are unpacked onto white. */
export function readPng(bytes: Buffer): PicturePage[] {
  const { header, palette, resolution, data } = partsOf(bytes)
  const { width, height, depth, type } = header
  const page = { width, height, resolution, rotate: 0 }
  if (header.interlaced || type > PALETTE) {
    const grey = unpackPng({ ...header, palette }, data)
    const entries = '/ColorSpace /DeviceGray /BitsPerComponent 8'
    return [{ ...page, parts: [{ x: 0, y: 0, width, height, entries, data: grey }] }]
  }
  const colours =
    type === PALETTE
      ? `[/Indexed /DeviceRGB ${Math.floor(palette.length / 3) - 1} <${palette.toString('hex')}>]`
      : type === COLOUR
        ? '/DeviceRGB'
        : '/DeviceGray'
  const packing = `/Predictor 15 /Colors ${header.channels} /BitsPerComponent ${depth} /Columns ${width}`
  const entries = `/Filter /FlateDecode /DecodeParms << ${packing} >> /ColorSpace ${colours} /BitsPerComponent ${depth}`
  return [{ ...page, parts: [{ x: 0, y: 0, width, height, entries, data }] }]
}

interface PngParts {
  readonly header: PngHeader
  readonly palette: Buffer
  readonly resolution: readonly [number, number] | null
  readonly data: Buffer
}

function partsOf(bytes: Buffer): PngParts {
  let header: PngHeader | undefined
  let palette: Buffer = Buffer.alloc(0)
  let resolution: readonly [number, number] | null = null
  const data: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    const body = bytes.subarray(at + 8, at + 8 + length)
    if (body.length < length) break
    if (name === 'IHDR') header = headerOf(body)
    else if (name === 'PLTE') palette = body.subarray(0, 768)
    else if (name === 'pHYs' && body[8] === 1) {
      resolution = [body.readUInt32BE(0) * METRES_PER_INCH, body.readUInt32BE(4) * METRES_PER_INCH]
    } else if (name === 'IDAT') data.push(body)
    else if (name === 'IEND') {
      if (!header || data.length === 0) throw new ImageFault('FILE_CORRUPT')
      return { header, palette, resolution, data: Buffer.concat(data) }
    }
    at += 12 + length
  }
  throw new ImageFault('FILE_TRUNCATED')
}

function headerOf(body: Buffer): PngHeader {
  if (body.length < 13) throw new ImageFault('FILE_CORRUPT')
  const [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)]
  const [depth = 0, type = 0] = [body[8], body[9]]
  checkSize(width, height)
  const channels = CHANNELS[type]
  if (channels === undefined || !DEPTHS.includes(depth) || (type > COLOUR + 1 && depth < 8)) {
    throw new ImageFault('FILE_CORRUPT')
  }
  return { width, height, depth, type, channels, interlaced: body[12] === 1 }
}
