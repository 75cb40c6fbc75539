import type { Box, DocumentText, Line, Page, Paragraph, Word } from '../../../model/document-text.ts'
import type { Origin } from '../../../model/envelope.ts'

/** One word with its comparison form: lower case, letters, digits and `#` only. */
export interface Token {
  readonly text: string
  readonly norm: string
  readonly box: Box
  readonly source: Word['source']
  readonly bold: boolean
  /** White space before it in widths of its own height; 0 for the first of a segment. */
  readonly gap: number
}

/** A run of words that stands alone: a line of a page, or a paragraph or table cell of a flowing document. */
export interface Segment {
  readonly index: number
  readonly page: number
  /** Set for flowing documents; then the boxes are places in a grid, not on paper. */
  readonly paragraph: number | null
  readonly text: string
  readonly tokens: readonly Token[]
  readonly box: Box
  readonly heading: number
}

/** A document as segments in reading order, whatever it was read from. */
export interface Sheet {
  readonly segments: readonly Segment[]
  readonly byPage: ReadonlyMap<number, readonly Segment[]>
  readonly paged: boolean
}

/** Folds a word for comparison with labels: case, accents and punctuation go, `#` and digits stay. */
export function normWord(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace('(s)', '')
    .replace(/[^\p{L}\p{N}#]/gu, '')
}

/** The union of boxes; the zero box for none. */
export function unionOf(boxes: readonly Box[]): Box {
  const [first, ...rest] = boxes
  if (!first) return [0, 0, 0, 0]
  return rest.reduce<Box>(
    (sum, box) => [
      Math.min(sum[0], box[0]),
      Math.min(sum[1], box[1]),
      Math.max(sum[2], box[2]),
      Math.max(sum[3], box[3])
    ],
    first
  )
}

/** Where the words `from` (inclusive) to `to` (exclusive) of a segment stand. */
export function originOf(segment: Segment, from = 0, to = segment.tokens.length): Origin {
  if (segment.paragraph !== null) return { paragraph: segment.paragraph }
  const boxes = segment.tokens.slice(from, Math.max(to, from + 1)).map(token => token.box)
  return { page: segment.page, bbox: unionOf(boxes.length > 0 ? boxes : [segment.box]) }
}

/** `Number:HX-1` is a label and a value written without a space; a time or an address of the web is not. */
const GLUED = /^([\p{L}#)]{2,30}:)([^\s/:].*)$/u

interface RawToken {
  readonly text: string
  readonly box: Box
  readonly source: Word['source']
  readonly bold: boolean
}

function unglue(token: RawToken): RawToken[] {
  const match = token.text.length > 80 ? null : GLUED.exec(token.text)
  if (!match?.[1] || !match[2]) return [token]
  const [x0, y0, x1, y1] = token.box
  const cut = x0 + ((x1 - x0) * match[1].length) / token.text.length
  return [
    { ...token, text: match[1], box: [x0, y0, cut, y1] },
    { ...token, text: match[2], box: [cut, y0, x1, y1] }
  ]
}

function toTokens(raw: readonly RawToken[], aspect: number): Token[] {
  let end: number | null = null
  return raw.flatMap(unglue).map(token => {
    const height = Math.max(token.box[3] - token.box[1], 1e-6)
    const gap = end === null ? 0 : Math.max(0, ((token.box[0] - end) * aspect) / height)
    end = token.box[2]
    return { ...token, norm: normWord(token.text), gap }
  })
}

function lineSegment(line: Line, page: Page, index: number): Segment {
  const aspect = page.height > 0 ? page.width / page.height : 1
  const tokens = toTokens(
    line.words.map(word => ({ text: word.text, box: word.box, source: word.source, bold: word.bold })),
    aspect
  )
  return {
    index,
    page: page.number,
    paragraph: null,
    text: tokens.map(token => token.text).join(' '),
    tokens,
    box: line.box,
    heading: 0
  }
}

/** Rows of a grid are this far apart, so that cells of one row overlap and neighbours in a column touch. */
const ROW = 0.01

interface GridState {
  y: number
  tableTop: number
  table: number
  readonly stacked: Map<string, number>
}

function gridBox(paragraph: Paragraph, state: GridState, columns: ReadonlyMap<number, number>): Box {
  const { cell } = paragraph
  if (!cell) {
    state.table = -1
    state.y += ROW
    return [0, state.y, 1, state.y + ROW * 0.9]
  }
  if (cell.table !== state.table) {
    state.table = cell.table
    state.tableTop = state.y + ROW
    state.stacked.clear()
  }
  const key = `${cell.row}/${cell.column}`
  const above = state.stacked.get(key) ?? 0
  state.stacked.set(key, above + 1)
  const width = Math.max(columns.get(cell.table) ?? 1, 1)
  const top = state.tableTop + cell.row * ROW * 4 + above * ROW
  state.y = Math.max(state.y, top)
  return [cell.column / width, top, (cell.column + cell.columnSpan) / width - 0.001, top + ROW * 0.9]
}

/** Characters that fill the width of a page of plain text. */
const LINE_LENGTH = 100

function paragraphTokens(text: string, box: Box, bold: boolean): Token[] {
  // Lines of one document share a scale, so that columns made with spaces line up.
  const width = (box[2] - box[0]) / Math.max(text.length, LINE_LENGTH)
  const tokens: Token[] = []
  for (const match of text.matchAll(/\S+/g)) {
    const before = text.slice(Math.max(0, match.index - 3), match.index)
    const gap =
      tokens.length === 0 ? 0 : before.includes('\t') || before.trim() === '' ? (before.length >= 3 ? 3 : 0.3) : 0.3
    const left = box[0] + match.index * width
    const raw: RawToken = {
      text: match[0],
      box: [left, box[1], left + match[0].length * width, box[3]],
      source: 'text',
      bold
    }
    for (const piece of unglue(raw)) {
      tokens.push({ ...piece, norm: normWord(piece.text), gap: piece === raw || tokens.length === 0 ? gap : 0.3 })
    }
  }
  return tokens
}

function paragraphSegments(document: DocumentText): Segment[] {
  const columns = new Map<number, number>()
  for (const { cell } of document.paragraphs) {
    if (cell) columns.set(cell.table, Math.max(columns.get(cell.table) ?? 0, cell.column + cell.columnSpan))
  }
  const state: GridState = { y: 0, tableTop: 0, table: -1, stacked: new Map() }
  return document.paragraphs.map((paragraph, index) => {
    const box = gridBox(paragraph, state, columns)
    const tokens = paragraphTokens(paragraph.text, box, paragraph.bold)
    return {
      index,
      page: 1,
      paragraph: paragraph.index,
      text: tokens.map(token => token.text).join(' '),
      tokens,
      box,
      heading: paragraph.heading
    }
  })
}

/** Lays a document out as one list of segments in reading order. */
export function sheetOf(document: DocumentText): Sheet {
  const paged = document.kind === 'paged'
  const segments: Segment[] = paged
    ? document.pages
        .flatMap(page => page.lines.map(line => ({ line, page })))
        .map(({ line, page }, index) => lineSegment(line, page, index))
    : paragraphSegments(document)
  return { segments, byPage: Map.groupBy(segments, segment => segment.page), paged }
}
