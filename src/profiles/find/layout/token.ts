import type { Box, Word } from '../../../model/document-text.ts'

/** One word with its comparison form: lower case, letters, digits and `#` only; `&` is `and`. */
export interface Token {
  readonly text: string
  readonly norm: string
  readonly box: Box
  readonly source: Word['source']
  readonly bold: boolean
  /** White space before it in widths of its own height; 0 for the first of a segment. */
  readonly gap: number
}

/** `1.2.Landlord:`: the number of an item that no space parts from its words. */
const GLUED_NUMBER = /^(?:\d{1,2}(?:\.\d{1,2}){0,3}\.|\(?[a-z\d]\))(?=\p{Lu}\p{Ll}{2})/u

/** Folds a word for comparison with labels: case, accents and punctuation go, `#` and digits stay. */
export function normWord(text: string): string {
  if (text === '&') return 'and'
  return text
    .replace(GLUED_NUMBER, '')
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

/** `Number.......HX-1`: dots that lead to a value, written without spaces around them. */
const LEADERS = /^([^.…]{0,40})(\.{4,}|…{2,})([^.…].{0,80})?$/u

/** Takes a label, leading dots and a value written without spaces apart. */
export function unglue(token: RawToken): RawToken[] {
  const leaders = token.text.length > 200 ? null : LEADERS.exec(token.text)
  if (leaders) return partsOf(token, [leaders[1] ?? '', leaders[2] ?? '', leaders[3] ?? ''])
  const match = token.text.length > 80 ? null : GLUED.exec(token.text)
  if (!match?.[1] || !match[2]) return [token]
  return partsOf(token, [match[1], match[2]])
}

/** The pieces of a word, each as wide as its share of the letters; empty ones are left out. */
function partsOf(token: RawToken, texts: readonly string[]): RawToken[] {
  const [x0, y0, x1, y1] = token.box
  const perLetter = (x1 - x0) / token.text.length
  let at = x0
  return texts.flatMap(text => {
    if (text === '') return []
    const left = at
    at += text.length * perLetter
    return [{ ...token, text, box: [left, y0, at, y1] as const }]
  })
}
