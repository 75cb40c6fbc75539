import type { FieldOf } from './headings.ts'
import { type Piece, textOf } from './listing-row.ts'
import type { ListingTable, TableRow } from './listing-table.ts'

/** One record of a listing: what stands under each heading and behind each label. */
export interface ListingRecord {
  readonly cells: Map<string, Piece[]>
  /** All of its first row. */
  readonly pieces: readonly Piece[]
  /** Cells of it run into one another, so that what belongs to which is not sure. */
  readonly isBlurred: boolean
}

/** Marks that send to a footnote; they are no part of a number. */
const FOOTNOTE = /^[*†‡^\s]+|[*†‡^\s]+$/g
const IDENTIFIER = /^[\p{L}\d][\p{L}\d ./#_-]{0,40}$/u
const DATE = /^\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}$/
const TOTAL = /^(?:grand |sub-? ?)?totals?\b|\btotals?:?$/i
const AMOUNT = /^[$£€]? ?[\d,.]+%?$/
const LETTERS = /^[\p{L}][\p{L} .#/&-]{1,40}:?$/u
/** A wrapped line follows within this share of the height of the line above it. */
const WRAPPED = 0.6
const ALIGNED = 2
/** Labels that no field knows are told by standing in nearly all of the rows that have labels. */
const RECURRING = 0.9
const LEAST_RECURRING = 3

/** What identifies a record, without the marks of footnotes. */
export const withoutMarks = (text: string): string => text.replaceAll(FOOTNOTE, '')

const digitsIn = (text: string): number => text.match(/\d/g)?.length ?? 0

function identifierText(table: ListingTable, { cells }: TableRow): string | null {
  const text = withoutMarks(textOf(cells[table.identifierAt] ?? []))
  const isOne = IDENTIFIER.test(text) && !DATE.test(text) && digitsIn(text) >= 1 && text.split(' ').length <= 3
  return isOne ? text : null
}

const filled = ({ cells }: TableRow): number => cells.filter(cell => cell.length > 0).length
const isTotal = ({ row }: TableRow): boolean => row.pieces.some(piece => TOTAL.test(piece.text))

/** Numbers far shorter than the others of the column count something and identify nothing. */
function leastLength(table: ListingTable): number {
  const lengths = table.rows.flatMap(row => identifierText(table, row)?.length ?? []).toSorted((a, b) => a - b)
  return Math.ceil((lengths[Math.floor(lengths.length / 2)] ?? 1) / 2)
}

/** A row of a sum: it says so, and lacks most of what a record has or counts something where that has its number. */
function isSummary(table: ListingTable, row: TableRow): boolean {
  const second = row.row.pieces[1]?.text ?? ''
  if (/^totals?\b/i.test(second) && /^\d{1,4}$/.test(identifierText(table, row) ?? '')) return true
  return isTotal(row) && filled(row) <= table.headings.length / 2
}

/** Pieces of rows below a record that name what stands behind them. */
interface Labels {
  /** `isAfterLabel`: what stands right behind a label is its value unless it names something in every such row. */
  readonly has: (piece: Piece, isAfterLabel: boolean) => boolean
  readonly isLabelled: (row: TableRow) => boolean
}

const keyOf = (piece: Piece): string => `${piece.text.toLowerCase()} ${Math.round(piece.left / 4)}`

function labelsOf(table: ListingTable, fieldOf: FieldOf): Labels {
  const own = new Set(table.headings.map(heading => heading.field))
  const isKnown = (piece: Piece): boolean => {
    const field = LETTERS.test(piece.text) ? fieldOf(piece.text) : null
    return field !== null && !own.has(field)
  }
  const isLabelled = ({ row }: TableRow): boolean => {
    const [first, second] = row.pieces
    return first !== undefined && second !== undefined && isKnown(first)
  }
  const labelled = table.rows.filter(isLabelled)
  const counts = new Map<string, number>()
  for (const { row } of labelled) {
    for (const piece of row.pieces)
      if (LETTERS.test(piece.text)) counts.set(keyOf(piece), (counts.get(keyOf(piece)) ?? 0) + 1)
  }
  const least = Math.max(LEAST_RECURRING, RECURRING * labelled.length)
  const has = (piece: Piece, isAfterLabel: boolean): boolean =>
    (counts.get(keyOf(piece)) ?? 0) >= least || (isKnown(piece) && !isAfterLabel)
  return { isLabelled, has }
}

function addLabelled(record: ListingRecord, { row }: TableRow, labels: Labels): void {
  let name: string | null = null
  let isAfterLabel = false
  for (const piece of row.pieces) {
    if (labels.has(piece, isAfterLabel)) {
      name = piece.text
      isAfterLabel = true
      if (!record.cells.has(name)) record.cells.set(name, [])
    } else if (name !== null) {
      record.cells.get(name)?.push(piece)
      isAfterLabel = false
    }
  }
}

/** Cells whose text goes on below: each stands under a filled cell and begins where that begins. */
function isWrapped(table: ListingTable, above: TableRow, below: TableRow): boolean {
  const height = above.row.bottom - above.row.top
  const gap = below.row.top - above.row.bottom
  if (below.row.page !== above.row.page || gap > WRAPPED * height || below.crossing > 0) return false
  return below.cells.every((cell, at) => {
    const [first] = cell
    if (!first) return true
    const [start] = above.cells[at] ?? []
    if (at === table.identifierAt || start === undefined || AMOUNT.test(textOf(above.cells[at] ?? []))) return false
    return Math.abs(start.left - first.left) <= ALIGNED
  })
}

/** As many filled cells as a record has at least. */
const isFilled = (table: ListingTable, row: TableRow): boolean => filled(row) >= Math.max(3, table.headings.length / 2)

class Records {
  private readonly found: ListingRecord[] = []
  /** Filled rows without a number since the last row with one. Below a total they count only if a numbered row follows. */
  private doubtful: { readonly record: ListingRecord; readonly isBelowTotal: boolean }[] = []
  private last: { readonly record: ListingRecord; row: TableRow } | null = null
  private isBelowTotal = false
  private readonly table: ListingTable
  private readonly names: readonly string[]

  constructor(table: ListingTable, names: readonly string[]) {
    this.table = table
    this.names = names
  }

  private recordOf({ row, cells, crossing }: TableRow): ListingRecord {
    const entries = cells.map((cell, at): [string, Piece[]] => [this.names[at] ?? '', [...cell]])
    return { cells: new Map(entries), pieces: row.pieces, isBlurred: crossing > 0 }
  }

  add(row: TableRow): void {
    this.found.push(...this.doubtful.map(({ record }) => record))
    this.doubtful = []
    this.isBelowTotal = false
    const record = this.recordOf(row)
    this.found.push(record)
    this.last = { record, row }
  }

  /** A row without a number under the heading of numbers. */
  addOther(row: TableRow): void {
    const { last, table, isBelowTotal } = this
    this.last = null
    if (isTotal(row)) this.isBelowTotal = true
    else if (row.crossing === 0 && isFilled(table, row)) {
      this.doubtful.push({ record: this.recordOf(row), isBelowTotal })
    } else if (last && isWrapped(table, last.row, row)) {
      for (const [at, cell] of row.cells.entries()) last.record.cells.get(this.names[at] ?? '')?.push(...cell)
      const cells = row.cells.map((cell, at) => (cell.length > 0 ? cell : (last.row.cells[at] ?? [])))
      this.last = { record: last.record, row: { ...row, cells } }
    }
  }

  addLabelled(row: TableRow, labels: Labels): void {
    const record = this.doubtful.at(-1)?.record ?? this.found.at(-1)
    if (record) addLabelled(record, row, labels)
    this.last = null
  }

  finish(): ListingRecord[] {
    const above = this.doubtful.filter(({ isBelowTotal }) => !isBelowTotal)
    return [...this.found, ...above.map(({ record }) => record)]
  }
}

/** Names of the columns, each its own. */
export function columnNames(table: ListingTable): string[] {
  const counts = new Map<string, number>()
  return table.headings.map(({ text }) => {
    const count = (counts.get(text) ?? 0) + 1
    counts.set(text, count)
    return count === 1 ? text : `${text} (${count})`
  })
}

/**
 * The records of a table: a row with a number under the heading of numbers begins one; rows of labels and wrapped lines
 * below belong to it. A filled row without a number is a record too, which lacks one. Totals, notes and page numbers are none.
 */
export function recordsOf(table: ListingTable, fieldOf: FieldOf): ListingRecord[] {
  const labels = labelsOf(table, fieldOf)
  const least = leastLength(table)
  const records = new Records(table, columnNames(table))
  for (const row of table.rows) {
    const identifier = identifierText(table, row)
    const isNumbered = identifier !== null && identifier.length >= least
    if (isNumbered && filled(row) >= 2 && !isSummary(table, row)) records.add(row)
    else if (labels.isLabelled(row)) records.addLabelled(row, labels)
    else records.addOther(row)
  }
  return records.finish()
}
