import type { Grid, GridCell } from '../../../model/document-text.ts'
import type { Rectangle } from '../draw/geometry.ts'

/** A drawn line: its place across, and from where to where it goes. */
interface Ruling {
  readonly at: number
  readonly from: number
  readonly to: number
}

/** Lines closer than this are one, and this near lines meet, in points. No row or column is as narrow. */
const SAME = 3
/** A line that goes on this far past the last it meets ends at an edge that is not drawn. */
const OPEN = 12
/** Lines of a page, and edges of a table either way; more are those of a drawing. */
const MOST_LINES = 1000
const MOST_EDGES = 300
const MOST_CELLS = 5000

/** Lines on one place that touch, as one. */
function merged(rulings: readonly Ruling[]): Ruling[] {
  const groups: Ruling[][] = []
  for (const ruling of rulings.toSorted((one, other) => one.at - other.at)) {
    const group = groups.at(-1)
    if (group?.[0] && ruling.at - group[0].at < SAME) group.push(ruling)
    else groups.push([ruling])
  }
  return groups.flatMap(group => {
    const at = group.reduce((sum, ruling) => sum + ruling.at, 0) / group.length
    const joined: { at: number; from: number; to: number }[] = []
    for (const { from, to } of group.toSorted((one, other) => one.from - other.from)) {
      const last = joined.at(-1)
      if (last && from - last.to < SAME) last.to = Math.max(last.to, to)
      else joined.push({ at, from, to })
    }
    return joined
  })
}

interface Lines {
  readonly upright: readonly Ruling[]
  readonly level: readonly Ruling[]
}

const meets = (one: Ruling, other: Ruling): boolean =>
  one.at >= other.from - SAME && one.at <= other.to + SAME && other.at >= one.from - SAME && other.at <= one.to + SAME

/** Lines that meet, directly or by way of others. */
function networks({ upright, level }: Lines): Lines[] {
  const owner = [...upright, ...level].map((_, at) => at)
  const ownerOf = (at: number): number => {
    let top = at
    while (owner[top] !== undefined && owner[top] !== top) top = owner[top] ?? top
    owner[at] = top
    return top
  }
  for (const [a, one] of upright.entries()) {
    for (const [b, other] of level.entries()) {
      if (meets(one, other)) owner[ownerOf(a)] = ownerOf(upright.length + b)
    }
  }
  const found = new Map<number, { upright: Ruling[]; level: Ruling[] }>()
  for (const at of owner.keys()) {
    const top = ownerOf(at)
    const network = found.get(top) ?? { upright: [], level: [] }
    found.set(top, network)
    const [line, isUpright] = at < upright.length ? [upright[at], true] : [level[at - upright.length], false]
    if (line) network[isUpright ? 'upright' : 'level'].push(line)
  }
  return [...found.values()]
}

/** The places of lines, and the ends of those across them where these go on into the open. */
function edgesOf(lines: readonly Ruling[], across: readonly Ruling[]): number[] {
  const edges: number[] = []
  for (const { at } of lines.toSorted((one, other) => one.at - other.at)) {
    if (at - (edges.at(-1) ?? Number.NEGATIVE_INFINITY) >= SAME) edges.push(at)
  }
  const [first = 0, last = 0] = [edges[0], edges.at(-1)]
  const from = Math.min(...across.map(line => line.from))
  const to = Math.max(...across.map(line => line.to))
  return [...(first - from > OPEN ? [from] : []), ...edges, ...(to - last > OPEN ? [to] : [])]
}

/** Tells whether a line parts two neighbouring cells at an edge, by what is drawn at the middle of their side. */
function sideFinder(lines: readonly Ruling[], edges: readonly number[]): (edge: number, middle: number) => boolean {
  const byEdge = edges.map(edge => lines.filter(line => Math.abs(line.at - edge) < SAME))
  return (edge, middle) =>
    edge === 0 ||
    edge === edges.length - 1 ||
    (byEdge[edge]?.some(line => line.from <= middle && line.to >= middle) ?? false)
}

const middleAt = (edges: readonly number[], at: number): number => ((edges[at] ?? 0) + (edges[at + 1] ?? 0)) / 2

function cellsOf({ upright, level }: Lines, columns: readonly number[], rows: readonly number[]): GridCell[] {
  const isWall = sideFinder(upright, columns)
  const isFloor = sideFinder(level, rows)
  const [width, height] = [columns.length - 1, rows.length - 1]
  const taken = new Uint8Array(width * height)
  const cells: GridCell[] = []
  const isOpen = (row: number, column: number): boolean =>
    !isFloor(row, middleAt(columns, column)) && taken[row * width + column] === 0
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      if (taken[row * width + column] === 1) continue
      let right = column + 1
      while (right < width && taken[row * width + right] === 0 && !isWall(right, middleAt(rows, row))) right += 1
      const all = Array.from({ length: right - column }, (_, at) => column + at)
      let below = row + 1
      while (below < height && all.every(at => isOpen(below, at)) && isClosed(below, column, right)) below += 1
      for (let at = row; at < below; at += 1) taken.fill(1, at * width + column, at * width + right)
      cells.push({ row, column, rowSpan: below - row, columnSpan: right - column })
    }
  }
  return cells

  /** Whether a row below has no line between these columns, and lines beside them. */
  function isClosed(row: number, from: number, to: number): boolean {
    const middle = middleAt(rows, row)
    for (let edge = from + 1; edge < to; edge += 1) if (isWall(edge, middle)) return false
    return isWall(from, middle) && isWall(to, middle)
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

const shareOf = (value: number, whole: number): number =>
  Math.round(Math.min(1, Math.max(0, value / whole)) * 100_000) / 100_000

function gridOf(lines: Lines, { width, height }: Size): Grid[] {
  if (lines.upright.length < 2 || lines.level.length < 2) return []
  const columns = edgesOf(lines.upright, lines.level)
  const rows = edgesOf(lines.level, lines.upright)
  if (Math.min(columns.length, rows.length) < 3 || Math.max(columns.length, rows.length) > MOST_EDGES) return []
  if (columns.length * rows.length > MOST_CELLS) return []
  const cells = cellsOf(lines, columns, rows)
  // Boxes around what stands side by side, or below one another, are no table.
  if (cells.length < 4) return []
  return [{ columns: columns.map(edge => shareOf(edge, width)), rows: rows.map(edge => shareOf(edge, height)), cells }]
}

/** The tables that the lines of a page draw, from the top down. */
export function gridsOf(
  { walls, floors }: { readonly walls: readonly Rectangle[]; readonly floors: readonly Rectangle[] },
  size: Size
): Grid[] {
  if (walls.length < 2 || floors.length < 2) return []
  const upright = merged(
    walls.map(({ left, right, top, bottom }) => ({ at: (left + right) / 2, from: top, to: bottom }))
  )
  const level = merged(
    floors.map(({ left, right, top, bottom }) => ({ at: (top + bottom) / 2, from: left, to: right }))
  )
  if (Math.max(upright.length, level.length) > MOST_LINES) return []
  return networks({ upright, level })
    .flatMap(lines => gridOf(lines, size))
    .toSorted((one, other) => (one.rows[0] ?? 0) - (other.rows[0] ?? 0))
}
