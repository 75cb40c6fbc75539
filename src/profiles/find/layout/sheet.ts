import type { Box, DocumentText, Line, Page } from '../../../model/document-text.ts'
import type { Origin } from '../../../model/envelope.ts'
import { fillBlanks } from './fill-blanks.ts'
import { layGrid } from './grid.ts'
import { mendSplits, wordGapOf } from './mend-splits.ts'
import { normWord, type RawToken, type Token, unglue, unionOf } from './token.ts'

/** A run of words that stands alone: a line of a page, or a paragraph or table cell of a flowing document. */
export interface Segment {
  readonly index: number
  readonly page: number
  /** Set for flowing documents; then the boxes are places in a grid, not on paper. */
  readonly paragraph: number | null
  /** Table, row and column of the cell it stands in; null outside of tables. */
  readonly cell: string | null
  readonly text: string
  readonly tokens: readonly Token[]
  readonly box: Box
  readonly heading: number
}

/** A document as segments in reading order, whatever it was read from. */
export interface Sheet {
  readonly document: DocumentText
  readonly segments: readonly Segment[]
  /** Segments by page and band of height, so that neighbours are found without a look at the whole page. */
  readonly bands: ReadonlyMap<string, readonly Segment[]>
  readonly paged: boolean
}

/** Where the words `from` (inclusive) to `to` (exclusive) of a segment stand. */
export function originOf(segment: Segment, from = 0, to = segment.tokens.length): Origin {
  if (segment.paragraph !== null) return { paragraph: segment.paragraph }
  const boxes = segment.tokens.slice(from, Math.max(to, from + 1)).map(token => token.box)
  return { page: segment.page, bbox: unionOf(boxes.length > 0 ? boxes : [segment.box]) }
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

const aspectOf = (page: Page): number => (page.height > 0 ? page.width / page.height : 1)

const tokensOf = (line: Line, page: Page): Token[] =>
  toTokens(
    line.words.map(word => ({ text: word.text, box: word.box, source: word.source, bold: word.bold })),
    aspectOf(page)
  )

interface Placed {
  readonly page: number
  readonly paragraph: number | null
  readonly cell: string | null
  readonly tokens: readonly Token[]
  readonly box: Box
  readonly heading: number
}

/** The lines of a page, broken words mended and values over blanks put in their place. */
function placePage(page: Page): Placed[] {
  const lines = page.lines.map(line => tokensOf(line, page))
  const wordGap = wordGapOf(lines)
  return fillBlanks(lines.map(tokens => ({ tokens: mendSplits(tokens, wordGap) }))).map(({ tokens }) => ({
    page: page.number,
    paragraph: null,
    cell: null,
    tokens,
    box: unionOf(tokens.map(token => token.box)),
    heading: 0
  }))
}

function placeFlow(document: DocumentText): Placed[] {
  return layGrid(document).map(({ paragraph, box, tokens }) => ({
    page: 1,
    paragraph: paragraph.index,
    cell: paragraph.cell ? `${paragraph.cell.table}/${paragraph.cell.row}/${paragraph.cell.column}` : null,
    tokens,
    box,
    heading: paragraph.heading
  }))
}

/** Height of a band: about two lines of print. */
const BAND = 0.03
/** A segment higher than this many bands is no line of text; it is found by its top only. */
const MOST_BANDS = 40

const bandRange = (top: number, bottom: number): [number, number] => {
  const first = Math.floor(top / BAND)
  return [first, Math.min(Math.floor(bottom / BAND), first + MOST_BANDS)]
}

function bandsOf(segments: readonly Segment[]): Map<string, Segment[]> {
  const bands = new Map<string, Segment[]>()
  for (const segment of segments) {
    const [first, last] = bandRange(segment.box[1], segment.box[3])
    for (let band = first; band <= last; band += 1) {
      const key = `${segment.page}/${band}`
      const held = bands.get(key)
      if (held) held.push(segment)
      else bands.set(key, [segment])
    }
  }
  return bands
}

/** The segments of a page that lie in a range of heights or touch its bands, in reading order. */
export function segmentsWithin(sheet: Sheet, page: number, top: number, bottom: number): Segment[] {
  const [first, last] = bandRange(top, bottom)
  const found = new Set<Segment>()
  for (let band = first; band <= last; band += 1) {
    for (const segment of sheet.bands.get(`${page}/${band}`) ?? []) found.add(segment)
  }
  return [...found].toSorted((a, b) => a.index - b.index)
}

/** Lays a document out as one list of segments in reading order. */
export function sheetOf(document: DocumentText): Sheet {
  const paged = document.kind === 'paged'
  const placed = paged ? document.pages.flatMap(placePage) : placeFlow(document)
  const segments = placed.map<Segment>((place, index) => ({
    ...place,
    index,
    text: place.tokens.map(token => token.text).join(' ')
  }))
  return { document, segments, bands: bandsOf(segments), paged }
}
