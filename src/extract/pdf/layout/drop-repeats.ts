import type { Glyph } from '../draw/glyph.ts'

/**
 * How far two drawings of one character may lie apart, as a share of the font size, to be one: bold is
 * imitated and shadows are made by drawing twice with a hair between. The narrowest letters (i, l) are
 * 0.22 wide, so that a real double letter always lies further apart.
 */
const HAIR = 0.13

/** Removes characters drawn again in their own place, and makes the one kept bold when both were visible. */
export function dropRepeats(glyphs: readonly Glyph[]): Glyph[] {
  const kept: Glyph[] = []
  const cells = new Map<string, number[]>()
  for (const glyph of glyphs) {
    const step = Math.max(0.2, glyph.size * HAIR)
    const column = Math.round(glyph.x / step)
    const row = Math.round(glyph.y / step)
    const twin = glyph.space ? undefined : findTwin(glyph, { column, row, step }, { cells, kept })
    const first = twin === undefined ? undefined : kept[twin]
    if (twin !== undefined && first !== undefined) {
      kept[twin] = { ...first, hidden: first.hidden && glyph.hidden, bold: first.bold || !glyph.hidden }
      continue
    }
    const key = `${glyph.text} ${column} ${row}`
    const cell = cells.get(key)
    if (cell) cell.push(kept.length)
    else cells.set(key, [kept.length])
    kept.push(glyph)
  }
  return kept
}

interface Place {
  readonly column: number
  readonly row: number
  readonly step: number
}

interface Seen {
  readonly cells: ReadonlyMap<string, readonly number[]>
  readonly kept: readonly Glyph[]
}

function findTwin(glyph: Glyph, place: Place, seen: Seen): number | undefined {
  for (let column = place.column - 1; column <= place.column + 1; column++) {
    for (let row = place.row - 1; row <= place.row + 1; row++) {
      const candidates = seen.cells.get(`${glyph.text} ${column} ${row}`) ?? []
      const found = candidates.find(index => isTwin(glyph, seen.kept[index], place.step))
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
