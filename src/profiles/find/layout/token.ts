import type { Box, Word } from '../../../model/document-text.ts'

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

/** `Number:HX-1` is a label and a value written without a space; a time or an address of the web is not. */
const GLUED = /^([\p{L}#)]{2,30}:)([^\s/:].*)$/u

/** A word before its comparison form is made. */
export interface RawToken {
  readonly text: string
  readonly box: Box
  readonly source: Word['source']
  readonly bold: boolean
}

/** Takes a label and a value written without a space apart. */
export function unglue(token: RawToken): RawToken[] {
  const match = token.text.length > 80 ? null : GLUED.exec(token.text)
  if (!match?.[1] || !match[2]) return [token]
  const [x0, y0, x1, y1] = token.box
  const cut = x0 + ((x1 - x0) * match[1].length) / token.text.length
  return [
    { ...token, text: match[1], box: [x0, y0, cut, y1] },
    { ...token, text: match[2], box: [cut, y0, x1, y1] }
  ]
}
