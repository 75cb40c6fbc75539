import type { Box, DocumentText, Word } from '../../../model/document-text.ts'
import type { Origin } from '../../../model/envelope.ts'
import type { Evidence } from '../evidence.ts'

/** What is left of evidence in text that was recognised from a picture: look-alikes pass every check of form. */
const RECOGNISED = 0.85
/** Words recognised as surely as this lose no more than that; below, evidence is worth its least sure word's share. */
const SURE = 0.9

/**
 * Lowers the scores of evidence whose words were recognised from a picture, by the least sure of them. Words that stand
 * on their page as text keep theirs, whatever was recognised on other pages.
 */
export function weighRecognised(evidence: readonly Evidence[], document: DocumentText): readonly Evidence[] {
  const byPage = new Map(
    document.pages.map(page => [page.number, recognisedOn(page.lines.flatMap(line => line.words))])
  )
  if ([...byPage.values()].every(words => words.length === 0)) return evidence
  return evidence.map(piece => {
    const least = leastSure(piece.origin, byPage)
    return least === null ? piece : { ...piece, score: piece.score * RECOGNISED * Math.min(1, least / SURE) }
  })
}

/** Where most words of a document come from; with it is read what is gathered from several places. */
export function mainSource(document: DocumentText): 'text' | 'ocr' {
  let balance = 0
  for (const page of document.pages) {
    for (const line of page.lines) for (const word of line.words) balance += word.source === 'ocr' ? 1 : -1
  }
  return balance > 0 ? 'ocr' : 'text'
}

const recognisedOn = (words: readonly Word[]): readonly Word[] => words.filter(word => word.source === 'ocr')

/** The confidence of the least sure recognised word at a place; null when none stands there. */
function leastSure(origin: Origin, byPage: ReadonlyMap<number, readonly Word[]>): number | null {
  if (!('page' in origin)) return null
  const here = (byPage.get(origin.page) ?? []).filter(word => holdsMiddle(origin.bbox, word.box))
  return here.length === 0 ? null : Math.min(...here.map(word => word.confidence))
}

function holdsMiddle([left, top, right, bottom]: Box, box: Box): boolean {
  const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]
  return x >= left && x <= right && y >= top && y <= bottom
}
