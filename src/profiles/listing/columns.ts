import type { Heading } from './headings.ts'
import type { ListingRow, Piece } from './listing-row.ts'

/** Rows by which the bounds of columns are found. */
const MOST_ROWS = 300
/** How exactly words of one column begin at one place, in points. */
const ALIGNED = 1
const CROSSING_COST = 4
/** A gap wider than this, in points, is no better than one of it. */
const WIDE_GAP = 12

function scoreOf(at: number, rows: readonly ListingRow[]): number {
  let score = 0
  for (const { words } of rows) {
    let before = Number.NEGATIVE_INFINITY
    let after = Number.POSITIVE_INFINITY
    for (const word of words) {
      if (word.left < at - ALIGNED && word.right > at + ALIGNED) score -= CROSSING_COST
      else if (word.left >= at - ALIGNED) after = Math.min(after, word.left)
      else before = Math.max(before, word.right)
    }
    if (after - at <= ALIGNED) score += 1
    score += Math.max(0, Math.min(WIDE_GAP, after - before)) / WIDE_GAP
  }
  return score
}

function boundBetween(left: Heading, right: Heading, rows: readonly ListingRow[]): number {
  const [from, to] = [Math.min(left.right, right.left), Math.max(left.right, right.left)]
  const starts = new Set(
    rows.flatMap(row =>
      row.words.filter(word => word.left >= from && word.left <= to).map(word => Math.round(word.left * 2) / 2)
    )
  )
  let best = right.left
  let bestScore = scoreOf(best, rows)
  for (const start of starts) {
    const score = scoreOf(start, rows)
    if (score > bestScore) [best, bestScore] = [start, score]
  }
  return best
}

/** Where each column of a table but the first begins, told by the rows below its headings. */
export function boundsOf(headings: readonly Heading[], rows: readonly ListingRow[]): number[] {
  const some = rows.slice(0, MOST_ROWS)
  return headings.slice(1).map((heading, at) => boundBetween(headings[at] ?? heading, heading, some))
}

export interface CellsOfRow {
  /** Pieces by column. */
  readonly cells: readonly (readonly Piece[])[]
  /** Words that reach over the bound of a column: the row is a note, or its cells run into one another. */
  readonly crossing: number
}

/** The words of a row by the columns they stand in. */
export function cellsOf(row: ListingRow, bounds: readonly number[]): CellsOfRow {
  const cells: Piece[][] = Array.from({ length: bounds.length + 1 }, () => [])
  let crossing = 0
  for (const word of row.words) {
    const column = bounds.filter(bound => word.left >= bound - ALIGNED).length
    const next = bounds[column]
    if (next !== undefined && word.right > next + ALIGNED) crossing += 1
    cells[column]?.push(word)
  }
  return { cells, crossing }
}
