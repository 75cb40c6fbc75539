import { type GreyImage, shrink } from './grey.ts'

/** How the lines of text lie in a picture. */
export interface Slant {
  /** True when they run from top to bottom or from bottom to top. */
  readonly sideways: boolean
  /** By how much they are turned from level, or from upright when sideways: radians, clockwise. */
  readonly angle: number
}

/** Work is done on a picture of about this width; finer detail says nothing about the direction of lines. */
const WORK_WIDTH = 800
const MOST_POINTS = 150_000
const DEGREE = Math.PI / 180
const WIDEST = 8
const COARSE = 0.5
const FINE = 0.1
/** Less than this is nothing a reader minds, in degrees. */
const LEVEL = 0.2

interface Points {
  readonly x: Float32Array
  readonly y: Float32Array
  readonly width: number
  readonly height: number
}

/** Finds how the lines lie, by the angle at which ink gathers most sharply into rows; null for a page without ink. */
export function slantOf(image: GreyImage): Slant | null {
  const points = inkOf(shrink(image, Math.max(1, Math.round(Math.max(image.width, image.height) / WORK_WIDTH))))
  if (points.x.length === 0) return null
  const turned: Points = { x: points.y, y: points.x, width: points.height, height: points.width }
  const level = sharpest(points)
  const upright = sharpest(turned)
  const sideways = upright.sharpness > level.sharpness
  const degrees = sideways ? -upright.degrees : level.degrees
  return { sideways, angle: Math.abs(degrees) < LEVEL ? 0 : degrees * DEGREE }
}

/** The dark points of a picture, thinned out when they are many. */
function inkOf({ width, height, data }: GreyImage): Points {
  const threshold = thresholdOf(data)
  const dark: number[] = []
  for (let at = 0; at < data.length; at++) if ((data[at] ?? 255) < threshold) dark.push(at)
  const step = Math.max(1, Math.ceil(dark.length / MOST_POINTS))
  const count = Math.floor(dark.length / step)
  const x = new Float32Array(count)
  const y = new Float32Array(count)
  for (let index = 0; index < count; index++) {
    const at = dark[index * step] ?? 0
    x[index] = at % width
    y[index] = Math.floor(at / width)
  }
  return { x, y, width, height }
}

/** Otsu's threshold: the one that parts the shades into the two most distinct groups. 0 when all are alike. */
function thresholdOf(data: Uint8Array): number {
  const counts = new Uint32Array(256)
  for (const shade of data) counts[shade] = (counts[shade] ?? 0) + 1
  const whole = counts.reduce((sum, count, shade) => sum + count * shade, 0)
  let [below, sumBelow, best, threshold] = [0, 0, 0, 0]
  for (let shade = 0; shade < 255; shade++) {
    below += counts[shade] ?? 0
    sumBelow += shade * (counts[shade] ?? 0)
    const above = data.length - below
    if (below === 0 || above === 0) continue
    const apart = (sumBelow / below - (whole - sumBelow) / above) ** 2 * below * above
    if (apart > best) [best, threshold] = [apart, shade + 1]
  }
  return threshold
}

function sharpest(points: Points): { degrees: number; sharpness: number } {
  let best = { degrees: 0, sharpness: sharpnessAt(points, 0) }
  const attempt = (degrees: number): void => {
    const sharpness = sharpnessAt(points, degrees)
    if (sharpness > best.sharpness) best = { degrees, sharpness }
  }
  for (let degrees = -WIDEST; degrees <= WIDEST; degrees += COARSE) attempt(degrees)
  const coarse = best.degrees
  for (let degrees = coarse - COARSE; degrees <= coarse + COARSE; degrees += FINE) attempt(degrees)
  return best
}

/** How much ink changes from row to row when rows run at this angle, clockwise; rows of letters and gaps change most. */
function sharpnessAt({ x, y, width, height }: Points, degrees: number): number {
  const slope = Math.tan(degrees * DEGREE)
  const shift = Math.abs(slope) * width
  const rows = new Uint32Array(Math.ceil(height + 2 * shift) + 2)
  for (let index = 0; index < x.length; index++) {
    const row = Math.round((y[index] ?? 0) - (x[index] ?? 0) * slope + shift)
    rows[row] = (rows[row] ?? 0) + 1
  }
  let sum = 0
  for (let row = 1; row < rows.length; row++) sum += ((rows[row] ?? 0) - (rows[row - 1] ?? 0)) ** 2
  // Longer rows gather more ink.
  return sum / width
}
