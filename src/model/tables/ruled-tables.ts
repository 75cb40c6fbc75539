import type { Grid, GridCell, Line, Page } from '../document-text.ts'
import { cellOf, levelRows, middleOf, type PageTable } from './page-table.ts'
import type { TableCell, TableRow } from './table.ts'

const HAS_FIGURE = /\d/

/** The index of the span between edges that holds a place; -1 outside of all. */
function spanAt(edges: readonly number[], place: number): number {
  return edges.findIndex((edge, at) => place >= edge && place < (edges[at + 1] ?? Number.NEGATIVE_INFINITY))
}

type Held = ReadonlyMap<GridCell, readonly Line[]>

/** The lines of a page by the cells their middles lie in. */
function linesByCell({ columns, rows, cells }: Grid, lines: readonly Line[]): Map<GridCell, Line[]> {
  const owner = new Map<string, GridCell>()
  for (const cell of cells) {
    for (let row = cell.row; row < cell.row + cell.rowSpan; row += 1) {
      for (let column = cell.column; column < cell.column + cell.columnSpan; column += 1) {
        owner.set(`${row}/${column}`, cell)
      }
    }
  }
  const held = new Map<GridCell, Line[]>()
  for (const line of lines) {
    const row = spanAt(rows, middleOf(line.box))
    const cell = row < 0 ? undefined : owner.get(`${row}/${spanAt(columns, (line.box[0] + line.box[2]) / 2)}`)
    if (!cell) continue
    const own = held.get(cell)
    if (own) own.push(line)
    else held.set(cell, [line])
  }
  return held
}

/**
 * The rows of print in one drawn row. Tables are often drawn with lines around their columns and none between their rows:
 * figures below one another, each with something beside it, are rows of their own. Anything else is the broken text of one.
 */
function rowsWithin(cells: readonly GridCell[], held: Held): readonly ReadonlySet<Line>[] {
  const lines = cells.flatMap(cell => held.get(cell) ?? [])
  const rows = levelRows(lines)
  const full = rows.filter(row => row.length > 1 && row.slice(1).some(line => HAS_FIGURE.test(line.text)))
  return (full.length > 1 ? rows : rows.length > 0 ? [rows.flat()] : []).map(row => new Set(row))
}

/** One drawn row, the rows of print in it, and how many rows of the table stand above it. */
interface Band {
  readonly cells: readonly GridCell[]
  readonly parts: readonly ReadonlySet<Line>[]
  readonly first: number
}

function bandsOf(grid: Grid, held: Held): Band[] {
  const byRow = Map.groupBy(grid.cells, cell => cell.row)
  const bands: Band[] = []
  let first = 0
  for (let row = 0; row < grid.rows.length - 1; row += 1) {
    const cells = (byRow.get(row) ?? []).toSorted((one, other) => one.column - other.column)
    const parts = rowsWithin(
      cells.filter(cell => cell.rowSpan === 1),
      held
    )
    bands.push({ cells, parts, first })
    first += parts.length
  }
  return bands
}

/** The cells of one band: those that reach further down as a whole, the others by the rows of print they hold. */
function cellsOf(page: Page, bands: readonly Band[], { cells, parts, first }: Band, held: Held): TableCell[] {
  return cells.flatMap(cell => {
    const lines = held.get(cell) ?? []
    if (lines.length === 0) return []
    const { row, column, columnSpan } = cell
    if (cell.rowSpan === 1) {
      return parts.flatMap((part, at) => {
        const here = lines.filter(line => part.has(line))
        return here.length === 0 ? [] : [cellOf(page, { row: first + at, column, rowSpan: 1, columnSpan }, here)]
      })
    }
    const inside = bands.slice(row, row + cell.rowSpan)
    const rowSpan = Math.max(
      1,
      inside.reduce((sum, band) => sum + band.parts.length, 0)
    )
    return [cellOf(page, { row: first, column, rowSpan, columnSpan }, lines)]
  })
}

function rowsOf(page: Page, bands: readonly Band[], held: Held): TableRow[] {
  const cells = bands.flatMap(band => cellsOf(page, bands, band, held))
  return [...Map.groupBy(cells, cell => cell.row)].toSorted(([one], [other]) => one - other).map(([, row]) => row)
}

/** One drawn table with the lines of its page that stand in it. */
export function ruledTable(page: Page, grid: Grid): PageTable {
  const held = linesByCell(grid, page.lines)
  const { columns, rows } = grid
  return {
    kind: 'ruled',
    page: page.number,
    box: [columns[0] ?? 0, rows[0] ?? 0, columns.at(-1) ?? 1, rows.at(-1) ?? 1],
    columns: columns.length - 1,
    rows: rowsOf(page, bandsOf(grid, held), held),
    spans: columns.slice(1).map((edge, at) => [columns[at] ?? 0, edge])
  }
}
