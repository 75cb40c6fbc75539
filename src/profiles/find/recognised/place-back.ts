import type { Box, DocumentText } from '../../../model/document-text.ts'
import type { Origin } from '../../../model/envelope.ts'
import type { Candidate } from '../../candidate.ts'

/**
 * Makes places on pages that were turned to be recognised into places on the page as it is shown: whoever looks for a
 * value looks there. All others stay as they are.
 */
export function placeBack(document: DocumentText, candidate: Candidate): Candidate {
  const turned = new Map(document.pages.flatMap(page => (page.turned ? [[page.number, page.turned] as const] : [])))
  if (turned.size === 0) return candidate
  const shown = <T extends { readonly origin: Origin | null }>(placed: T): T => {
    const { origin } = placed
    if (origin === null || !('page' in origin)) return placed
    return { ...placed, origin: { ...origin, bbox: turnedBack(origin.bbox, turned.get(origin.page) ?? 0) } }
  }
  const fields = Object.entries(candidate.fields).map(([name, envelope]) => [name, shown(envelope)] as const)
  return { ...candidate, fields: Object.fromEntries(fields), reasons: candidate.reasons.map(shown) }
}

function turnedBack([left, top, right, bottom]: Box, quarters: number): Box {
  if (quarters === 0) return [left, top, right, bottom]
  if (quarters === 2) return [1 - right, 1 - bottom, 1 - left, 1 - top]
  return quarters === 1 ? [top, 1 - right, bottom, 1 - left] : [1 - bottom, left, 1 - top, right]
}
