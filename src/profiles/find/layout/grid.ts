import type { Box, DocumentText, Paragraph } from '../../../model/document-text.ts'
import { normWord, type RawToken, type Token, unglue, unionOf } from './token.ts'

/** A paragraph or cell with its place in a grid that stands for paper: rows below one another, columns side by side. */
export interface GridPlace {
  readonly paragraph: Paragraph
  readonly box: Box
  readonly tokens: readonly Token[]
}

/** Height of one line in the grid. Places are compared by order and overlap only, so any unit does. */
const ROW = 0.01
/** Characters that fill the width of a page of plain text. */
const LINE_LENGTH = 100

/** Lines of plain text set in columns may be as long as this: print on wide paper. */
const MOST_LENGTH = 240

/** How many characters fill the width of this document: as many as its longest line of columns has. */
function lineLengthOf({ paragraphs }: DocumentText): number {
  let longest = LINE_LENGTH
  for (const { text, cell } of paragraphs) {
    if (!cell && text.length > longest && text.length <= MOST_LENGTH && / {3}|\t/.test(text)) longest = text.length
  }
  return longest
}

/** Columns of every table, and the lines its tallest cell of every row takes. */
interface TableShape {
  columns: number
  readonly heights: Map<number, number>
}

function tableShapes(document: DocumentText): Map<number, TableShape> {
  const shapes = new Map<number, TableShape>()
  const stacked = new Map<string, number>()
  for (const { cell } of document.paragraphs) {
    if (!cell) continue
    const shape = shapes.get(cell.table) ?? { columns: 1, heights: new Map<number, number>() }
    shape.columns = Math.max(shape.columns, cell.column + cell.columnSpan)
    const key = `${cell.table}/${cell.row}/${cell.column}`
    const lines = (stacked.get(key) ?? 0) + 1
    stacked.set(key, lines)
    shape.heights.set(cell.row, Math.max(shape.heights.get(cell.row) ?? 1, lines))
    shapes.set(cell.table, shape)
  }
  return shapes
}

/** Where each row of a table begins, in lines from its top, and its height in all. */
function rowTops(shape: TableShape): { tops: Map<number, number>; total: number } {
  const tops = new Map<number, number>()
  let total = 0
  for (const row of [...shape.heights.keys()].toSorted((a, b) => a - b)) {
    tops.set(row, total)
    total += shape.heights.get(row) ?? 1
  }
  return { tops, total }
}

function paragraphTokens(text: string, box: Box, bold: boolean, lineLength: number): Token[] {
  // Lines of one document share a scale, so that columns made with spaces line up.
  const width = (box[2] - box[0]) / Math.max(text.length, lineLength)
  const tokens: Token[] = []
  let end = 0
  for (const match of text.matchAll(/\S+/g)) {
    const space = text.slice(end, match.index)
    end = match.index + match[0].length
    const gap = tokens.length === 0 ? 0 : space.includes('\t') || space.length >= 3 ? 3 : 0.3
    const left = box[0] + match.index * width
    const raw: RawToken = {
      text: match[0],
      box: [left, box[1], left + match[0].length * width, box[3]],
      source: 'text',
      bold
    }
    const [head, ...tail] = unglue(raw)
    if (head) tokens.push({ ...head, norm: normWord(head.text), gap })
    for (const piece of tail) tokens.push({ ...piece, norm: normWord(piece.text), gap: 0.3 })
  }
  return tokens
}

/** A line of plain text whose columns are set apart with spaces or tabs, as its columns. */
function columnsOf(tokens: readonly Token[]): Token[][] {
  const columns: Token[][] = [[]]
  for (const token of tokens) {
    if (token.gap >= 3) columns.push([{ ...token, gap: 0 }])
    else columns.at(-1)?.push(token)
  }
  return columns
}

/** Lays the paragraphs and cells of a flowing document out on a grid. */
export function layGrid(document: DocumentText): GridPlace[] {
  const shapes = tableShapes(document)
  const stacked = new Map<string, number>()
  const lineLength = lineLengthOf(document)
  let y = 0
  let table = -1
  let top = 0
  let tops = new Map<number, number>()
  return document.paragraphs.flatMap(paragraph => {
    const { cell, text, bold } = paragraph
    if (!cell) {
      table = -1
      y += ROW
      const box: Box = [0, y, 1, y + ROW * 0.9]
      return columnsOf(paragraphTokens(text, box, bold, lineLength)).map(tokens => ({
        paragraph,
        box: tokens.length > 0 ? unionOf(tokens.map(token => token.box)) : box,
        tokens
      }))
    }
    const shape = shapes.get(cell.table) ?? { columns: 1, heights: new Map() }
    if (cell.table !== table) {
      table = cell.table
      top = y + ROW
      const rows = rowTops(shape)
      tops = rows.tops
      y = top + rows.total * ROW
    }
    const key = `${cell.table}/${cell.row}/${cell.column}`
    const above = stacked.get(key) ?? 0
    stacked.set(key, above + 1)
    const from = top + ((tops.get(cell.row) ?? 0) + above) * ROW
    const right = (cell.column + cell.columnSpan) / shape.columns - 0.001
    const box: Box = [cell.column / shape.columns, from, right, from + ROW * 0.9]
    return [{ paragraph, box, tokens: paragraphTokens(text, box, bold, LINE_LENGTH) }]
  })
}
