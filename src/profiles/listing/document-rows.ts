import type { DocumentText, Page } from '../../model/document-text.ts'
import { documentTables } from '../../model/tables/document-tables.ts'
import { joined, type ListingRow, type Piece } from './listing-row.ts'

/** A gap of this share of the height of the letters parts the columns of a heading; words lie closer. */
const COLUMN_GAP = 0.55
/** Words whose middles lie within this share of their height stand in one row. */
const SAME_ROW = 0.35
/** Width of a column and height of a row of a flowing table, in points: only order and overlap count. */
const GRID = 100

interface PlacedPiece extends Piece {
  readonly top: number
  readonly bottom: number
  /** The line of the page it stands in: lines of a table part even cells without a gap. */
  readonly line: number
}

function wordsOf(page: Page): PlacedPiece[] {
  return page.lines.flatMap((line, at) =>
    line.words.map(({ text, box, confidence }) => ({
      text,
      line: at,
      sureness: confidence,
      left: box[0] * page.width,
      right: box[2] * page.width,
      top: box[1] * page.height,
      bottom: box[3] * page.height,
      origin: { page: page.number, bbox: box }
    }))
  )
}

function piecesOf(words: readonly PlacedPiece[]): Piece[] {
  const pieces: Piece[] = []
  let open: [PlacedPiece, ...PlacedPiece[]] | null = null
  for (const word of words) {
    const last = open?.at(-1)
    const isClose = last?.line === word.line && word.left - last.right <= COLUMN_GAP * (word.bottom - word.top)
    if (open && isClose) open.push(word)
    else {
      if (open) pieces.push(joined(open))
      open = [word]
    }
  }
  if (open) pieces.push(joined(open))
  return pieces
}

function pageRows(page: Page): ListingRow[] {
  const words = wordsOf(page).toSorted((a, b) => a.top + a.bottom - b.top - b.bottom || a.left - b.left)
  const rows: { middle: number; words: PlacedPiece[] }[] = []
  for (const word of words) {
    const middle = (word.top + word.bottom) / 2
    const row = rows.at(-1)
    if (row && middle - row.middle <= SAME_ROW * (word.bottom - word.top)) row.words.push(word)
    else rows.push({ middle, words: [word] })
  }
  return rows.map(row => {
    const inRow = row.words.toSorted((a, b) => a.left - b.left)
    return {
      page: page.number,
      top: Math.min(...inRow.map(word => word.top)),
      bottom: Math.max(...inRow.map(word => word.bottom)),
      words: inRow,
      pieces: piecesOf(inRow)
    }
  })
}

/** Rows of the tables of a flowing document; a cell takes the room of the columns it spans. */
const cellRows = (document: DocumentText): ListingRow[] =>
  documentTables(document).flatMap(table =>
    table.rows.flatMap(row => {
      const words = row.map(({ text, column, columnSpan, paragraph }) => ({
        text,
        left: column * GRID,
        right: (column + columnSpan) * GRID - 10,
        sureness: 1,
        origin: { paragraph: paragraph ?? 0 }
      }))
      const top = (row[0]?.row ?? 0) * GRID
      return { page: 0, top, bottom: top + 90, words, pieces: words }
    })
  )

/** The rows of a document in reading order: rows of print of its pages, or rows of the tables of a flowing document. */
export const documentRows = (document: DocumentText): ListingRow[] =>
  document.kind === 'paged' ? document.pages.flatMap(pageRows) : cellRows(document)
