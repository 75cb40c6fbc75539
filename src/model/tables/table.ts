import type { Box, GridCell } from '../document-text.ts'

/** A piece of text in a table, with where it stands. */
export interface TableText {
  readonly text: string
  readonly bold: boolean
  /** Page and box in a paged document, paragraph in a flowing one. */
  readonly page: number | null
  readonly box: Box | null
  readonly paragraph: number | null
}

/** A cell: its place, how far it reaches, and its text, the lines of it joined. */
export interface TableCell extends GridCell, TableText {}

/** A row: its cells from left to right, those without text left out. */
export type TableRow = readonly TableCell[]

/** A table, over page breaks as well: headings that a page prints again are not in it twice. */
export interface Table {
  /** Its cells are told by drawn lines, by where text stands, or by the format of the document. */
  readonly kind: 'ruled' | 'aligned' | 'marked'
  readonly columns: number
  /** How many of its first rows are headings. */
  readonly headings: number
  readonly rows: readonly TableRow[]
  /** From which page to which; null in a flowing document. */
  readonly pages: readonly [number, number] | null
}

const HAS_NUMBER = /\d{2}|[$£€%] ?\d|^\d$/
/** Rows of headings above one another. */
const MOST_HEADINGS = 3

const isPlain = (row: TableRow): boolean => row.every(cell => !HAS_NUMBER.test(cell.text))
const isBold = (row: TableRow): boolean => row.length > 0 && row.every(cell => cell.bold)

/**
 * How many of the first rows are headings: those in bold type above rows that are not, else those without a figure above
 * rows that have some.
 */
export function headingsOf(rows: readonly TableRow[]): number {
  const bold = rows.findIndex(row => !isBold(row))
  const body = rows.slice(bold)
  if (bold > 0 && bold <= MOST_HEADINGS && body.length > 0) return bold
  const plain = rows.findIndex(row => !isPlain(row))
  return plain > 0 && plain <= MOST_HEADINGS && rows[plain - 1] && (rows[plain - 1]?.length ?? 0) > 1 ? plain : 0
}

const wordsOf = (row: TableRow): string => row.map(cell => cell.text.toLowerCase()).join('|')

/** The rows of a part of a table on another page, without the headings it repeats. */
export function withoutRepeated(rows: readonly TableRow[], headings: readonly TableRow[]): readonly TableRow[] {
  if (headings.length === 0) return rows
  const isRepeated = headings.every((heading, at) => {
    const row = rows[at]
    return row !== undefined && wordsOf(row) === wordsOf(heading)
  })
  return isRepeated ? rows.slice(headings.length) : rows
}
