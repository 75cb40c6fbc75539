import type { Json } from '../../../model/json.ts'
import { RegistryFault } from '../../registry.ts'
import { isObject } from '../mapping/pointer.ts'

/** Degrees, longitude first. */
export type Point = readonly [x: number, y: number]
/** Outlines and holes alike: what an odd number of them encloses is inside. */
export type Shape = readonly (readonly Point[])[]

/** Corners of a shape that are looked at, beside a point within it. */
const MOST_CORNERS = 8
/** How far corners are moved inwards: lines of parcels and districts that should be one seldom are, to the foot. */
const INWARDS = 0.1

const badShape = (): RegistryFault => new RegistryFault('transient', 'bad_geometry')

function pointOf(value: Json | undefined, other?: Json): Point {
  const [x, y] = Array.isArray(value) ? (value as readonly Json[]) : [value, other]
  if (typeof x !== 'number' || typeof y !== 'number') throw badShape()
  // Degrees were asked for; anything else would lie nowhere, and that would be read as no district.
  if (Math.abs(x) > 180 || Math.abs(y) > 90) throw new RegistryFault('configuration', 'bad_geometry')
  return [x, y]
}

/** The rings of a polygon, or a point as a ring of its own; null when there is no shape. Throws `RegistryFault`. */
export function readShape(geometry: Json): Shape | null {
  if (geometry === null) return null
  if (!isObject(geometry)) throw badShape()
  const { rings, x, y } = geometry
  if (rings === undefined) return x === undefined || x === null || x === 'NaN' ? null : [[pointOf(x, y)]]
  if (!Array.isArray(rings)) throw badShape()
  const read = rings.map(ring => (Array.isArray(ring) ? ring.map((one: Json) => pointOf(one)) : []))
  return read.some(ring => ring.length > 0) ? read : null
}

/** Each side of a ring, the last one back to the first point. */
function* sidesOf(ring: readonly Point[]): Generator<readonly [Point, Point]> {
  let before = ring.at(-1)
  for (const point of ring) {
    if (before) yield [before, point]
    before = point
  }
}

/** Where the sides of a shape cross a height, from left to right. A side counts its lower end and not its upper one. */
function crossingsAt(shape: Shape, height: number): number[] {
  const found: number[] = []
  for (const ring of shape) {
    for (const [[x1, y1], [x2, y2]] of sidesOf(ring)) {
      if (y1 <= height === y2 <= height) continue
      found.push(x1 + ((height - y1) / (y2 - y1)) * (x2 - x1))
    }
  }
  return found.toSorted((one, other) => one - other)
}

/** Whether a point lies inside a shape (crossings to its left are odd in number). */
function contains(shape: Shape, [x, y]: Point): boolean {
  return crossingsAt(shape, y).filter(crossing => crossing < x).length % 2 === 1
}

/** Tells of many points whether a shape contains them. */
export function createCover(shape: Shape): (point: Point) => boolean {
  let [left, right, bottom, top] = [180, -180, 90, -90]
  for (const [x, y] of shape.flat()) {
    left = Math.min(left, x)
    right = Math.max(right, x)
    bottom = Math.min(bottom, y)
    top = Math.max(top, y)
  }
  return ([x, y]) => x >= left && x <= right && y >= bottom && y <= top && contains(shape, [x, y])
}

/** A point well within a shape: the middle of its widest part at half its height. */
function pointWithin(shape: Shape): Point | undefined {
  let [bottom, top] = [90, -90]
  for (const [, y] of shape.flat()) {
    bottom = Math.min(bottom, y)
    top = Math.max(top, y)
  }
  const height = (bottom + top) / 2
  const crossings = crossingsAt(shape, height)
  let [widest, middle] = [0, Number.NaN]
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const [from = 0, to = 0] = crossings.slice(i, i + 2)
    if (to - from > widest) [widest, middle] = [to - from, (from + to) / 2]
  }
  return Number.isNaN(middle) ? undefined : [middle, height]
}

/**
 * Points that stand for a shape: one well within it and up to eight near its corners, so that a parcel on both sides of a
 * border is seen to be. At least one.
 */
export function samplesOf(shape: Shape): readonly Point[] {
  const inner = pointWithin(shape)
  // Without any width there is nothing to be inside of: a point, or a line.
  if (!inner) return shape.flat().slice(0, 1)
  const corners = shape.flat()
  const step = Math.max(1, Math.ceil(corners.length / MOST_CORNERS))
  const moved = corners
    .filter((_, i) => i % step === 0)
    .map(([x, y]): Point => [x + (inner[0] - x) * INWARDS, y + (inner[1] - y) * INWARDS])
  return [inner, ...moved.filter(point => contains(shape, point))]
}
