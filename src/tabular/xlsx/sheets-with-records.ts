import type { CellContext } from './cell.ts'
import { readSheet, SheetScanner } from './read-sheet.ts'
import { findSheetHeader, type HeadRow } from './sheet-header.ts'
import type { SheetPlace, WorkbookParts } from './workbook.ts'

/** Rows of a sheet that are looked at: titles, the header and a record. */
const LOOKED_AT = 40
/** Fewer known columns are words that stand there by chance. */
const LEAST_KNOWN = 2

interface LookOptions {
  readonly knownColumn?: (name: string) => boolean
  readonly recordBytes?: number
}

/** Those of several visible sheets that hold a header with known columns and a row below it; none of a single one. */
export async function sheetsWithRecords(
  parts: WorkbookParts,
  visible: readonly SheetPlace[],
  context: CellContext,
  options: LookOptions
): Promise<SheetPlace[]> {
  const found: SheetPlace[] = []
  if (visible.length < 2) return found
  for (const place of visible) {
    const rows = await firstRows(parts, place, new SheetScanner(context, options.recordBytes))
    const header = findSheetHeader(rows, [], options.knownColumn)
    if (!('fault' in header) && header.known >= LEAST_KNOWN && (rows.at(-1)?.line ?? 0) > header.bottom)
      found.push(place)
  }
  return found
}

async function firstRows(parts: WorkbookParts, place: SheetPlace, scanner: SheetScanner): Promise<HeadRow[]> {
  const found: HeadRow[] = []
  for await (const rows of readSheet(parts.open(place.sheet), scanner)) {
    for (const row of rows) found.push({ ...row, start: 0, end: 0 })
    if (found.length >= LOOKED_AT) break
  }
  return found.slice(0, LOOKED_AT)
}
