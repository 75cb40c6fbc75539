import type { Box } from '../../../../model/document-text.ts'
import { documentTables } from '../../../../model/tables/document-tables.ts'
import type { Table, TableCell, TableRow } from '../../../../model/tables/table.ts'
import type { Segment, Sheet } from '../sheet.ts'

/** Where a segment stands in a drawn table. */
export interface DrawnPlace {
  readonly table: Table
  readonly row: TableRow
  /** Whether a cell of the row holds several lines. */
  readonly isBroken: boolean
}

/** Height of a band in which cells are looked up, as a share of the page. */
const BAND = 0.02

/** Whether the middle of a segment lies in a box. */
export function isWithin({ box }: Segment, [left, top, right, bottom]: Box): boolean {
  const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]
  return x >= left && x <= right && y >= top && y <= bottom
}

const heightOf = (box: Box | null): number => (box === null ? 0 : box[3] - box[1])

/** A row of several cells, one of them higher than a line of print by more than half. */
function isBroken(row: TableRow, line: number): boolean {
  return row.length > 1 && row.some(cell => cell.rowSpan === 1 && heightOf(cell.box) > 1.5 * line)
}

/** The boxes of a form reach over one another's edges; the cells of a table seldom do. */
const MOST_SPANNING = 1 / 3

function isForm({ rows }: Table): boolean {
  const cells = rows.flat()
  return cells.filter(cell => cell.columnSpan > 1 || cell.rowSpan > 1).length > MOST_SPANNING * cells.length
}

interface Held {
  readonly place: DrawnPlace
  readonly cell: TableCell
}

function heldIn(table: Table): Held[] {
  return table.rows.flatMap(row => {
    const line = Math.min(...row.map(cell => heightOf(cell.box)))
    const place = { table, row, isBroken: isBroken(row, line) }
    return row.map(cell => ({ place, cell }))
  })
}

function bandsOf(tables: readonly Table[]): Map<string, Held[]> {
  const bands = new Map<string, Held[]>()
  const all = tables.filter(table => table.kind === 'ruled' && !isForm(table)).flatMap(heldIn)
  for (const held of all) {
    const [, top, , bottom] = held.cell.box ?? [0, 0, 0, -1]
    for (let band = Math.floor(top / BAND); band <= Math.floor(bottom / BAND); band += 1) {
      const key = `${held.cell.page}/${band}`
      const others = bands.get(key)
      if (others) others.push(held)
      else bands.set(key, [held])
    }
  }
  return bands
}

/** Tells of the segments of a sheet where they stand in its drawn tables; null outside of all. */
export function drawnPlaces(sheet: Sheet): (segment: Segment) => DrawnPlace | null {
  if (!sheet.paged) return () => null
  const bands = bandsOf(documentTables(sheet.document))
  return segment => {
    const band = Math.floor((segment.box[1] + segment.box[3]) / 2 / BAND)
    const held = bands
      .get(`${segment.page}/${band}`)
      ?.find(({ cell: { box } }) => box !== null && isWithin(segment, box))
    return held?.place ?? null
  }
}
