import { checkSize, ImageFault } from './image-fault.ts'
import { orientationIn, rotationOf } from './orientation.ts'
import type { PicturePage } from './write-pdf.ts'

const COLOURS: Readonly<Record<number, string>> = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' }
const INCH = 1
const CENTIMETRES_PER_INCH = 2.54

interface Facts {
  width: number
  height: number
  components: number
  orientation: number
  resolution: readonly [number, number] | null
  isAdobe: boolean
}

/** A JPEG as one page, its data as it is. Throws an ImageFault. */
export function readJpeg(bytes: Buffer): PicturePage[] {
  const { width, height, components, orientation, resolution, isAdobe } = factsOf(bytes)
  checkSize(width, height)
  const colours = COLOURS[components]
  if (!colours) throw new ImageFault('FILE_TYPE_UNSUPPORTED')
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < 0) throw new ImageFault('FILE_TRUNCATED')
  // Adobe's programs write the four inks inverted.
  const decode = components === 4 && isAdobe ? ' /Decode [1 0 1 0 1 0 1 0]' : ''
  const entries = `/Filter /DCTDecode /ColorSpace ${colours} /BitsPerComponent 8${decode}`
  const part = { x: 0, y: 0, width, height, entries, data: bytes }
  return [{ width, height, resolution, rotate: rotationOf(orientation), parts: [part] }]
}

/** Reads the segments in front of the picture's data. */
function factsOf(bytes: Buffer): Facts {
  const facts: Facts = { width: 0, height: 0, components: 0, orientation: 1, resolution: null, isAdobe: false }
  let at = 2
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) throw new ImageFault('FILE_CORRUPT')
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    const segment = bytes.subarray(at + 4, at + 2 + length)
    if (isFrame(marker) && segment.length >= 6) {
      return {
        ...facts,
        height: segment.readUInt16BE(1),
        width: segment.readUInt16BE(3),
        components: segment[5] ?? 0
      }
    }
    if (length < 2 || marker === 0xda) throw new ImageFault('FILE_CORRUPT')
    noteSegment(marker, segment, facts)
    at += 2 + length
  }
  throw new ImageFault('FILE_TRUNCATED')
}

/** Frames are C0 to CF but for the tables C4 and CC, and C8. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function noteSegment(marker: number, segment: Buffer, facts: Facts): void {
  const starts = (text: string): boolean => segment.subarray(0, text.length).toString('latin1') === text
  if (marker === 0xee && starts('Adobe')) facts.isAdobe = true
  if (marker === 0xe1 && starts('Exif\0\0')) facts.orientation = orientationIn(segment.subarray(6))
  if (marker === 0xe0 && starts('JFIF\0') && segment.length >= 12) {
    const unit = segment[7]
    const dots = [segment.readUInt16BE(8), segment.readUInt16BE(10)].map(count =>
      unit === INCH ? count : count * CENTIMETRES_PER_INCH
    )
    if (unit !== 0) facts.resolution = [dots[0] ?? 0, dots[1] ?? 0]
  }
}
