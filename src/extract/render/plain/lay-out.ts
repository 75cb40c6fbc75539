import type { Paragraph } from '../../../model/document-text.ts'
import { breakLines } from './break-lines.ts'
import type { Font } from './font.ts'

/** US letter, in points. */
export const SHEET = { width: 612, height: 792 } as const
const MARGIN = 54
const SIZE = 10
const HEADING_SIZE = 12
const LINE_HEIGHT = 1.35
const PARAGRAPH_GAP = 4
const COLUMN_GAP = 8
const LEAST_COLUMN = 24

export interface Fonts {
  readonly regular: Font
  readonly bold: Font
}

/** A line of text on the sheet; `y` is its base line, from the top. */
export interface PlacedText {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly bold: boolean
  readonly text: string
}

/** Where a paragraph, or the part of it on this sheet, stands: left, top, right, bottom in points. */
export interface ParagraphPlace {
  readonly index: number
  readonly box: readonly [number, number, number, number]
}

export interface LaidOut {
  readonly pageCount: number
  readonly texts: readonly PlacedText[]
  readonly paragraphs: readonly ParagraphPlace[]
  /** The first paragraph that begins on each page. */
  readonly starts: readonly number[]
}

/** A place in the flow: the page, from 1, and how far down it. */
interface Place {
  readonly page: number
  readonly y: number
}

interface Column {
  readonly x: number
  readonly width: number
}

/**
 * Lays the paragraphs of a flowing document out on sheets, cells of a table row beside each other, and answers one sheet.
 * It shows the words that were read, not how the document looks in an office program.
 */
export function layOut(paragraphs: readonly Paragraph[], fonts: Fonts, page: number, mostPages: number): LaidOut {
  const flow = new Flow(fonts, page)
  const columns = columnsOfTables(paragraphs)
  let place: Place = { page: 1, y: MARGIN }
  for (let at = 0; at < paragraphs.length && place.page <= mostPages; ) {
    const row = rowAt(paragraphs, at)
    place =
      row.length === 1 && !row[0]?.cell ? flow.add(row[0] as Paragraph, WHOLE, place) : flow.addRow(row, columns, place)
    at += row.length
  }
  const pageCount = Math.min(flow.lastPage, mostPages)
  return { pageCount, texts: flow.texts, paragraphs: flow.places, starts: flow.starts.slice(0, pageCount) }
}

const WHOLE: Column = { x: MARGIN, width: SHEET.width - 2 * MARGIN }

class Flow {
  readonly texts: PlacedText[] = []
  readonly places: ParagraphPlace[] = []
  readonly starts: number[] = []
  lastPage = 1
  private readonly fonts: Fonts
  private readonly page: number

  constructor(fonts: Fonts, page: number) {
    this.fonts = fonts
    this.page = page
  }

  /** Adds a paragraph from a place on, over as many pages as it needs; answers where the next one begins. */
  add(paragraph: Paragraph, column: Column, from: Place): Place {
    const bold = paragraph.bold || paragraph.heading > 0
    const size = paragraph.heading > 0 ? HEADING_SIZE : SIZE
    const font = bold ? this.fonts.bold : this.fonts.regular
    const height = size * LINE_HEIGHT
    let place = from
    let box: [number, number, number, number] | undefined
    for (const [index, line] of breakLines(paragraph.text, font, column.width / size).entries()) {
      if (place.y + height > SHEET.height - MARGIN) place = { page: place.page + 1, y: MARGIN }
      this.lastPage = Math.max(this.lastPage, place.page)
      if (index === 0) this.starts[place.page - 1] ??= paragraph.index
      if (place.page === this.page && line.text !== '') {
        const bottom = place.y + height
        this.texts.push({ x: column.x, y: bottom - size * 0.4, size, bold, text: line.text })
        const right = column.x + line.width * size
        box = [column.x, box?.[1] ?? place.y, Math.max(box?.[2] ?? 0, right), bottom]
      }
      place = { page: place.page, y: place.y + height }
    }
    if (box) this.places.push({ index: paragraph.index, box })
    return { page: place.page, y: place.y + PARAGRAPH_GAP }
  }

  /** Adds the cells of a table row beside each other; the next row begins below the longest. */
  addRow(row: readonly Paragraph[], columns: ReadonlyMap<number, number>, from: Place): Place {
    let end = from
    const ends = new Map<number, Place>()
    for (const paragraph of row) {
      const { table = 0, column = 0, columnSpan = 1 } = paragraph.cell ?? {}
      const share = WHOLE.width / (columns.get(table) ?? 1)
      const width = Math.max(LEAST_COLUMN, share * columnSpan - COLUMN_GAP)
      // Paragraphs of one cell stand below each other.
      const below = this.add(paragraph, { x: MARGIN + share * column, width }, ends.get(column) ?? from)
      ends.set(column, below)
      if (below.page > end.page || (below.page === end.page && below.y > end.y)) end = below
    }
    return end
  }
}

/** How many columns each table has. */
function columnsOfTables(paragraphs: readonly Paragraph[]): ReadonlyMap<number, number> {
  const columns = new Map<number, number>()
  for (const { cell } of paragraphs) {
    if (cell) columns.set(cell.table, Math.max(columns.get(cell.table) ?? 1, cell.column + cell.columnSpan))
  }
  return columns
}

/** The paragraphs of the table row that begins here, or the one paragraph that is in no table. */
function rowAt(paragraphs: readonly Paragraph[], at: number): readonly Paragraph[] {
  const first = paragraphs[at]?.cell
  if (!first) return paragraphs.slice(at, at + 1)
  const isOfRow = ({ cell }: Paragraph): boolean => cell?.table === first.table && cell.row === first.row
  let end = at + 1
  for (let next = paragraphs[end]; next && isOfRow(next); next = paragraphs[end]) end += 1
  return paragraphs.slice(at, end)
}
