import type { Box, Page, Word } from '../../../model/document-text.ts'
import type { Origin } from '../../../model/envelope.ts'

/** Parts of one number lie no further apart than this share of their height. */
const NEAR = 0.8
const ENDS_OPEN = /[.,]$/
const HAS_SIGN = /^\W{0,2}(?:\p{Sc}|usd\b)/iu
const GOES_BEFORE = /[\d.,$]$/
const GOES_ON = /^(?:[.,]\d|\d{2}$)/

/**
 * True when a recognised amount may be part of a longer one: it ends with a point, or a part of a number stands right
 * beside it. Wide letters and specks make a recogniser part `$4,015.41` into `$4,015.` and `41`.
 */
export function isTorn(raw: string, origin: Origin, page: Page): boolean {
  const text = raw.trim()
  if (ENDS_OPEN.test(text)) return true
  if (!('page' in origin)) return false
  const near = page.lines.flatMap(line => line.words).filter(word => isBeside(word, origin.bbox, page))
  return near.some(word =>
    word.box[0] > origin.bbox[0] ? GOES_ON.test(word.text) : GOES_BEFORE.test(word.text) && !HAS_SIGN.test(text)
  )
}

function isBeside({ box }: Word, [left, top, right, bottom]: Box, page: Page): boolean {
  const middle = (box[1] + box[3]) / 2
  if (middle < top || middle > bottom) return false
  const gap = Math.max(box[0] - right, left - box[2]) * page.width
  // What overlaps the amount is part of it.
  return gap > -0.2 * (bottom - top) * page.height && gap < NEAR * (bottom - top) * page.height
}
