import type { RowFault } from '../../model/rows.ts'
import { type FormatDecision, MAX_COLUMNS, type SheetFormat } from '../format.ts'
import { readStyles } from './numbers/styles.ts'
import { type MergedArea, readSheet, SheetScanner } from './read-sheet.ts'
import { readSharedStrings } from './shared-strings.ts'
import { findSheetHeader, type HeadRow, type SheetHeader } from './sheet-header.ts'
import { sheetsWithRecords } from './sheets-with-records.ts'
import { StringTable } from './string-table.ts'
import { writeRow } from './unpacked-row.ts'
import { findSheet, type SheetParts, type SheetPlace, type WorkbookParts } from './workbook.ts'
import { WorkbookFault } from './xml.ts'

export interface UnpackOptions {
  /** Name of the sheet to read; by default the first visible one that holds records, else the first visible one. */
  readonly sheet?: string
  /** Whether a column of this name means something to the profile: finds the header row. */
  readonly knownColumn?: (name: string) => boolean
  /** A file to be written and removed when the shared texts do not fit in memory. */
  readonly stringsPath: string
  /** Longest row that is read, in characters of its cells. */
  readonly recordBytes?: number
}

/** Rows in which the header is looked for. */
const HEAD_ROWS = 100
const HEAD_CHARACTERS = 4e6

interface Written {
  readonly head: HeadRow[]
  bytes: number
  rows: number
  hidden: number
  headCharacters: number
  lastLine: number
}

/**
 * Writes the rows of a workbook's sheet as lines that can be split and read again from any of them, and decides how they
 * are read. The same workbook gives the same bytes. What the workbook itself is at fault for is the decision's fault;
 * errors of `parts` and of `write` pass through.
 */
export async function unpackSheet(
  parts: WorkbookParts,
  options: UnpackOptions,
  write: (bytes: Buffer) => Promise<void>
): Promise<FormatDecision> {
  const texts = new StringTable(options.stringsPath)
  try {
    const named = await findSheet(parts, options.sheet)
    const formats = await readStyles(parts, named.styles)
    await readSharedStrings(parts, named.sharedStrings, texts)
    const context = { formats, is1904: named.is1904, shared: (index: number) => texts.get(index) }
    const tables = await sheetsWithRecords(parts, named.visible, context, options)
    const chosen = { ...named, ...tables[0] }
    const scanner = new SheetScanner(context, options.recordBytes)
    const written = await writeRows(parts, chosen, scanner, write)
    await writeUnread(tables.slice(1), { chosen, written }, write)
    return decide(chosen, scanner.merges, written, options)
  } catch (error) {
    if (error instanceof WorkbookFault) return fault({ code: error.reason, detail: error.message })
    throw error
  } finally {
    texts.close()
  }
}

async function writeRows(
  parts: WorkbookParts,
  chosen: SheetParts,
  scanner: SheetScanner,
  write: (bytes: Buffer) => Promise<void>
): Promise<Written> {
  const written: Written = { head: [], bytes: 0, rows: 0, hidden: 0, headCharacters: 0, lastLine: 0 }
  for await (const rows of readSheet(parts.open(chosen.sheet), scanner)) {
    const lines: Buffer[] = []
    for (const row of rows) {
      const line = Buffer.from(writeRow(row))
      const start = written.bytes
      written.bytes += line.length
      written.rows += 1
      written.lastLine = row.line
      if (row.isHidden) written.hidden += 1
      if (written.head.length < HEAD_ROWS && written.headCharacters < HEAD_CHARACTERS) {
        written.head.push({ ...row, start, end: written.bytes })
        written.headCharacters += line.length
      }
      lines.push(line)
    }
    await write(Buffer.concat(lines))
  }
  return written
}

/** A row that is held for every other sheet that holds records: what is not read is not passed over in silence. */
async function writeUnread(
  unread: readonly SheetPlace[],
  { chosen, written }: { readonly chosen: SheetParts; readonly written: Written },
  write: (bytes: Buffer) => Promise<void>
): Promise<void> {
  for (const [at, { number }] of unread.entries()) {
    const detail = `sheet ${number} of ${chosen.count} holds records too and is not read: name it in "sheet" and send the workbook again`
    const fault = { code: 'CONTENT_OUTSIDE_READ', detail } as const
    await write(Buffer.from(writeRow({ line: written.lastLine + 1 + at, cells: [], fault, isHidden: false })))
  }
}

function decide(
  chosen: SheetParts,
  merges: readonly MergedArea[],
  written: Written,
  options: UnpackOptions
): FormatDecision {
  if (written.rows === 0) return fault({ code: 'FILE_EMPTY' })
  const header = findSheetHeader(written.head, merges, options.knownColumn)
  if ('fault' in header) return fault(header.fault)
  if (header.columns.length > MAX_COLUMNS)
    return fault({ code: 'ROW_UNPARSABLE', detail: `more than ${MAX_COLUMNS} columns` })
  const below = written.head.find(row => row.line > header.bottom)
  const format: SheetFormat = {
    kind: 'sheet',
    encoding: 'utf-8',
    columns: header.columns,
    headerLine: header.line,
    merged: mergedRows(header, merges),
    dataOffset: below?.start ?? written.head.at(-1)?.end ?? written.bytes,
    dataLine: header.bottom + 1,
    evidence: {
      sheet: chosen.number,
      sheets: chosen.count,
      date_system: chosen.is1904 ? 1904 : 1900,
      rows: written.rows,
      hidden_rows: written.hidden,
      known_columns: header.known,
      lines_above_header: header.line - 1
    }
  }
  return { ok: true, format }
}

/** Stretches of rows below the header in which a merged area hides which row or column its value belongs to. */
function mergedRows(header: SheetHeader, merges: readonly MergedArea[]): number[] {
  const stretches = merges
    .filter(area => area.bottom > header.bottom && area.left <= header.columns.length)
    .map(area => [Math.max(area.top, header.bottom + 1), area.bottom] as const)
    .toSorted((left, right) => left[0] - right[0])
  const flat: number[] = []
  for (const [top, bottom] of stretches) {
    const last = flat.at(-1)
    if (last !== undefined && top <= last + 1) flat[flat.length - 1] = Math.max(last, bottom)
    else flat.push(top, bottom)
  }
  return flat
}

const fault = (of: RowFault): FormatDecision => ({ ok: false, fault: of })
