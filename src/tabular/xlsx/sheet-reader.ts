import type { RawRow, RowFault } from '../../model/rows.ts'
import { columnAt, twinsOf } from '../delimited/columns.ts'
import { ForeignRows } from '../delimited/no-records/foreign-rows.ts'
import { HeaderAgain } from '../delimited/no-records/header-again.ts'
import { notRecord } from '../delimited/no-records/summary.ts'
import type { SheetFormat } from '../format.ts'
import type { ReadStart, RowReader, TakeRow } from '../reader.ts'
import type { Block } from '../text/block.ts'
import { escapeText } from '../text/encodings.ts'
import { type StoredCell, textOf, valueOf } from './cell.ts'
import { readRow } from './unpacked-row.ts'

/**
 * Rows of an unpacked sheet, each with its number in the sheet as its line. A row with a cell that cannot be trusted is
 * held with all its cells; the header met again is none.
 */
export class SheetReader implements RowReader {
  readonly #twins: readonly number[]
  readonly #columns: readonly string[]
  readonly #names: readonly string[]
  readonly #width: number
  readonly #merged: readonly number[]
  readonly #headers: HeaderAgain
  readonly #foreign: ForeignRows
  #row: number

  constructor(format: SheetFormat, start: ReadStart) {
    this.#twins = twinsOf(format.columns)
    this.#columns = format.columns
    this.#names = format.columns.filter((_, index) => (this.#twins[index] ?? -1) < 0)
    this.#width = format.columns.length
    this.#merged = format.merged
    this.#headers = new HeaderAgain(format.columns)
    this.#foreign = new ForeignRows(start.foreign ?? format.foreign)
    this.#row = start.row
  }

  get foreign(): readonly number[] {
    return this.#foreign.lines
  }

  read(block: Block, from: number, take: TakeRow): number {
    let at = from
    while (at < block.length) {
      const lineEnd = block.lineEnd(at)
      if (lineEnd === block.length && !block.final) return at
      const read = readRow(block.decode(at, lineEnd) ?? '')
      at = block.afterLineEnd(lineEnd)
      const row = 'fault' in read ? this.#faulty(read.line, read.fault, []) : this.#rowOf(read.line, read.cells)
      if (row !== null && !take(row, { end: at, line: read.line + 1 })) break
    }
    return at
  }

  #rowOf(line: number, cells: readonly StoredCell[]): RawRow | null {
    const shown = this.#shown(cells)
    const kind = this.#headers.read(shown)
    if (kind !== null) this.#foreign.meet(line, kind === 'own')
    if (kind === 'own') return null
    const fault = kind === 'foreign' ? FOREIGN : (this.#faultOf(line, cells) ?? faultOfKind(notRecord(shown)))
    if (fault !== null) return this.#faulty(line, fault, cells)
    const values = this.#values(cells)
    const held = cells.findIndex(cell => cell !== null && typeof cell === 'object' && 'x' in cell)
    const dated = this.#dated(cells)
    const row = { row: this.#row++, line, names: this.#names, values, ...(dated.length === 0 ? {} : { dated }) }
    const cell = cells[held]
    if (cell === undefined || cell === null || typeof cell === 'string' || !('x' in cell)) return row
    return {
      ...row,
      fault: {
        code: cell.x,
        detail: `${cell.d} in cell ${columnName(held)}${line}`,
        column: columnAt(this.#columns, held).column
      },
      source: sourceOf(cells)
    }
  }

  /** Why the cells of a row cannot be told apart. */
  #faultOf(line: number, cells: readonly StoredCell[]): RowFault | null {
    const header = this.#foreign.headerOf(line)
    if (header !== null) return { code: 'ROW_UNPARSABLE', detail: `under the header on line ${header}` }
    if (this.#isMerged(line)) return { code: 'MERGED_CELLS', detail: `in row ${line}` }
    const beyond = cells.findIndex((cell, index) => index >= this.#width && textOf(cell).trim() !== '')
    if (beyond >= 0) {
      const detail = `cell ${columnName(beyond)}${line} stands under no column name`
      return { code: 'COLUMN_COUNT_MISMATCH', detail }
    }
    const differing = this.#twins.findIndex((twin, index) => twin >= 0 && !isSame(cells[twin], cells[index]))
    if (differing < 0) return null
    const first = this.#twins[differing] ?? 0
    const [one, other] = [columnAt(this.#columns, first), columnAt(this.#columns, differing)]
    return {
      code: 'DUPLICATE_HEADER',
      detail: `columns ${columnName(first)} “${one.column}” and ${columnName(differing)} “${other.column}”`,
      column: other.column
    }
  }

  #isMerged(line: number): boolean {
    let low = 0
    let high = this.#merged.length / 2
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#merged[middle * 2 + 1] ?? 0) < line) low = middle + 1
      else high = middle
    }
    return (this.#merged[low * 2] ?? Number.POSITIVE_INFINITY) <= line
  }

  /** What the cells show, one for each column: blank ones at the end are not kept. */
  #shown(cells: readonly StoredCell[]): string[] {
    const shown = cells.map(textOf)
    while (shown.length < this.#width) shown.push('')
    return shown
  }

  #values(cells: readonly StoredCell[]): RawRow['values'] {
    const values: RawRow['values'][number][] = []
    for (let index = 0; index < this.#width; index++) {
      if ((this.#twins[index] ?? -1) < 0) values.push(valueOf(cells[index] ?? null))
    }
    return values
  }

  /** Positions among the values of cells that are dates. */
  #dated(cells: readonly StoredCell[]): number[] {
    const dated: number[] = []
    let at = 0
    for (let index = 0; index < this.#width; index++) {
      if ((this.#twins[index] ?? -1) >= 0) continue
      const cell = cells[index]
      if (typeof cell === 'object' && cell !== null && 't' in cell) dated.push(at)
      at++
    }
    return dated
  }

  #faulty(line: number, fault: RowFault, cells: readonly StoredCell[]): RawRow {
    return { row: this.#row++, line, names: this.#names, values: [], fault, source: sourceOf(cells) }
  }
}

const faultOfKind = (detail: string | null): RowFault | null =>
  detail === null ? null : { code: 'ROW_UNPARSABLE', detail }
const FOREIGN: RowFault = { code: 'ROW_UNPARSABLE', detail: 'a header with other columns' }

const isSame = (left: StoredCell | undefined, right: StoredCell | undefined): boolean =>
  JSON.stringify(left ?? null) === JSON.stringify(right ?? null)

/** The cells as people see them, for a row that is held as a whole. */
const sourceOf = (cells: readonly StoredCell[]): string => escapeText(JSON.stringify(cells.map(textOf)))

/** The letters of a column, counted from 0. */
function columnName(index: number): string {
  let name = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  }
  return name
}
