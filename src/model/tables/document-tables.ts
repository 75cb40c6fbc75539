import type { DocumentText, Page } from '../document-text.ts'
import { alignedTables, linesOutside } from './aligned-tables.ts'
import { markedTables } from './marked-tables.ts'
import { middleOf, type PageTable } from './page-table.ts'
import { ruledTable } from './ruled-tables.ts'
import { headingsOf, type Table, type TableRow, withoutRepeated } from './table.ts'

/** How far the columns of two parts of one table may differ, as a share of the width. */
const SAME_EDGE = 0.02
/** Lines of text that may stand between a table and the edge of the page it goes on over: headers, footers. */
const MOST_FURNITURE = 6

function pageTables(page: Page): PageTable[] {
  const ruled = (page.grids ?? []).map(grid => ruledTable(page, grid)).filter(table => table.rows.length > 0)
  return [...ruled, ...alignedTables(page, linesOutside(page.lines, ruled))].toSorted(
    (one, other) => one.box[1] - other.box[1]
  )
}

function isSameShape(one: PageTable, other: PageTable): boolean {
  return (
    one.kind === other.kind &&
    one.columns === other.columns &&
    one.spans.every(([from, to], at) => {
      const [start = 0, end = 0] = other.spans[at] ?? []
      // Text is set flush left or right: one of both edges of a column is where it was.
      return Math.min(Math.abs(from - start), Math.abs(to - end)) < SAME_EDGE
    })
  )
}

/** Whether a table is the last of its page, or the first of it, headers and footers aside. */
function isAtEdge(page: Page | undefined, table: PageTable, edge: 'top' | 'bottom'): boolean {
  const beyond = (page?.lines ?? []).filter(({ box }) =>
    edge === 'bottom' ? middleOf(box) > table.box[3] : middleOf(box) < table.box[1]
  )
  return beyond.length <= MOST_FURNITURE
}

const renumbered = (rows: readonly TableRow[]): TableRow[] =>
  rows.map((row, at) => row.map(cell => ({ ...cell, row: at })))

function joined(parts: readonly [PageTable, ...PageTable[]]): Table {
  const [first, ...others] = parts
  const headings = headingsOf(first.rows)
  const repeated = first.rows.slice(0, headings)
  return {
    kind: first.kind,
    columns: first.columns,
    headings,
    rows: renumbered([...first.rows, ...others.flatMap(part => withoutRepeated(part.rows, repeated))]),
    pages: [first.page, parts.at(-1)?.page ?? first.page]
  }
}

function pagedTables(pages: readonly Page[]): Table[] {
  const runs: [PageTable, ...PageTable[]][] = []
  let before: Page | undefined
  for (const page of pages) {
    for (const [at, table] of pageTables(page).entries()) {
      const open = runs.at(-1)
      const last = open?.at(-1)
      const goesOn =
        at === 0 &&
        last?.page === before?.number &&
        last !== undefined &&
        isAtEdge(before, last, 'bottom') &&
        isAtEdge(page, table, 'top') &&
        isSameShape(last, table)
      if (open && goesOn) open.push(table)
      else runs.push([table])
    }
    before = page
  }
  return runs.map(joined)
}

const known = new WeakMap<DocumentText, readonly Table[]>()

/**
 * All tables of a document in their order: rows of cells with their text and place, spans, and headings, over page breaks
 * as well. Found at the first need and kept with the document.
 */
export function documentTables(document: DocumentText): readonly Table[] {
  const kept = known.get(document)
  if (kept) return kept
  const tables = document.kind === 'paged' ? pagedTables(document.pages) : markedTables(document.paragraphs)
  known.set(document, tables)
  return tables
}
