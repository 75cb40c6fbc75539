import type { Origin } from '../../model/envelope.ts'

/** A run of words of a row with no gap between them as wide as one between columns. */
export interface Piece {
  readonly text: string
  /** Along the row: points of a page, or grid columns of a flowing document. */
  readonly left: number
  readonly right: number
  readonly origin: Origin
  /** How sure it is that its letters are read right, 0–1. */
  readonly sureness: number
}

/** One row of print or of a table, with its pieces from left to right. */
export interface ListingRow {
  readonly page: number
  readonly top: number
  readonly bottom: number
  /** Words of a page, or whole cells of a flowing table. */
  readonly words: readonly Piece[]
  /** Words put together where no gap parts them. */
  readonly pieces: readonly Piece[]
}

/** The text of pieces in their order. */
export const textOf = (pieces: readonly Piece[]): string => pieces.map(piece => piece.text).join(' ')

/** A place around all of these. Pieces of one row are on one page; of a flowing document the first paragraph stands for all. */
export function placeOf(pieces: readonly Piece[]): Origin | null {
  const [first] = pieces
  if (!first) return null
  if (!('bbox' in first.origin)) return first.origin
  const { page } = first.origin
  let [x0, y0, x1, y1] = first.origin.bbox
  for (const { origin } of pieces) {
    if (!('bbox' in origin) || origin.page !== page) continue
    x0 = Math.min(x0, origin.bbox[0])
    y0 = Math.min(y0, origin.bbox[1])
    x1 = Math.max(x1, origin.bbox[2])
    y1 = Math.max(y1, origin.bbox[3])
  }
  return { page, bbox: [x0, y0, x1, y1] }
}

/** One piece around several that follow one another. */
export function joined(pieces: readonly [Piece, ...Piece[]]): Piece {
  const [first] = pieces
  return {
    text: textOf(pieces),
    left: first.left,
    right: Math.max(...pieces.map(piece => piece.right)),
    sureness: Math.min(...pieces.map(piece => piece.sureness)),
    origin: placeOf(pieces) ?? first.origin
  }
}
