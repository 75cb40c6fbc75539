import type { Paragraph } from '../document-text.ts'
import { headingsOf, type Table, type TableCell } from './table.ts'

/** Tables that a flowing document marks as such, in their order. */
export function markedTables(paragraphs: readonly Paragraph[]): Table[] {
  const tables = new Map<number, Map<number, TableCell[]>>()
  for (const { index, text, bold, cell } of paragraphs) {
    if (!cell) continue
    const rows = tables.get(cell.table) ?? new Map<number, TableCell[]>()
    tables.set(cell.table, rows)
    const row = rows.get(cell.row) ?? []
    rows.set(cell.row, row)
    const { row: at, column, rowSpan, columnSpan } = cell
    const place = { row: at, column, rowSpan, columnSpan }
    row.push({ ...place, text: text.replaceAll(/\s+/g, ' '), bold, page: null, box: null, paragraph: index })
  }
  return [...tables.values()].map(byRow => {
    const rows = [...byRow].toSorted(([one], [other]) => one - other).map(([, row]) => row)
    const ordered = rows.map(row => row.toSorted((one, other) => one.column - other.column))
    const columns = Math.max(...ordered.flat().map(cell => cell.column + cell.columnSpan))
    return { kind: 'marked', columns, headings: headingsOf(ordered), rows: ordered, pages: null }
  })
}
