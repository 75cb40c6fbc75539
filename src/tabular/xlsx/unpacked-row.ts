import { AppError } from '../../errors.ts'
import type { RowFault } from '../../model/rows.ts'
import type { StoredCell } from './cell.ts'
import type { SheetRow } from './read-sheet.ts'

/** A row of an unpacked sheet: its number in the sheet and its cells, or why they are not kept. */
export type UnpackedRow =
  | { readonly line: number; readonly cells: readonly StoredCell[] }
  | { readonly line: number; readonly fault: RowFault }

/** One line of an unpacked sheet: `[row, cell, …]`, or an object for a row without cells. */
export function writeRow({ line, cells, fault }: SheetRow): string {
  return `${fault === undefined ? JSON.stringify([line, ...cells]) : JSON.stringify({ line, fault })}\n`
}

/** Reads such a line back. Throws `PAYLOAD_CORRUPT` for anything else: only `writeRow` makes them. */
export function readRow(text: string): UnpackedRow {
  try {
    const read: UnpackedRow | [number, ...StoredCell[]] = JSON.parse(text)
    if (!Array.isArray(read)) return read
    const [line, ...cells] = read
    return { line, cells }
  } catch (error) {
    throw new AppError('PAYLOAD_CORRUPT', 'An unpacked sheet does not hold what was written.', { cause: error })
  }
}
