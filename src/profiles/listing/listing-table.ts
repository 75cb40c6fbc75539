import { boundsOf, type CellsOfRow, cellsOf } from './columns.ts'
import { type FieldOf, type Head, type Heading, headAt, type ListingPlan } from './headings.ts'
import { type ListingRow, textOf } from './listing-row.ts'

/** A row of a table with what stands in each of its columns. */
export interface TableRow extends CellsOfRow {
  readonly row: ListingRow
}

/** The rows below one head of records, down to the next head of anything. */
export interface ListingTable {
  readonly headings: readonly Heading[]
  /** Column of what every record has its own of. */
  readonly identifierAt: number
  readonly rows: readonly TableRow[]
}

const hasNumber = (text: string): boolean => (text.match(/\d/g)?.length ?? 0) >= 2

/** Rows that are surely records: a number under the heading of numbers, and something in other columns. */
function looksLikeRecord(row: ListingRow, headings: readonly Heading[], identifierAt: number): boolean {
  const from = headings[identifierAt - 1]?.right ?? Number.NEGATIVE_INFINITY
  const to = headings[identifierAt + 1]?.left ?? Number.POSITIVE_INFINITY
  const isThere = row.words.some(word => word.left >= from && word.left < to && hasNumber(word.text))
  return isThere && row.pieces.length >= 3 && !row.pieces.some(piece => /^(?:sub-?)?totals?\b/i.test(piece.text))
}

function tableOf(headings: readonly Heading[], rows: readonly ListingRow[], plan: ListingPlan): ListingTable {
  const identifierAt = headings.findIndex(heading => heading.field === plan.identifier)
  const records = rows.filter(row => looksLikeRecord(row, headings, identifierAt))
  const bounds = boundsOf(headings, records)
  return { headings, identifierAt, rows: rows.map(row => ({ row, ...cellsOf(row, bounds) })) }
}

/** A head of another table tells again what this one's head tells; labels inside a record tell something else. */
function isOtherHead(head: Head | null, open: Head): boolean {
  const own = new Set(open.headings.flatMap(heading => heading.field ?? []))
  const again = new Set(head?.headings.flatMap(({ field }) => (field !== null && own.has(field) ? [field] : [])))
  return again.size >= 2
}

/** The tables of records of a document. A head that is repeated on the next page goes on with the same table. */
export function listingTables(rows: readonly ListingRow[], fieldOf: FieldOf, plan: ListingPlan): ListingTable[] {
  const tables: { head: Head; rows: ListingRow[] }[] = []
  let isOpen = false
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]
    const head = headAt(rows, at, fieldOf, plan)
    const open = tables.at(-1)
    if (head?.isOfRecords) {
      const isRepeated = open && textOf(open.head.headings) === textOf(head.headings)
      if (!isRepeated) tables.push({ head, rows: [] })
      isOpen = true
      at += head.rows - 1
    } else if (open && isOpen && isOtherHead(head, open.head)) isOpen = false
    else if (row && isOpen) open?.rows.push(row)
  }
  return tables.map(table => tableOf(table.head.headings, table.rows, plan))
}
