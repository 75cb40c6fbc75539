import type { Box, DocumentText, Line, Page } from '../../../model/document-text.ts'
import type { Origin } from '../../../model/envelope.ts'
import { layGrid } from './grid.ts'
import { mendSplits, wordGapOf } from './mend-splits.ts'
import { normWord, type RawToken, type Token, unglue, unionOf } from './token.ts'

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

function lineSegment(line: Line, page: Page, index: number, wordGap: number): Segment {
  const tokens = mendSplits(tokensOf(line, page), wordGap)
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

/** Lays a document out as one list of segments in reading order. */
export function sheetOf(document: DocumentText): Sheet {
  const paged = document.kind === 'paged'
  const gaps = new Map(
    document.pages.map(page => [page.number, wordGapOf(page.lines.map(line => tokensOf(line, page)))])
  )
  const segments: Segment[] = paged
    ? document.pages
        .flatMap(page => page.lines.map(line => ({ line, page })))
        .map(({ line, page }, index) => lineSegment(line, page, index, gaps.get(page.number) ?? 0))
    : layGrid(document).map(({ paragraph, box, tokens }, index) => ({
        index,
        page: 1,
        paragraph: paragraph.index,
        text: tokens.map(token => token.text).join(' '),
        tokens,
        box,
        heading: paragraph.heading
      }))
  return { segments, byPage: Map.groupBy(segments, segment => segment.page), paged }
}
