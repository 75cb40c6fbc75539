import { imageOf, type Matrix, type Rectangle } from './geometry.ts'

/** A filled area of the page, clipped. */
export interface Paint extends Rectangle {
  readonly order: number
  /** `#rrggbb`; null for patterns and shadings. */
  readonly colour: string | null
  /** An upright rectangle filled all over with one colour that nothing shows through. */
  readonly solid: boolean
}

/** What of the page can be painted on. Only its bounds are kept; `exact` when it is just these bounds. */
export interface Clip extends Rectangle {
  readonly exact: boolean
}

export const NO_CLIP: Clip = {
  left: Number.NEGATIVE_INFINITY,
  top: Number.NEGATIVE_INFINITY,
  right: Number.POSITIVE_INFINITY,
  bottom: Number.POSITIVE_INFINITY,
  exact: true
}

/** The part of a rectangle inside a clip; null when nothing is left. */
export function clipped(area: Rectangle, clip: Clip): Rectangle | null {
  const left = Math.max(area.left, clip.left)
  const top = Math.max(area.top, clip.top)
  const right = Math.min(area.right, clip.right)
  const bottom = Math.min(area.bottom, clip.bottom)
  return left < right && top < bottom ? { left, top, right, bottom } : null
}

/** Rectangles of one path looked at; a path of more is taken as its bounds. */
const MOST_PARTS = 40
/** Numbers of one corner of a rectangle as pdfjs writes a path: an operator (0 move, 1 line) and a point. */
const MOVE = 0
const LINE = 1
const CLOSE = 4

/** A line of a table is at most this thick, and at least this high or wide, in points. */
const THICKEST = 2.5
const LEAST_WALL = 6
const LEAST_FLOOR = 12

/** Upright lines among areas: what is drawn thin and high. */
export const wallsOf = (areas: readonly Rectangle[]): Rectangle[] =>
  areas.filter(area => area.right - area.left <= THICKEST && area.bottom - area.top >= LEAST_WALL)

/** Level lines among areas: what is drawn thin and wide. */
export const floorsOf = (areas: readonly Rectangle[]): Rectangle[] =>
  areas.filter(area => area.bottom - area.top <= THICKEST && area.right - area.left >= LEAST_FLOOR)

/** The strokes of a path of straight lines, each as the area around it. */
export function strokesOf(data: ArrayLike<number>, matrix: Matrix): Rectangle[] {
  return (partsOf(data) ?? []).flatMap(corners => {
    const [first] = corners
    const closed = first && corners.length > 2 ? [...corners, first] : corners
    return closed.slice(1).map(([x, y], at) => {
      const [fromX, fromY] = closed[at] ?? [x, y]
      return imageOf(matrix, [fromX, fromY, x, y])
    })
  })
}

type Corners = readonly (readonly [number, number])[]

/** The corners of every part of a path of straight lines; null when it has curves or too many parts. */
function partsOf(data: ArrayLike<number>): Corners[] | null {
  const parts: [number, number][][] = []
  for (let at = 0; at < data.length; ) {
    const operator = data[at]
    if (operator === CLOSE) {
      at += 1
      continue
    }
    if (operator !== MOVE && operator !== LINE) return null
    const point: [number, number] = [data[at + 1] ?? 0, data[at + 2] ?? 0]
    if (operator === MOVE) {
      if (parts.length === MOST_PARTS) return null
      parts.push([point])
    } else parts.at(-1)?.push(point)
    at += 3
  }
  return parts
}

function isRectangle(corners: Corners): boolean {
  const [first, second, third, fourth, fifth] = corners
  if (!first || !second || !third || !fourth || corners.length > 5) return false
  if (fifth && (fifth[0] !== first[0] || fifth[1] !== first[1])) return false
  const isTurned = first[0] === second[0]
  const [a, b] = isTurned ? [0, 1] : [1, 0]
  return first[a] === second[a] && second[b] === third[b] && third[a] === fourth[a] && fourth[b] === first[b]
}

const boundsOf = (corners: Corners): readonly [number, number, number, number] => {
  const xs = corners.map(([x]) => x)
  const ys = corners.map(([, y]) => y)
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]
}

const holds = (outer: Rectangle, inner: Rectangle): boolean =>
  outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom

/** A path as upright rectangles of the displayed page; null when it is anything else, such as a frame or a curve. */
export function rectanglesOf(data: ArrayLike<number>, matrix: Matrix): Rectangle[] | null {
  const isUpright = (matrix[1] === 0 && matrix[2] === 0) || (matrix[0] === 0 && matrix[3] === 0)
  const parts = isUpright ? partsOf(data) : null
  if (!parts?.every(isRectangle)) return null
  const areas = parts.map(corners => imageOf(matrix, boundsOf(corners)))
  // One inside another makes a hole or a frame, by the rule of winding.
  const isNested = areas.some((outer, at) => areas.some((inner, other) => at !== other && holds(outer, inner)))
  return isNested ? null : areas
}
