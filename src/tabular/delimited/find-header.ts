import { columnsOf } from './columns.ts'
import type { SampleRow } from './sample.ts'

/** Rows in which a header is looked for: exports put a few title lines above it at most. */
const SEARCHED_ROWS = 30

export interface FoundHeader {
  readonly row: SampleRow
  readonly columns: readonly string[]
  readonly known: number
}

export type HeaderOutcome =
  | { readonly kind: 'found'; readonly header: FoundHeader }
  | { readonly kind: 'missing'; readonly detail?: string }

/**
 * The header row: the first of the rows that name most known columns. Without a way to know columns, the first row as
 * wide as most that holds names rather than values. Rows above it that are filled like records would be lost, so they
 * mean that the header is missing.
 */
export function findHeader(rows: readonly SampleRow[], knownColumn?: (name: string) => boolean): HeaderOutcome {
  const searched = rows.slice(0, SEARCHED_ROWS)
  const header = knownColumn ? mostKnown(searched, knownColumn) : firstNames(searched, modalWidth(rows))
  if (header === null) return { kind: 'missing' }
  const above = searched.slice(0, searched.indexOf(header.row)).filter(row => isFilled(row, header.columns.length))
  return above.length === 0
    ? { kind: 'found', header }
    : { kind: 'missing', detail: `${above.length} filled rows stand above the header on line ${header.row.line}` }
}

/** How many cells most rows have. */
export function modalWidth(rows: readonly SampleRow[]): number {
  const counts = new Map<number, number>()
  for (const row of rows) if (!row.isFaulty) counts.set(row.cells.length, (counts.get(row.cells.length) ?? 0) + 1)
  let width = 0
  for (const [cells, count] of counts) {
    const best = counts.get(width) ?? 0
    if (count > best || (count === best && cells > width)) width = cells
  }
  return width
}

function mostKnown(rows: readonly SampleRow[], knownColumn: (name: string) => boolean): FoundHeader | null {
  let best: FoundHeader | null = null
  for (const row of rows) {
    const columns = columnsOf(row.cells)
    const known = columns.filter(knownColumn).length
    const isBetter = known > (best?.known ?? 0)
    // One known word may be a value by chance; a header is made of names.
    if (isBetter && (known > 1 || isNames(row))) best = { row, columns, known }
  }
  return best
}

function firstNames(rows: readonly SampleRow[], width: number): FoundHeader | null {
  const row = rows.find(candidate => candidate.cells.length >= width && isNames(candidate))
  return row ? { row, columns: columnsOf(row.cells), known: 0 } : null
}

function isNames(row: SampleRow): boolean {
  const named = row.cells.filter(cell => cell.trim() !== '')
  return (
    named.length * 2 >= row.cells.length &&
    named.length > 0 &&
    named.every(cell => cell.length <= 120 && /\p{L}/u.test(cell))
  )
}

function isFilled(row: SampleRow, width: number): boolean {
  const filled = row.cells.filter(cell => cell.trim() !== '').length
  return filled > 2 && filled * 2 > width
}
