import type { Line, Page } from '../document-text.ts'
import { around, cellOf, levelRows, middleOf, type PageTable } from './page-table.ts'
import type { TableRow } from './table.ts'

type Span = readonly [from: number, to: number]

/** Rows further apart than this many heights of a line belong to different tables. */
const MOST_APART = 2.6
/** Rows of the smallest table that only alignment tells, and the least share of them that fill more than one column. */
const LEAST_ROWS = 3
const LEAST_FULL = 0.6
/** More columns than any table that is printed on a page. */
const MOST_COLUMNS = 120
/** Words of a cell on average: columns of a contract hold more. */
const MOST_WORDS = 6
/** Cells that may reach over the bound of their column. */
const MOST_OVER = 0.05
const FIGURE =
  /^[$£€(]?\s?\d[\d,./%-]*\)?$|^[$£€]|^\d{1,2}\/\d{1,2}\/\d{2,4}$|^(?:incl(?:uded)?\.?|excluded|n\/a|none)$/i

const heightOf = (row: readonly Line[]): number => Math.max(...row.map(({ box }) => box[3] - box[1]))
const topOf = (row: readonly Line[]): number => Math.min(...row.map(({ box }) => box[1]))
const bottomOf = (row: readonly Line[]): number => Math.max(...row.map(({ box }) => box[3]))

/** How many of ascending numbers are less than a limit, or no more than it. */
function countTo(ascending: readonly number[], limit: number, isInclusive = false): number {
  let [from, to] = [0, ascending.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const value = ascending[middle] ?? 0
    if (value < limit || (isInclusive && value === limit)) from = middle + 1
    else to = middle
  }
  return from
}

/** Whether a line of a row lies over or under several of another. */
function liesOver(row: readonly Line[], others: readonly Line[]): boolean {
  const [lefts, rights] = [others.map(({ box }) => box[0]), others.map(({ box }) => box[2])].map(edges =>
    edges.toSorted((one, other) => one - other)
  )
  // All that begin before its end, without those that end before its start.
  return row.some(({ box }) => countTo(lefts ?? [], box[2]) - countTo(rights ?? [], box[0], true) > 1)
}

/** Whether columns of two rows stand across one another. */
const isAcross = (row: readonly Line[], other: readonly Line[]): boolean => liesOver(row, other) || liesOver(other, row)

/** Rows that follow one another closely, without those at either end that fill one column only. */
function blocksOf(rows: readonly (readonly Line[])[]): (readonly Line[])[][] {
  const blocks: (readonly Line[])[][] = []
  let block: (readonly Line[])[] = []
  let alone = 0
  const flush = (): void => {
    const last = block.findLastIndex(row => row.length > 1)
    if (last + 1 >= LEAST_ROWS) blocks.push(block.slice(0, last + 1))
    block = []
    alone = 0
  }
  for (const row of rows) {
    const above = block.at(-1)
    if (above && topOf(row) - bottomOf(above) > MOST_APART * heightOf(above)) flush()
    // A heading may lie over several columns; further down, other columns are another table.
    const full = block.findLast(one => one.length > 1)
    if (block.length > 1 && full && row.length > 1 && isAcross(row, full)) flush()
    alone = row.length > 1 ? 0 : alone + 1
    // Two rows of one column are a paragraph between tables.
    if (alone > 1) flush()
    if (row.length > 1 || block.length > 0) block.push(row)
  }
  flush()
  return blocks
}

/** The stretches of the page that lines of a block cover, those that touch as one. */
function spansOf(block: readonly (readonly Line[])[]): Span[] {
  const lines = block.filter(row => row.length > 1).flat()
  const spans: [number, number][] = []
  // What reaches over several columns would join them: the few widest are left out where that parts more.
  const ordered = lines.toSorted((one, other) => one.box[2] - one.box[0] - other.box[2] + other.box[0])
  const kept = ordered.slice(0, Math.ceil(ordered.length * (1 - MOST_OVER)))
  for (const { box } of kept.toSorted((one, other) => one.box[0] - other.box[0])) {
    const last = spans.at(-1)
    if (last && box[0] <= last[1]) last[1] = Math.max(last[1], box[2])
    else spans.push([box[0], box[2]])
  }
  return spans
}

const columnsUnder = (line: Line, spans: readonly Span[]): number[] =>
  spans.flatMap(([from, to], at) => (line.box[0] < to && line.box[2] > from ? [at] : []))

function rowOf(page: Page, row: readonly Line[], spans: readonly Span[], at: number): TableRow {
  const byFirst = Map.groupBy(row, line => columnsUnder(line, spans)[0] ?? -1)
  return [...byFirst]
    .filter(([column]) => column >= 0)
    .toSorted(([one], [other]) => one - other)
    .map(([column, lines]) => {
      const last = Math.max(...lines.map(line => columnsUnder(line, spans).at(-1) ?? column))
      return cellOf(page, { row: at, column, rowSpan: 1, columnSpan: last - column + 1 }, lines)
    })
}

/** Labels beside their values, and columns of a text, align as well: a table has three columns, or one of figures. */
function isTable(rows: readonly TableRow[], columns: number): boolean {
  const full = rows.filter(row => row.length > 1)
  if (full.length < LEAST_ROWS || full.length < LEAST_FULL * rows.length) return false
  const cells = full.flat()
  const words = cells.reduce((sum, cell) => sum + cell.text.split(' ').length, 0)
  if (words > MOST_WORDS * cells.length) return false
  const figures = full.filter(row => row.slice(1).some(cell => FIGURE.test(cell.text))).length
  return figures * 2 >= full.length && (columns > 2 || full.every(row => !row[0]?.text.endsWith(':')))
}

/** Tables of a page that are told by where their text stands alone, among lines that are in no drawn table. */
export function alignedTables(page: Page, lines: readonly Line[]): PageTable[] {
  return blocksOf(levelRows(lines)).flatMap((block): PageTable[] => {
    const spans = spansOf(block)
    if (spans.length < 2 || spans.length > MOST_COLUMNS) return []
    const rows = block.map((row, at) => rowOf(page, row, spans, at)).filter(row => row.length > 0)
    if (!isTable(rows, spans.length)) return []
    const box = around(block.flat().map(line => line.box))
    return [{ kind: 'aligned', page: page.number, box, columns: spans.length, rows, spans }]
  })
}

/** Lines whose middle lies in none of the boxes. */
export const linesOutside = (lines: readonly Line[], tables: readonly PageTable[]): Line[] =>
  lines.filter(({ box }) => {
    const [x, y] = [(box[0] + box[2]) / 2, middleOf(box)]
    return tables.every(table => x < table.box[0] || x > table.box[2] || y < table.box[1] || y > table.box[3])
  })
