import type { Glyph } from '../draw/glyph.ts'

/**
 * How far two drawings of one character may lie apart, as a share of the font size, to be one: bold is
 * imitated and shadows are made by drawing twice with a hair between. The narrowest letters (i, l) are
 * 0.22 wide, so that a real double letter always lies further apart.
 */
const HAIR = 0.13
/** Side of the cells in which glyphs already drawn are looked up, in points. */
const CELL = 4
// Columns of cells; more than a page of any size has.
const COLUMNS = 1 << 20
const cellOf = (x: number, y: number): number => Math.floor(x / CELL) + Math.floor(y / CELL) * COLUMNS

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
    let cells = cellsOf.get(glyph.text)
    if (!cells) cellsOf.set(glyph.text, (cells = new Map()))
    const twin = findTwin(glyph, cells, kept)
    const first = twin < 0 ? undefined : kept[twin]
    if (first !== undefined) {
      kept[twin] = { ...first, hidden: first.hidden && glyph.hidden, bold: first.bold || !glyph.hidden }
      continue
    }
    const at = cellOf(glyph.x, glyph.y)
    const cell = cells.get(at)
    if (cell) cell.push(kept.length)
    else cells.set(at, [kept.length])
    kept.push(glyph)
  }
  return kept
}

/** The place of a glyph that is the same one drawn before, or -1. */
function findTwin(glyph: Glyph, cells: Cells, kept: readonly Glyph[]): number {
  const step = Math.max(0.2, glyph.size * HAIR)
  const { x, y } = glyph
  const lastRow = Math.floor((y + step) / CELL)
  const lastColumn = Math.floor((x + step) / CELL)
  for (let row = Math.floor((y - step) / CELL); row <= lastRow; row += 1) {
    for (let column = Math.floor((x - step) / CELL); column <= lastColumn; column += 1) {
      const found = cells.get(column + row * COLUMNS)?.find(index => isTwin(glyph, kept[index], step))
      if (found !== undefined) return found
    }
  }
  return -1
}

function isTwin(one: Glyph, other: Glyph | undefined, step: number): boolean {
  return (
    other !== undefined &&
    Math.abs(one.x - other.x) <= step &&
    Math.abs(one.y - other.y) <= step &&
    Math.abs(one.size - other.size) < 0.25 * one.size
  )
}
