import type { DocumentText } from '../../model/document-text.ts'
import { type Reason, reasonOf } from '../../model/reasons.ts'
import { type Evidence, valueKey } from './evidence.ts'

/** Facts of a document that do not stop it; the others hold it. */
const WARNED_FLAGS = new Set(['EMBEDDED_FILES', 'HIDDEN_TEXT', 'CONTENT_OUTSIDE_READ', 'XFA_FORM', 'PICTURES'])

/** Parts of the text that stand in another file or format: nobody knows what they say. */
const MISSING_TEXT = new Set(['ALT_CHUNK', 'SUBDOCUMENT'])

/** Reasons that lie in the text layer as a whole: none at all, none that is letters, missing pages, pending changes. */
export function textLayerReasons(document: DocumentText): Reason[] {
  const reasons = document.flags.flatMap(flag => {
    if (flag === 'TRACKED_CHANGES') return [reasonOf('TRACKED_CHANGES')]
    // What the lost pages say is not known: another total, an endorsement, a second policy.
    if (flag === 'PAGE_DAMAGED') return [reasonOf('FILE_CORRUPT', { detail: 'some of its pages could not be read' })]
    // Some of them may have a stamp as text, and are no pages without any.
    if (flag === 'PAGES_NOT_RECOGNISED')
      return [reasonOf('PAGE_ILLEGIBLE', { detail: 'some of its pages were not recognised' })]
    if (MISSING_TEXT.has(flag)) return [reasonOf('CONTENT_OUTSIDE_READ', { detail: flag })]
    return WARNED_FLAGS.has(flag) ? [reasonOf('CONTENT_OUTSIDE_READ', { severity: 'warn', detail: flag })] : []
  })
  if (document.kind === 'flow') {
    const isEmpty = document.paragraphs.every(paragraph => paragraph.text.trim() === '')
    return isEmpty ? [...reasons, reasonOf('NO_TEXT_LAYER')] : reasons
  }
  if (document.pages.some(page => page.hasUsableText)) return reasons
  const hasLines = document.pages.some(page => page.lines.length > 0)
  return [...reasons, reasonOf(hasLines ? 'TEXT_LAYER_UNREADABLE' : 'NO_TEXT_LAYER')]
}

/** Words end at the edge of the paper where the rest of their line is cut off. As a share of its width. */
const EDGE = 0.998

/** True when a value goes to the end of the words it was read from; a short one is all of them. */
const isLast = ({ value, raw }: Evidence): boolean =>
  raw.length < 20 || valueKey(raw).endsWith(valueKey(value).slice(-4))

/** What is written past the edge of its page is not all there: `NJ 070` of `NJ 07042`. Shown as a reading, not as the value. */
export function withoutCutOff(evidence: readonly Evidence[], document: DocumentText): readonly Evidence[] {
  if (document.kind === 'flow' || !document.flags.includes('HIDDEN_TEXT')) return evidence
  return evidence.map(piece => {
    const isCut = 'bbox' in piece.origin && piece.origin.bbox[2] > EDGE && piece.value !== null && isLast(piece)
    const flags = [...piece.flags, 'OCR_SUSPECT', 'CUT_OFF']
    return isCut ? { ...piece, value: null, status: 'ambiguous' as const, flags, readings: [piece.value] } : piece
  })
}

/** Names the pages without usable text, which may hold what is missing; null when every page has text. */
export function illegiblePages(document: DocumentText): Reason | null {
  const pages = document.pages.filter(page => !page.hasUsableText && page.imageShare > 0.02).map(page => page.number)
  const [first] = pages
  if (first === undefined) return null
  const named = pages.slice(0, 20).join(', ')
  return reasonOf('PAGE_ILLEGIBLE', {
    detail: `pages without text: ${named}`,
    origin: { page: first, bbox: [0, 0, 1, 1] }
  })
}
