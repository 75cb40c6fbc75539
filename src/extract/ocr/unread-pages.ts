import type { DocumentText, Page } from '../../model/document-text.ts'

/** A picture of at least this share of the page is the page itself. */
const WHOLE_PAGE = 0.6
/** A stamp, a page number or a fax's head has fewer words than this; what a scanner's software read has more. */
const STAMP_WORDS = 25

/** True when what can be read of a page is not what it shows: it has to be recognised from its picture. */
export function isUnread(page: Page): boolean {
  if (!page.hasUsableText) return true
  if (page.imageShare < WHOLE_PAGE) return false
  let words = 0
  for (const line of page.lines) words += line.words.length
  return words < STAMP_WORDS
}

/** True when a document has pages that have to be recognised. */
export const hasUnreadPages = (document: DocumentText): boolean =>
  document.kind === 'paged' && document.pages.some(isUnread)
