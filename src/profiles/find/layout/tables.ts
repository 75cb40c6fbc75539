import type { Box } from '../../../model/document-text.ts'
import type { Origin } from '../../../model/envelope.ts'
import type { Table as DrawnTable, TableRow } from '../../../model/tables/table.ts'
import { type DrawnPlace, drawnPlaces, isWithin } from './drawn/drawn-places.ts'
import { originOf, type Segment, type Sheet } from './sheet.ts'
import { unionOf } from './token.ts'

/** What stands in one column of one row. */
export interface Cell {
  readonly text: string
  /** The lines of a drawn cell whose text is broken; absent for a text on one line. */
  readonly lines?: readonly string[]
  readonly box: Box
  readonly segment: Segment
  readonly from: number
  readonly to: number
}

/** What stands on one base line of a page, or in one row of a table, from left to right. */
export interface Row {
  readonly page: number
  readonly top: number
  readonly bottom: number
  readonly cells: readonly Cell[]
  /** The drawn table it belongs to. */
  readonly table: DrawnTable | null
}

/** A gap this many times the height of the text parts two columns of one line. */
const COLUMN_GAP = 1.8

function cellsOf(segment: Segment): Cell[] {
  const cells: Cell[] = []
  let from = 0
  for (let at = 1; at <= segment.tokens.length; at += 1) {
    const isEnd = at === segment.tokens.length
    // A sign set flush left belongs to the amount set flush right.
    const isSign = at === from + 1 && /^[$£€]$/.test(segment.tokens[from]?.text ?? '')
    if (!isEnd && (isSign || (segment.tokens[at]?.gap ?? 0) <= COLUMN_GAP)) continue
    const tokens = segment.tokens.slice(from, at)
    const text = tokens.map(token => token.text).join(' ')
    if (text !== '') cells.push({ text, box: unionOf(tokens.map(token => token.box)), segment, from, to: at })
    from = at
  }
  return cells
}

/** A currency sign in a place of its own joins the amount right of it. */
function withSigns(cells: readonly Cell[]): Cell[] {
  return cells.flatMap((cell, at) => {
    const before = cells[at - 1]
    if (/^[$£€]$/.test(cell.text) && at + 1 < cells.length) return []
    const isSigned = before !== undefined && /^[$£€]$/.test(before.text) && /^[\d(]/.test(cell.text)
    return [isSigned ? { ...cell, text: `${before.text} ${cell.text}` } : cell]
  })
}

const middle = ({ box }: Segment): number => (box[1] + box[3]) / 2

/** Segments that make one row, and the drawn table it belongs to. */
interface Group {
  readonly place: DrawnPlace | null
  readonly segments: Segment[]
}

/** Rows of print: the broken lines of a drawn row together, any others by their base line. */
function groupsOf(sheet: Sheet): Group[] {
  const placeOf = drawnPlaces(sheet)
  const ordered = sheet.segments.toSorted((a, b) => a.page - b.page || middle(a) - middle(b) || a.box[0] - b.box[0])
  const groups: Group[] = []
  const broken = new Map<TableRow, Group>()
  let open: Group | undefined
  for (const segment of ordered) {
    const place = placeOf(segment)
    if (place?.isBroken) {
      const group = broken.get(place.row) ?? { place, segments: [] }
      if (group.segments.length === 0) groups.push(group)
      broken.set(place.row, group)
      group.segments.push(segment)
      continue
    }
    const first = open?.segments[0]
    const isLevel =
      first !== undefined &&
      first.page === segment.page &&
      middle(segment) < first.box[3] &&
      segment.box[1] < middle(first)
    if (isLevel) open?.segments.push(segment)
    else groups.push((open = { place, segments: [segment] }))
  }
  return groups
}

/** The cells of a drawn row, the lines of each put together. */
function drawnCells({ row }: DrawnPlace, segments: readonly Segment[]): Cell[] {
  const held = segments.map(segment => ({
    segment,
    cell: row.find(({ box }) => box !== null && isWithin(segment, box))
  }))
  return [...Map.groupBy(held, ({ cell }) => cell).values()].flatMap((parts): Cell[] => {
    const [first] = parts
    if (!first) return []
    const texts = parts.map(({ segment }) => segment.text)
    const text = texts.join(' ')
    const box = unionOf(parts.map(({ segment }) => segment.box))
    const to = first.segment.tokens.length
    if (text === '') return []
    return [{ text, ...(texts.length > 1 ? { lines: texts } : {}), box, segment: first.segment, from: 0, to }]
  })
}

const cache = new WeakMap<Sheet, readonly Row[]>()

/** All rows of a sheet in reading order; laid out once. */
export function rowsOf(sheet: Sheet): readonly Row[] {
  const kept = cache.get(sheet)
  if (kept) return kept
  const rows = groupsOf(sheet).map<Row>(({ place, segments }) => {
    const cells = place?.isBroken ? drawnCells(place, segments) : segments.flatMap(cellsOf)
    return {
      page: segments[0]?.page ?? 1,
      top: Math.min(...segments.map(one => one.box[1])),
      bottom: Math.max(...segments.map(one => one.box[3])),
      cells: withSigns(cells.toSorted((a, b) => a.box[0] - b.box[0])),
      table: place?.table ?? null
    }
  })
  cache.set(sheet, rows)
  return rows
}

/** Where a row stands, as far as its cells go. */
export function originOfRow({ cells, page }: Row): Origin | null {
  const [first] = cells
  if (!first) return null
  if (first.segment.paragraph !== null) return originOf(first.segment)
  return { page, bbox: unionOf(cells.map(cell => cell.box)) }
}

/** A column by the name its heading was recognised under; null for a heading that says nothing to the table. */
export interface Column<Name extends string> {
  readonly name: Name | null
  readonly box: Box
}

/** How far beside its heading a value may stand that is under no heading, as a share of the page. */
const BESIDE = 0.06

const overlap = (a: Box, b: Box): number => Math.min(a[2], b[2]) - Math.max(a[0], b[0])

/** The column a cell stands in: the one it is most under, else the nearest; null when it is under none that has a name. */
export function columnOf<Name extends string>(cell: Cell, columns: readonly Column<Name>[]): Name | null {
  const [under] = columns
    .filter(column => overlap(cell.box, column.box) > 0)
    .toSorted((a, b) => overlap(cell.box, b.box) - overlap(cell.box, a.box))
  if (under) return under.name
  const away = ({ box }: Column<Name>): number =>
    Math.min(Math.abs(cell.box[0] - box[0]), Math.abs(cell.box[2] - box[2]))
  const [near] = columns.toSorted((a, b) => away(a) - away(b))
  return near && away(near) < BESIDE ? near.name : null
}

/** A heading row, its columns by name, and the rows of its table. */
export interface Table<Name extends string> {
  readonly head: Row
  readonly columns: readonly Column<Name>[]
  readonly rows: readonly Row[]
}

/** How a kind of table is recognised. */
export interface TableKind<Name extends string> {
  /** The column a heading announces; null for a cell that is none. */
  readonly heading: (text: string) => Name | null
  /** Whether the headings found make it a table of this kind. */
  readonly isHead: (names: ReadonlySet<Name>) => boolean
  /** Whether a row belongs to the table; the first two that do not end it. */
  readonly isRow: (byColumn: ReadonlyMap<Name, string>, row: Row) => boolean
}

/** Rows of a table that say nothing to it (a sub-heading, the furniture of the next page) before it ends. */
const MISSES = 2
const MISSES_AT_PAGE = 12
/** Rows of one table looked at. */
const MOST_ROWS = 400

/** The texts of a row by the columns they stand in. */
export function byColumn<Name extends string>(row: Row, columns: readonly Column<Name>[]): Map<Name, string> {
  const texts = new Map<Name, string>()
  for (const cell of row.cells) {
    const name = columnOf(cell, columns)
    if (name !== null) texts.set(name, texts.has(name) ? `${texts.get(name)} ${cell.text}` : cell.text)
  }
  return texts
}

/** A heading over two lines: the cells of the next row go to the cells right above them. */
function withSecondLine(row: Row, next: Row | undefined): Row {
  const isNext = next !== undefined && next.page === row.page && next.top - row.bottom < (row.bottom - row.top) * 1.2
  if (!isNext || next.cells.some(cell => /\d/.test(cell.text))) return row
  const cells = row.cells.map(cell => {
    const below = next.cells.filter(other => overlap(cell.box, other.box) > 0)
    const text = [cell, ...below].map(one => one.text).join(' ')
    return { ...cell, text, box: unionOf([cell.box, ...below.map(one => one.box)]) }
  })
  const others = next.cells.filter(other => row.cells.every(cell => overlap(cell.box, other.box) <= 0))
  return { ...row, cells: [...cells, ...others].toSorted((a, b) => a.box[0] - b.box[0]) }
}

function headOf<Name extends string>(row: Row, kind: TableKind<Name>): Column<Name>[] | null {
  if (row.cells.length < 2) return null
  const columns = row.cells.map(cell => ({ name: kind.heading(cell.text), box: cell.box }))
  return kind.isHead(new Set(columns.flatMap(({ name }) => (name === null ? [] : [name])))) ? columns : null
}

const namesIn = (columns: readonly Column<string>[] | null): number =>
  new Set((columns ?? []).flatMap(({ name }) => (name === null ? [] : [name]))).size

function rowsBelow<Name extends string>(
  rows: readonly Row[],
  start: number,
  columns: readonly Column<Name>[],
  kind: TableKind<Name>
): { found: Row[]; end: number } {
  const drawn = rows[start - 1]?.table ?? null
  const found: Row[] = []
  let misses = 0
  let at = start
  for (; at < rows.length && at < start + MOST_ROWS; at += 1) {
    const row = rows[at]
    if (!row) break
    // The headings are printed again on the next page.
    if (headOf(row, kind)) {
      misses = 0
      continue
    }
    const isInside = drawn !== null && row.table === drawn
    // The lines around a table say where it ends, unless other headings begin another one within them.
    if (isInside && row.cells.length > 1 && row.cells.every(cell => kind.heading(cell.text) !== null)) break
    if (kind.isRow(byColumn(row, columns), row)) {
      found.push(row)
      misses = 0
      continue
    }
    if (isInside) continue
    misses += 1
    const isAcross = found.length > 0 && row.page > (found.at(-1)?.page ?? row.page)
    const isBefore = row.page === (found.at(-1)?.page ?? row.page) && isLastOfPage(rows, at)
    if (misses > (isAcross || isBefore ? MISSES_AT_PAGE : MISSES)) break
  }
  return { found, end: at }
}

/** True for rows at the foot of a page: the table may go on over it. */
function isLastOfPage(rows: readonly Row[], at: number): boolean {
  const page = rows[at]?.page
  return rows.slice(at, at + 4).some(row => row.page !== page)
}

/** Every table of a kind: its heading row and the rows below it, over page breaks as well. */
export function tablesOf<Name extends string>(sheet: Sheet, kind: TableKind<Name>): Table<Name>[] {
  const rows = rowsOf(sheet)
  const tables: Table<Name>[] = []
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]
    if (!row) break
    const plain = headOf(row, kind)
    const next = rows[at + 1]
    // What stands over headings that say as much alone is a title, and not their first line.
    if (plain === null && next && namesIn(headOf(next, kind)) > 0) {
      const both = headOf(withSecondLine(row, next), kind)
      if (namesIn(both) <= namesIn(headOf(next, kind))) continue
    }
    const isData = plain !== null && next !== undefined && kind.isRow(byColumn(next, plain), next)
    const second = isData ? row : withSecondLine(row, next)
    const columns = headOf(second, kind) ?? plain
    if (!columns) continue
    const from = at + (second === row || columns === plain ? 1 : 2)
    const { found, end } = rowsBelow(rows, from, columns, kind)
    if (found.length === 0) continue
    tables.push({ head: row, columns, rows: found })
    at = Math.max(at, end - 1 - MISSES)
  }
  return tables
}
