import type { DocumentText, Page } from '../../model/document-text.ts'

/** A picture of at least this share of the page is the page itself. */
const WHOLE_PAGE = 0.6
/** A stamp, a page number or a fax's head has fewer words than this; what a scanner's software read has more. */
const STAMP_WORDS = 25

/** Text of which fewer signs than this are letters or digits is none: its font maps letters to other signs. */
const LEAST_LETTERS = 0.4
/** Rules and leaders that forms are full of. */
const FILLERS = /[\s_.…·•\-–—=*]/gu
const LETTERS = /[\p{L}\p{N}]/gu

/** True when the text of a page is signs in place of letters. */
export function isGarbled(page: Page): boolean {
  const words = page.lines.flatMap(line => line.words).filter(word => word.source === 'text')
  const signs = words.map(word => word.text.replaceAll(FILLERS, '')).join('')
  return signs.length > 0 && (signs.match(LETTERS)?.length ?? 0) < LEAST_LETTERS * signs.length
}

/** True when what can be read of a page is not what it shows: it has to be recognised from its picture. */
export function isUnread(page: Page): boolean {
  if (!page.hasUsableText || isGarbled(page)) return true
  if (page.imageShare < WHOLE_PAGE) return false
  let words = 0
  for (const line of page.lines) words += line.words.length
  return words < STAMP_WORDS
}

/** True when a document has pages that have to be recognised. */
export const hasUnreadPages = (document: DocumentText): boolean =>
  document.kind === 'paged' && document.pages.some(isUnread)
