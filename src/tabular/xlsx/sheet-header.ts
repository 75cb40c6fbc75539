import type { RowFault } from '../../model/rows.ts'
import { columnsOf } from '../delimited/columns.ts'
import { findHeader } from '../delimited/find-header.ts'
import { textOf } from './cell.ts'
import type { MergedArea, SheetRow } from './read-sheet.ts'

/** Rows below its first that a header's merged cells may reach: group titles over column titles. */
const MAX_HEADER_ROWS = 4

export interface SheetHeader {
  readonly line: number
  /** Last row of the header. */
  readonly bottom: number
  readonly columns: readonly string[]
  readonly known: number
}

/** One of the first rows of a sheet, in memory while the rest is read. */
export interface HeadRow extends SheetRow {
  /** Bytes of the unpacked sheet at its start and behind it. */
  readonly start: number
  readonly end: number
}

/** Finds the header among the first rows, once the merged areas are known. */
export function findSheetHeader(
  rows: readonly HeadRow[],
  merges: readonly MergedArea[],
  knownColumn: ((name: string) => boolean) | undefined
): SheetHeader | { readonly fault: RowFault } {
  const samples = rows.map(({ line, cells, fault, start, end }) => ({
    cells: cells.map(textOf),
    isFaulty: fault !== undefined,
    start,
    end,
    line,
    lineAfter: line + 1
  }))
  const found = findHeader(samples, knownColumn)
  if (found.kind === 'missing') {
    const { detail } = found
    return { fault: detail === undefined ? { code: 'HEADER_MISSING' } : { code: 'HEADER_MISSING', detail } }
  }
  const { line } = found.header.row
  const { bottom, names } = mergedNames(rows, merges, line)
  return { line, bottom, columns: columnsOf(names), known: found.header.known }
}

/** The names of a header: a merged cell names every column it lies over, and titles below it are added to its own. */
function mergedNames(
  rows: readonly HeadRow[],
  merges: readonly MergedArea[],
  line: number
): { bottom: number; names: string[] } {
  const own = merges.filter(area => area.top <= line && area.bottom >= line && area.bottom - line < MAX_HEADER_ROWS)
  const bottom = Math.max(line, ...own.map(area => area.bottom))
  const textAt = (row: number, column: number): string => {
    const cell = rows.find(candidate => candidate.line === row)?.cells[column - 1]
    return cell === undefined ? '' : textOf(cell)
  }
  const shownAt = (row: number, column: number): string => {
    const area = merges.find(
      ({ top, left, bottom: low, right }) => top <= row && row <= low && left <= column && column <= right
    )
    return area === undefined ? textAt(row, column) : textAt(area.top, area.left)
  }
  const width = Math.max(
    ...own.map(area => area.right),
    ...rows.filter(row => row.line >= line && row.line <= bottom).map(row => row.cells.length)
  )
  const names = Array.from({ length: Math.min(width, 16_384) }, (_, index) => {
    const titles = new Set<string>()
    for (let row = line; row <= bottom; row++) titles.add(shownAt(row, index + 1).trim())
    return [...titles].filter(title => title !== '').join(' ')
  })
  return { bottom, names }
}
