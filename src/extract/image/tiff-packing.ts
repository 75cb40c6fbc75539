import { ImageFault } from './image-fault.ts'
import type { TiffDirectory } from './tiff-file.ts'
import { TAG } from './tiff-tags.ts'
import type { PicturePart } from './write-pdf.ts'

type Packed = Pick<PicturePart, 'entries' | 'data' | 'side'>

const COMPRESSION = {
  none: 1,
  runs: 2,
  fax3: 3,
  fax4: 4,
  lzw: 5,
  jpeg: 7,
  deflate: 8,
  packBits: 32_773,
  oldDeflate: 32_946
}
const WHITE_IS_ZERO = 0
const RGB = 2
const PALETTE = 3
const CMYK = 5
const YCBCR = 6
const TWO_DIMENSIONS = 1
const BYTE_ALIGNED = 4
const MARKER_BYTES = 2

/** How the data of a picture's parts is written into a PDF: what is the same for all of them is found out once. */
export function packingOf(directory: TiffDirectory): (data: Buffer, size: { width: number; height: number }) => Packed {
  const compression = directory.first(TAG.compression, COMPRESSION.none)
  const samples = directory.first(TAG.samples, 1)
  const bits = directory.first(TAG.bits, 1)
  const photometric = directory.first(TAG.photometric, WHITE_IS_ZERO)
  const isReadable = directory.first(TAG.planar, 1) === 1 || samples === 1
  if (!isReadable || ![1, 2, 4, 8].includes(bits)) throw new ImageFault('FILE_TYPE_UNSUPPORTED')
  const { colours, side } = coloursOf(directory, photometric, samples, compression)
  const isFax = [COMPRESSION.runs, COMPRESSION.fax3, COMPRESSION.fax4].includes(compression)
  const decode = photometric === WHITE_IS_ZERO && !isFax ? ' /Decode [1 0]' : ''
  const base = `/ColorSpace ${colours} /BitsPerComponent ${bits}${decode}`
  const isReversed = directory.first(TAG.fillOrder, 1) === 2
  const tables = compression === COMPRESSION.jpeg ? directory.bytes(TAG.jpegTables) : Buffer.alloc(0)
  return (data, { width, height }) => {
    const filter = filterOf(directory, compression, { width, height, samples, bits, photometric })
    const straight = isReversed ? reverseBits(data) : data
    const whole = tables.length > 0 ? withTables(tables, straight) : straight
    return { entries: `${filter} ${base}`, data: whole, ...(side ? { side } : {}) }
  }
}

interface Shape {
  readonly width: number
  readonly height: number
  readonly samples: number
  readonly bits: number
  readonly photometric: number
}

function filterOf(directory: TiffDirectory, compression: number, shape: Shape): string {
  const { width, height, samples, bits, photometric } = shape
  const predictor = directory.first(TAG.predictor, 1)
  const packing =
    predictor === 2
      ? ` /DecodeParms << /Predictor 2 /Colors ${samples} /BitsPerComponent ${bits} /Columns ${width} >>`
      : ''
  const options = directory.first(TAG.faxOptions, 0)
  const black = photometric === WHITE_IS_ZERO ? '' : ' /BlackIs1 true'
  const fax = (k: number, aligned: boolean): string =>
    `/Filter /CCITTFaxDecode /DecodeParms << /K ${k} /Columns ${width} /Rows ${height} /EndOfBlock false${aligned ? ' /EncodedByteAlign true' : ''}${black} >>`
  switch (compression) {
    case COMPRESSION.none:
      return ''
    case COMPRESSION.runs:
      return fax(0, true)
    case COMPRESSION.fax3:
      return fax((options & TWO_DIMENSIONS) === 0 ? 0 : 1, (options & BYTE_ALIGNED) !== 0)
    case COMPRESSION.fax4:
      return fax(-1, false)
    case COMPRESSION.lzw:
      return `/Filter /LZWDecode${packing}`
    case COMPRESSION.jpeg:
      return `/Filter /DCTDecode /DecodeParms << /ColorTransform ${photometric === YCBCR ? 1 : 0} >>`
    case COMPRESSION.deflate:
    case COMPRESSION.oldDeflate:
      return `/Filter /FlateDecode${packing}`
    case COMPRESSION.packBits:
      return '/Filter /RunLengthDecode'
    default:
      throw new ImageFault('FILE_TYPE_UNSUPPORTED')
  }
}

interface Colours {
  readonly colours: string
  readonly side?: PicturePart['side']
}

function coloursOf(directory: TiffDirectory, photometric: number, samples: number, compression: number): Colours {
  if (photometric === PALETTE && samples === 1) return { colours: indexed(directory.all(TAG.colourMap)) }
  if (photometric <= 1 && samples === 1) return { colours: '/DeviceGray' }
  if (photometric <= 1 && samples === 2) return withoutLast(2, '/DeviceGray', 1)
  const isColour = photometric === RGB || (photometric === YCBCR && compression === COMPRESSION.jpeg)
  if (isColour && samples === 3) return { colours: '/DeviceRGB' }
  if (photometric === RGB && samples === 4) return withoutLast(4, '/DeviceRGB', 3)
  if (photometric === CMYK && samples === 4) return { colours: '/DeviceCMYK' }
  throw new ImageFault('FILE_TYPE_UNSUPPORTED')
}

/** Colours with one more sample, for transparency, which is left out. */
function withoutLast(samples: number, into: string, left: number): Colours {
  const names = Array.from({ length: samples }, (_, index) => `/S${index}`).join(' ')
  const range = (count: number): string => Array.from({ length: count }, () => '0 1').join(' ')
  return {
    colours: `[/DeviceN [${names}] ${into} @]`,
    side: { entries: `/FunctionType 4 /Domain [${range(samples)}] /Range [${range(left)}]`, data: Buffer.from('{pop}') }
  }
}

/** The map holds all reds, then all greens, then all blues, of 16 bits each. */
function indexed(map: readonly number[]): string {
  const count = Math.floor(map.length / 3)
  if (count === 0) throw new ImageFault('FILE_CORRUPT')
  const bytes = Array.from({ length: count * 3 }, (_, at) => (map[(at % 3) * count + Math.floor(at / 3)] ?? 0) >> 8)
  return `[/Indexed /DeviceRGB ${count - 1} <${Buffer.from(bytes).toString('hex')}>]`
}

/** Parts packed as JPEG share their tables, which each must have in a file of its own. */
function withTables(tables: Buffer, data: Buffer): Buffer {
  return Buffer.concat([tables.subarray(0, -MARKER_BYTES), data.subarray(MARKER_BYTES)])
}

function reverseBits(data: Buffer): Buffer {
  const reversed = Buffer.alloc(data.length)
  for (const [at, byte] of data.entries()) {
    let bits = 0
    for (let bit = 0; bit < 8; bit++) bits = (bits << 1) | ((byte >> bit) & 1)
    reversed[at] = bits
  }
  return reversed
}
