import type { Glyph } from '../draw/glyph.ts'

/**
 * How far two drawings of one character may lie apart, as a share of the font size, to be one: bold is
 * imitated and shadows are made by drawing twice with a hair between. The narrowest letters (i, l) are
 * 0.22 wide, so that a real double letter always lies further apart.
 */
const HAIR = 0.13
// Columns of cells; more than a page of any size has at the smallest step.
const COLUMNS = 1 << 20

/** Where kept glyphs of one character lie: cell of the page → their places in the list. */
type Cells = Map<number, number[]>

/** Removes characters drawn again in their own place, and makes the one kept bold when both were visible. */
export function dropRepeats(glyphs: readonly Glyph[]): Glyph[] {
  const kept: Glyph[] = []
  const cellsOf = new Map<string, Cells>()
  for (const glyph of glyphs) {
    if (glyph.space) {
      kept.push(glyph)
      continue
    }
    const cells = cellsOf.get(glyph.text) ?? new Map<number, number[]>()
    cellsOf.set(glyph.text, cells)
    const step = Math.max(0.2, glyph.size * HAIR)
    const at = Math.round(glyph.x / step) + Math.round(glyph.y / step) * COLUMNS
    const twin = findTwin(glyph, at, { cells, kept, step })
    const first = twin === undefined ? undefined : kept[twin]
    if (twin !== undefined && first !== undefined) {
      kept[twin] = { ...first, hidden: first.hidden && glyph.hidden, bold: first.bold || !glyph.hidden }
      continue
    }
    const cell = cells.get(at)
    if (cell) cell.push(kept.length)
    else cells.set(at, [kept.length])
    kept.push(glyph)
  }
  return kept
}

interface Seen {
  readonly cells: Cells
  readonly kept: readonly Glyph[]
  readonly step: number
}

function findTwin(glyph: Glyph, at: number, { cells, kept, step }: Seen): number | undefined {
  for (let row = -COLUMNS; row <= COLUMNS; row += COLUMNS) {
    for (let column = -1; column <= 1; column++) {
      const found = cells.get(at + row + column)?.find(index => isTwin(glyph, kept[index], step))
      if (found !== undefined) return found
    }
  }
  return undefined
}

function isTwin(one: Glyph, other: Glyph | undefined, step: number): boolean {
  return (
    other !== undefined &&
    Math.abs(one.x - other.x) <= step &&
    Math.abs(one.y - other.y) <= step &&
    Math.abs(one.size - other.size) < 0.25 * one.size
  )
}
