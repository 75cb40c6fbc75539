import type { PlacedLine } from './lines.ts'

// A gutter between text columns is at least this many points wide and this many lines high on both sides.
const GUTTER = 9
const MIN_LINES = 5
// Lines of running text hold more words than the labels and values of a form, whose rows must stay together.
const MIN_WORDS = 4
const MAX_DEPTH = 6

/**
 * Puts lines in reading order: rows from the top down and along each row, but columns of running text one
 * after the other. Labels and values that stand side by side keep the order of their rows.
 */
export function inReadingOrder(lines: readonly PlacedLine[], depth = 0): PlacedLine[] {
  const rows = lines.toSorted((one, other) => one.base - other.base || one.start - other.start)
  if (depth >= MAX_DEPTH || rows.length < 2 * MIN_LINES) return rows
  const gutter = gutterOf(rows)
  if (!gutter) return rows
  const { first, last, at } = gutter
  const inside = rows.slice(first, last + 1)
  return [
    ...inReadingOrder(rows.slice(0, first), depth + 1),
    ...inReadingOrder(
      inside.filter(line => line.end <= at),
      depth + 1
    ),
    ...inReadingOrder(
      inside.filter(line => line.start >= at),
      depth + 1
    ),
    ...inReadingOrder(rows.slice(last + 1), depth + 1)
  ]
}

interface Gutter {
  readonly first: number
  readonly last: number
  readonly at: number
}

/** The longest stretch of rows that one vertical strip parts into two columns of running text. */
function gutterOf(rows: readonly PlacedLine[]): Gutter | null {
  const starts = new Set(rows.filter(line => line.words.length >= MIN_WORDS).map(line => Math.round(line.start)))
  let best: Gutter | null = null
  for (const start of starts) {
    const found = stretchAt(rows, start - GUTTER / 3)
    if (found && (!best || found.last - found.first > best.last - best.first)) best = found
  }
  return best
}

function stretchAt(rows: readonly PlacedLine[], at: number): Gutter | null {
  let best: Gutter | null = null
  let first = 0
  for (let index = 0; index <= rows.length; index++) {
    const line = rows[index]
    const crosses = !line || (line.start < at && line.end > at - GUTTER / 2)
    if (!crosses) continue
    if (index - first > (best ? best.last - best.first : 0) && isTwoColumns(rows.slice(first, index), at)) {
      best = { first, last: index - 1, at }
    }
    first = index + 1
  }
  return best
}

function isTwoColumns(rows: readonly PlacedLine[], at: number): boolean {
  const left = rows.filter(line => line.end <= at)
  const right = rows.filter(line => line.start >= at)
  return isRunningText(left) && isRunningText(right)
}

function isRunningText(lines: readonly PlacedLine[]): boolean {
  if (lines.length < MIN_LINES) return false
  return lines.filter(line => line.words.length >= MIN_WORDS).length * 2 > lines.length
}
