import { inflateSync } from 'node:zlib'
import { ImageFault } from './image-fault.ts'

export interface PngHeader {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly type: number
  readonly channels: number
  readonly interlaced: boolean
  /** The colours that the pixels of a palette's picture number, three bytes each. */
  readonly palette?: Buffer
}

interface Pass {
  readonly x: number
  readonly y: number
  readonly stepX: number
  readonly stepY: number
}

const WHOLE: readonly Pass[] = [{ x: 0, y: 0, stepX: 1, stepY: 1 }]
/** The seven passes of Adam7. */
const INTERLACED: readonly Pass[] = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 }
]

const GREY = 0
const PALETTE = 3
const WITH_ALPHA = 4
const WHITE = 255

/** Unpacks a picture to one byte of grey a pixel, what is transparent showing white. */
export function unpackPng(header: PngHeader, data: Buffer): Buffer {
  const { width, height } = header
  const passes = header.interlaced ? INTERLACED : WHOLE
  const sizes = passes.map(pass => ({
    pass,
    columns: Math.ceil((width - pass.x) / pass.stepX),
    rows: Math.ceil((height - pass.y) / pass.stepY)
  }))
  const rowBytes = (columns: number): number => Math.ceil((columns * header.channels * header.depth) / 8)
  const most = sizes.reduce((sum, { columns, rows }) => sum + rows * (rowBytes(columns) + 1), 0)
  const packed = inflate(data, most)
  const grey = Buffer.alloc(width * height, WHITE)
  let at = 0
  for (const { pass, columns, rows } of sizes) {
    if (columns <= 0 || rows <= 0) continue
    let before = new Uint8Array(rowBytes(columns))
    for (let row = 0; row < rows; row++) {
      const line = unfilter(packed.subarray(at, at + before.length + 1), before, header)
      at += before.length + 1
      const to = (pass.y + row * pass.stepY) * width + pass.x
      for (let column = 0; column < columns; column++) grey[to + column * pass.stepX] = shadeAt(line, column, header)
      before = line
    }
  }
  return grey
}

/** Never more than the picture takes, whatever the data unpacks to. */
function inflate(data: Buffer, most: number): Buffer {
  try {
    return inflateSync(data, { maxOutputLength: most, finishFlush: 2 })
  } catch {
    throw new ImageFault('FILE_CORRUPT')
  }
}

/** Undoes the filter that a row names in its first byte. */
function unfilter(row: Buffer, above: Uint8Array, { channels, depth }: PngHeader): Uint8Array<ArrayBuffer> {
  const step = Math.max(1, (channels * depth) / 8)
  const line = new Uint8Array(above.length)
  const filter = row[0] ?? 0
  for (let at = 0; at < line.length; at++) {
    const left = line[at - step] ?? 0
    const up = above[at] ?? 0
    const corner = above[at - step] ?? 0
    line[at] = (row[at + 1] ?? 0) + predicted(filter, left, up, corner)
  }
  return line
}

function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return up
  if (filter === 3) return (left + up) >> 1
  if (filter !== 4) return 0
  const guess = left + up - corner
  const [byLeft, byUp, byCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return byLeft <= byUp && byLeft <= byCorner ? left : byUp <= byCorner ? up : corner
}

function shadeAt(line: Uint8Array, column: number, { type, channels, depth, palette }: PngHeader): number {
  if (depth < 8 || type === PALETTE) {
    const bit = column * depth
    const value = ((line[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
    if (type !== PALETTE) return (value * WHITE) / ((1 << depth) - 1)
    const colour = (channel: number): number => palette?.[value * 3 + channel] ?? WHITE
    return greyOf(colour(0), colour(1), colour(2))
  }
  const wide = depth / 8
  const sample = (channel: number): number => line[(column * channels + channel) * wide] ?? 0
  if (type === GREY) return sample(0)
  const isColour = (type & 2) !== 0
  const shade = isColour ? greyOf(sample(0), sample(1), sample(2)) : sample(0)
  const alpha = (type & WITH_ALPHA) === 0 ? WHITE : sample(channels - 1)
  return Math.round((shade * alpha + WHITE * (WHITE - alpha)) / WHITE)
}

const greyOf = (red: number, green: number, blue: number): number => (77 * red + 150 * green + 29 * blue) >> 8
