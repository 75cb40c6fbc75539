import { type Rectangle, spanOverlap } from '../draw/geometry.ts'
import type { PlacedWord } from './words.ts'

/** Words on one base line without a column-sized gap, in reading direction. */
export interface PlacedLine {
  readonly words: readonly PlacedWord[]
  readonly start: number
  readonly end: number
  readonly base: number
  readonly top: number
  readonly bottom: number
}

// Shares of the font size. Words of justified text lie up to about 1 apart, columns further.
const COLUMN_GAP = 1.3
const TOUCHING = 0.1
const NEAR_COLUMN_GAP = 0.55
const LIKELY_COLUMN_GAP = 0.9
const COLUMN_LINES = 3
const SAME_ROW = 0.35
const LEADER = /^[_.…·\-–—]{3,}$/

/** Gathers words of one direction into lines, from the top down and along each row. */
export function buildLines(words: readonly PlacedWord[], walls: readonly Rectangle[] = []): PlacedLine[] {
  const lines: PlacedLine[] = []
  const isWalled = wallFinder(walls)
  const parts: Parts = (word, reach, last) => startsColumn(word, reach, last) || isWalled(word, reach, last)
  for (const row of rowsOf(words)) {
    const inRow = joinSpacedOut(withoutCoveredLeaders(row.words))
    lines.push(...cut(inRow, row.base, parts))
  }
  return cutAtColumns(lines)
}

type Parts = (word: PlacedWord, reach: number, last: PlacedWord) => boolean

/** Cuts a row before every word that `parts` says begins a new line; `reach` is how far the words before it go. */
function cut(row: readonly PlacedWord[], base: number, parts: Parts): PlacedLine[] {
  const lines: PlacedLine[] = []
  let line: PlacedWord[] = []
  let reach = Number.NEGATIVE_INFINITY
  for (const word of row) {
    const last = line.at(-1)
    if (last && parts(word, reach, last)) {
      lines.push(lineOf(line, base))
      line = []
      reach = Number.NEGATIVE_INFINITY
    }
    line.push(word)
    reach = Math.max(reach, word.end)
  }
  if (line.length > 0) lines.push(lineOf(line, base))
  return lines
}

/** Height of the bands in which upright lines are looked up, in points, and the most bands of one line. */
const BAND = 24
const MOST_BANDS = 1000
/** How far a word may reach over a line of its cell, in points. */
const OVER = 1

/** Tells whether an upright line of a table stands between two words. Single letters between lines are those of one value. */
function wallFinder(walls: readonly Rectangle[]): Parts {
  const bands = new Map<number, Rectangle[]>()
  for (const wall of walls) {
    const first = Math.floor(wall.top / BAND)
    const last = Math.min(first + MOST_BANDS, Math.floor(wall.bottom / BAND))
    for (let band = first; band <= last; band += 1) {
      const held = bands.get(band)
      if (held) held.push(wall)
      else bands.set(band, [wall])
    }
  }
  return (word, reach, last) => {
    if (walls.length === 0 || word.characters < 2 || last.characters < 2) return false
    const middle = word.base - word.size * 0.3
    const isBetween = ({ left, right, top, bottom }: Rectangle): boolean =>
      right >= reach - OVER && left <= word.start + OVER && top <= middle && bottom >= middle
    return bands.get(Math.floor(middle / BAND))?.some(isBetween) ?? false
  }
}

/** A column-sized gap, or two numbers that touch although each was placed by itself: cells of a crowded table. */
function startsColumn(word: PlacedWord, reach: number, last: PlacedWord): boolean {
  const gap = (word.start - reach) / word.size
  if (gap > COLUMN_GAP) return true
  return gap < TOUCHING && word.run !== last.run && /^[$(]?[\d,.]+[)%]?$/.test(last.text) && /^[$(]?\d/.test(word.text)
}

/**
 * Columns can stand closer than a wide space of justified text. A gap that is wider than the others of its
 * line also parts columns when what follows starts where several other lines start.
 */
function cutAtColumns(lines: readonly PlacedLine[]): PlacedLine[] {
  const starts = new Map<number, number>()
  const count = (start: number): void => {
    const at = Math.round(start)
    starts.set(at, (starts.get(at) ?? 0) + 1)
  }
  for (const line of lines) {
    count(line.start)
    for (const [index, word] of line.words.entries()) {
      const before = line.words[index - 1]
      if (before && word.start - before.end > LIKELY_COLUMN_GAP * word.size) count(word.start)
    }
  }
  const isColumn = (start: number): boolean => {
    const at = Math.round(start)
    return (starts.get(at - 1) ?? 0) + (starts.get(at) ?? 0) + (starts.get(at + 1) ?? 0) >= COLUMN_LINES
  }
  return lines.flatMap(line => {
    const gaps = line.words.slice(1).map((word, index) => word.start - (line.words[index]?.end ?? word.start))
    const usual = gaps.toSorted((one, other) => one - other)[Math.floor((gaps.length - 1) / 2)] ?? 0
    return cut(line.words, line.base, (word, reach) => {
      const gap = word.start - reach
      const wide = gap > NEAR_COLUMN_GAP * word.size && (gaps.length < 3 || gap > 1.5 * usual)
      return wide && isColumn(word.start)
    })
  })
}

/** The line these words make. */
function lineOf(words: readonly PlacedWord[], base = words[0]?.base ?? 0): PlacedLine {
  return {
    words,
    start: Math.min(...words.map(word => word.start)),
    end: Math.max(...words.map(word => word.end)),
    base,
    top: Math.min(...words.map(word => word.top)),
    bottom: Math.max(...words.map(word => word.bottom))
  }
}

interface Row {
  readonly base: number
  readonly words: readonly PlacedWord[]
}

function rowsOf(words: readonly PlacedWord[]): Row[] {
  const sorted = words.toSorted((one, other) => one.base - other.base || one.start - other.start)
  const rows: { base: number; size: number; words: PlacedWord[] }[] = []
  for (const word of sorted) {
    const row = rows
      .slice(-3)
      .findLast(candidate => Math.abs(candidate.base - word.base) < SAME_ROW * Math.min(candidate.size, word.size))
    if (row) {
      row.words.push(word)
      row.base += (word.base - row.base) / row.words.length
    } else rows.push({ base: word.base, size: word.size, words: [word] })
  }
  return rows.map(row => ({
    base: row.base,
    words: row.words.toSorted((one, other) => one.start - other.start || one.order - other.order)
  }))
}

/** A row of underscores or dots that a value was written over says nothing any more and would part the value's words. */
function withoutCoveredLeaders(row: readonly PlacedWord[]): readonly PlacedWord[] {
  if (!row.some(word => LEADER.test(word.text))) return row
  const others = row.filter(word => !LEADER.test(word.text))
  return row.filter(
    word =>
      !LEADER.test(word.text) || others.every(other => spanOverlap(word.start, word.end, other.start, other.end) < 0.5)
  )
}

/**
 * Letters placed one by one with even gaps (`P R E M I U M`) are put together again. At least five in a
 * row, three of them letters, so that neighbouring single digits of a table stay apart.
 */
function joinSpacedOut(row: readonly PlacedWord[]): PlacedWord[] {
  const joined: PlacedWord[] = []
  let letters: PlacedWord[] = []
  const flush = (): void => {
    joined.push(...(isSpacedOut(letters) ? joinLetters(letters) : letters))
    letters = []
  }
  for (const word of row) {
    const last = letters.at(-1)
    const single = word.characters === 1 && word.text.length === 1
    if (!single || (last && word.start - last.end > COLUMN_GAP * word.size)) flush()
    if (single) letters.push(word)
    else joined.push(word)
  }
  flush()
  return joined
}

function isSpacedOut(letters: readonly PlacedWord[]): boolean {
  return letters.length >= 5 && letters.filter(word => /\p{L}/u.test(word.text)).length >= 3
}

function joinLetters(letters: readonly PlacedWord[]): PlacedWord[] {
  const gaps = letters.slice(1).map((word, index) => word.start - (letters[index]?.end ?? word.start))
  const usual = gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length * 0.4)] ?? 0
  const groups: [PlacedWord, ...PlacedWord[]][] = []
  for (const [index, letter] of letters.entries()) {
    const group = groups.at(-1)
    const apart = (gaps[index - 1] ?? 0) > usual * 1.6 + 0.05 * letter.size
    if (group && !apart) group.push(letter)
    else groups.push([letter])
  }
  return groups.map(wordOf)
}

function wordOf(parts: readonly [PlacedWord, ...PlacedWord[]]): PlacedWord {
  const line = lineOf(parts)
  return {
    ...parts[0],
    text: parts.map(part => part.text).join(''),
    start: line.start,
    end: line.end,
    top: line.top,
    bottom: line.bottom,
    unmapped: parts.reduce((sum, part) => sum + part.unmapped, 0),
    characters: parts.reduce((sum, part) => sum + part.characters, 0)
  }
}
