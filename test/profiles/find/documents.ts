import type { DocumentText, Line, Page, Paragraph, Word } from '../../../src/model/document-text.ts'

/** Where a line of text begins on the page, as shares; letters are 0.009 of the page wide and lines 0.014 high. */
export interface Placed {
  readonly x: number
  readonly y: number
  readonly text: string
  readonly source?: Word['source']
}

const LETTER = 0.009
const HEIGHT = 0.014

/** A line as an extractor would give it: single spaces, no column-sized gap. */
function lineOf({ x, y, text, source = 'text' }: Placed): Line {
  const words: Word[] = [...text.matchAll(/\S+/g)].map(match => ({
    text: match[0],
    box: [x + match.index * LETTER, y, x + (match.index + match[0].length) * LETTER, y + HEIGHT],
    size: 10,
    bold: false,
    source,
    confidence: 1
  }))
  return { text, words, box: [x, y, x + text.length * LETTER, y + HEIGHT] }
}

export function pageOf(placed: readonly Placed[], number = 1, options: Partial<Page> = {}): Page {
  return { number, width: 612, height: 792, lines: placed.map(lineOf), hasUsableText: true, imageShare: 0, ...options }
}

export function paged(...pages: readonly Page[]): DocumentText {
  return { kind: 'paged', pages, paragraphs: [], flags: [], pageCount: pages.length }
}

/** One page of lines below one another at the left margin. */
export function lines(...texts: readonly string[]): DocumentText {
  return paged(pageOf(texts.map((text, at) => ({ x: 0.1, y: 0.05 + at * 0.02, text }))))
}

/** A flowing document: a text is a paragraph, a list of rows is a table. */
export function flow(...parts: readonly (string | readonly (readonly string[])[])[]): DocumentText {
  const paragraphs: Paragraph[] = []
  let table = -1
  for (const part of parts) {
    if (typeof part === 'string') {
      paragraphs.push({ index: paragraphs.length + 1, text: part, bold: false, heading: 0 })
      continue
    }
    table += 1
    for (const [row, cells] of part.entries()) {
      for (const [column, text] of cells.entries()) {
        const cell = { table, row, column, rowSpan: 1, columnSpan: 1 }
        paragraphs.push({ index: paragraphs.length + 1, text, bold: false, heading: 0, cell })
      }
    }
  }
  return { kind: 'flow', pages: [], paragraphs, flags: [], pageCount: 1 }
}

export const CONTEXT = { today: '2025-06-01', jurisdiction: '53033' }

/** The five required fields of a plain declaration, with replacements; null leaves a line out. */
export function declaration(changes: Readonly<Record<string, string | null>> = {}): string[] {
  const all: Record<string, string | null> = {
    'Policy Number': 'HX-700131',
    'Named Insured': 'Pacific Reflections LLC',
    'Effective Date': '2024-02-01',
    'Expiration Date': '2025-02-01',
    'Total Premium': '$1,284.00',
    ...changes
  }
  return Object.entries(all).flatMap(([label, value]) => (value === null ? [] : [`${label}: ${value}`]))
}
