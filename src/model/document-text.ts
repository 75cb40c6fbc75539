/** `[x0, y0, x1, y1]` as shares (0–1) of the page as displayed (rotation undone), origin at its top left. */
export type Box = readonly [number, number, number, number]

/** One word of a page. */
export interface Word {
  readonly text: string
  readonly box: Box
  /** Font size in points. */
  readonly size: number
  readonly bold: boolean
  /** `form` is the value of a form field, `note` a text annotation, `ocr` read from a picture. */
  readonly source: 'text' | 'form' | 'note' | 'ocr'
  /** Recognition confidence 0–1; 1 for anything that was not recognised from a picture. */
  readonly confidence: number
}

/** A run of words on one base line without a column-sized gap. A visual row may hold several lines. */
export interface Line {
  readonly text: string
  readonly words: readonly Word[]
  readonly box: Box
}

/** A cell of a drawn table: its first row and column, from 0, and how many of each it spans. */
export interface GridCell {
  readonly row: number
  readonly column: number
  readonly rowSpan: number
  readonly columnSpan: number
}

/** A table as its lines are drawn; `documentTables` puts the text into it. */
export interface Grid {
  /** Where its columns begin, and where the last one ends, as shares of the width of the page. */
  readonly columns: readonly number[]
  /** The same of its rows, as shares of the height. */
  readonly rows: readonly number[]
  readonly cells: readonly GridCell[]
}

/** One page of a paged document, words in reading order. */
export interface Page {
  /** From 1. */
  readonly number: number
  /** Points, as displayed. */
  readonly width: number
  readonly height: number
  readonly lines: readonly Line[]
  /** False when the page has no text or its text cannot be letters (fonts without usable Unicode). */
  readonly hasUsableText: boolean
  /** Share of the page covered by pictures, 0–1. */
  readonly imageShare: number
  /** By how many quarters, clockwise, its picture was turned to be read; boxes are those of the turned page. */
  readonly turned?: 1 | 2 | 3
  /** Tables drawn with lines, from the top down; absent when it has none. */
  readonly grids?: readonly Grid[]
}

/** A paragraph or a table cell of a flowing document (DOCX, text, Markdown). */
export interface Paragraph {
  /** Its place in the document, from 1; what an origin names. */
  readonly index: number
  readonly text: string
  readonly bold: boolean
  /** Heading level 1–9, 0 for body text. */
  readonly heading: number
  /** Set for a table cell: table, row and column from 0, and how many grid cells it spans. */
  readonly cell?: GridCell & { readonly table: number }
}

/** What extraction gives: pages for paged documents, paragraphs for flowing ones; the other is empty. */
export interface DocumentText {
  readonly kind: 'paged' | 'flow'
  readonly pages: readonly Page[]
  readonly paragraphs: readonly Paragraph[]
  /** Facts that matter to the gate: `TRACKED_CHANGES`, `XREF_REBUILT`, `HIDDEN_TEXT`, `EMBEDDED_FILES` … */
  readonly flags: readonly string[]
  readonly pageCount: number
}
