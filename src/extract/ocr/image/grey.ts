/** A picture in shades of grey: one byte a pixel, row by row, 0 black. */
export interface GreyImage {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

const WHITE = 255

/** The brightness of a picture in colours, three bytes a pixel. */
export function toGrey({ width, height, rgb }: { width: number; height: number; rgb: Uint8Array }): GreyImage {
  const data = new Uint8Array(width * height)
  for (let at = 0, from = 0; at < data.length; at++, from += 3) {
    data[at] = (77 * (rgb[from] ?? 0) + 150 * (rgb[from + 1] ?? 0) + 29 * (rgb[from + 2] ?? 0)) >> 8
  }
  return { width, height, data }
}

/** The picture turned clockwise by so many quarters. */
export function turnQuarters(image: GreyImage, quarters: number): GreyImage {
  const { width, height, data } = image
  const turns = ((quarters % 4) + 4) % 4
  if (turns === 0) return image
  if (turns === 2) return { width, height, data: data.toReversed() }
  const turned = new Uint8Array(data.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const to = turns === 1 ? x * height + (height - 1 - y) : (width - 1 - x) * height + y
      turned[to] = data[y * width + x] ?? WHITE
    }
  }
  return { width: height, height: width, data: turned }
}

/** The picture turned about its middle by a small angle (radians, clockwise), on white, of the same size. */
export function rotate(image: GreyImage, angle: number): GreyImage {
  const { width, height, data } = image
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const [middleX, middleY] = [(width - 1) / 2, (height - 1) / 2]
  const rotated = new Uint8Array(data.length).fill(WHITE)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const fromX = (x - middleX) * cos + (y - middleY) * sin + middleX
      const fromY = (y - middleY) * cos - (x - middleX) * sin + middleY
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)]
      if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) continue
      const at = top * width + left
      const [partX, partY] = [fromX - left, fromY - top]
      const above = (data[at] ?? WHITE) * (1 - partX) + (data[at + 1] ?? WHITE) * partX
      const below = (data[at + width] ?? WHITE) * (1 - partX) + (data[at + width + 1] ?? WHITE) * partX
      rotated[y * width + x] = above * (1 - partY) + below * partY
    }
  }
  return { width, height, data: rotated }
}

/** The picture at 1/`factor` of its size, each pixel the mean of those it stands for. */
export function shrink(image: GreyImage, factor: number): GreyImage {
  if (factor <= 1) return image
  const width = Math.floor(image.width / factor)
  const height = Math.floor(image.height / factor)
  const data = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      data[y * width + x] = meanOf(image, x * factor, y * factor, factor)
    }
  }
  return { width, height, data }
}

function meanOf({ width, data }: GreyImage, left: number, top: number, side: number): number {
  let sum = 0
  for (let y = top; y < top + side; y++) {
    for (let x = left; x < left + side; x++) sum += data[y * width + x] ?? WHITE
  }
  return sum / (side * side)
}
