/** The place of a cell in its table; spans grow as later cells turn out to continue it. */
export interface CellPlace {
  readonly table: number
  readonly row: number
  readonly column: number
  rowSpan: number
  columnSpan: number
}

/** A cell while its table is read. */
export interface OpenCell {
  readonly place: CellPlace
  /** Continues a cell above or to the left: shows nothing of its own. */
  continues: boolean
}

interface OpenTable {
  readonly index: number
  row: number
  column: number
  cell: OpenCell | null
  /** The cell that a vertically merged cell below would continue, by column. */
  readonly above: Map<number, CellPlace>
}

/** Follows tables, also nested ones, and gives each cell its place in the grid. */
export class TableTracker {
  private readonly open: OpenTable[] = []
  private count = 0

  /** The innermost open cell. */
  get cell(): OpenCell | null {
    return this.open.at(-1)?.cell ?? null
  }

  openTable(): void {
    this.open.push({ index: this.count, row: -1, column: 0, cell: null, above: new Map() })
    this.count += 1
  }

  closeTable(): void {
    this.open.pop()
  }

  openRow(): void {
    const table = this.open.at(-1)
    if (!table) return
    table.row += 1
    table.column = 0
  }

  /** Grid columns that a row leaves out before its first cell. */
  skipColumns(count: number): void {
    const table = this.open.at(-1)
    if (table) table.column += count
  }

  openCell(): void {
    const table = this.open.at(-1)
    if (!table) return
    const { index, row, column } = table
    table.cell = { place: { table: index, row, column, rowSpan: 1, columnSpan: 1 }, continues: false }
  }

  spanColumns(count: number): void {
    const { cell } = this
    if (cell) cell.place.columnSpan = count
  }

  /** A cell merged with the one above: a restart begins a merged cell, anything else continues it. */
  mergeDown(restart: boolean): void {
    const table = this.open.at(-1)
    const cell = table?.cell
    if (!table || !cell || restart) return
    const above = table.above.get(cell.place.column)
    if (!above) return
    cell.continues = true
    above.rowSpan = cell.place.row - above.row + 1
  }

  closeCell(): void {
    const table = this.open.at(-1)
    const cell = table?.cell
    if (!table || !cell) return
    if (!cell.continues) table.above.set(cell.place.column, cell.place)
    table.column += cell.place.columnSpan
    table.cell = null
  }
}
