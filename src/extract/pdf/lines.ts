import { spanOverlap } from './geometry.ts'
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
const SAME_ROW = 0.35
const LEADER = /^[_.…·\-–—]{3,}$/

/** Gathers words of one direction into lines, from the top down and along each row. */
export function buildLines(words: readonly PlacedWord[]): PlacedLine[] {
  const lines: PlacedLine[] = []
  for (const row of rowsOf(words)) {
    let line: PlacedWord[] = []
    let reach = Number.NEGATIVE_INFINITY
    for (const word of joinSpacedOut(withoutCoveredLeaders(row))) {
      if (line.length > 0 && word.start - reach > COLUMN_GAP * word.size) {
        lines.push(lineOf(line))
        line = []
      }
      line.push(word)
      reach = Math.max(line.length === 1 ? word.end : reach, word.end)
    }
    if (line.length > 0) lines.push(lineOf(line))
  }
  return lines
}

/** The line these words make. */
export function lineOf(words: readonly PlacedWord[]): PlacedLine {
  return {
    words,
    start: Math.min(...words.map(word => word.start)),
    end: Math.max(...words.map(word => word.end)),
    base: words[0]?.base ?? 0,
    top: Math.min(...words.map(word => word.top)),
    bottom: Math.max(...words.map(word => word.bottom))
  }
}

function rowsOf(words: readonly PlacedWord[]): PlacedWord[][] {
  const sorted = words.toSorted((one, other) => one.base - other.base || one.start - other.start)
  const rows: { base: number; size: number; words: PlacedWord[] }[] = []
  for (const word of sorted) {
    const row = rows.findLast(
      (candidate, index) =>
        index >= rows.length - 3 &&
        Math.abs(candidate.base - word.base) < SAME_ROW * Math.min(candidate.size, word.size)
    )
    if (row) {
      row.words.push(word)
      row.base += (word.base - row.base) / row.words.length
    } else rows.push({ base: word.base, size: word.size, words: [word] })
  }
  return rows.map(row => row.words.sort((one, other) => one.start - other.start || one.order - other.order))
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
  const words: PlacedWord[] = []
  let group: PlacedWord[] = []
  for (const [index, letter] of letters.entries()) {
    if (index > 0 && (gaps[index - 1] ?? 0) > usual * 1.6 + 0.05 * letter.size) {
      words.push(wordOf(group))
      group = []
    }
    group.push(letter)
  }
  words.push(wordOf(group))
  return words
}

function wordOf(parts: readonly PlacedWord[]): PlacedWord {
  const line = lineOf(parts)
  return {
    ...(parts[0] as PlacedWord),
    text: parts.map(part => part.text).join(''),
    start: line.start,
    end: line.end,
    top: line.top,
    bottom: line.bottom,
    unmapped: parts.reduce((sum, part) => sum + part.unmapped, 0),
    characters: parts.reduce((sum, part) => sum + part.characters, 0)
  }
}
