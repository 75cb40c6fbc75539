import type { Box, DocumentText, Page } from '../../../model/document-text.ts'
import type { Origin } from '../../../model/envelope.ts'
import type { Profile } from '../../profile.ts'
import type { Evidence } from '../evidence.ts'
import { isDoubtful } from './look-alikes.ts'
import { isTorn } from './torn-amounts.ts'

/**
 * What is left of evidence whose words were read twice, alike and surely. Of 325 words with digits on degraded pages none
 * that was read so had a wrong character (docs/ocr.md).
 */
const READ_SURELY = 0.93
const SURELY = 0.9
/** What is left of evidence in any other recognised text: look-alikes pass every check of form. */
const RECOGNISED = 0.85
/** Below this, evidence is worth its least sure word's share. */
const FAIRLY = 0.8
/** What is left of a value in which a misread sign would show as nothing but another value. */
const DOUBTFUL = 0.8

/**
 * Lowers the scores of evidence whose words were recognised from a picture, by the least sure of them and by what the
 * value is. Words that stand on their page as text keep theirs, whatever was recognised on other pages.
 */
export function weighRecognised(
  evidence: readonly Evidence[],
  document: DocumentText,
  profile: Profile
): readonly Evidence[] {
  const pages = new Map(document.pages.filter(isRecognised).map(page => [page.number, page]))
  if (pages.size === 0) return evidence
  return evidence.map(piece => {
    const page = 'page' in piece.origin ? pages.get(piece.origin.page) : undefined
    const least = page ? leastSure(piece.origin, page) : null
    if (!page || least === null) return piece
    const type = profile.fields[piece.field]?.type
    const isSuspect = isDoubtful(piece, type) || (type === 'money' && isTorn(piece.raw, piece.origin, page))
    return { ...piece, score: piece.score * shareOf(least) * (isSuspect ? DOUBTFUL : 1) }
  })
}

const shareOf = (confidence: number): number =>
  confidence >= SURELY ? READ_SURELY : RECOGNISED * Math.min(1, confidence / FAIRLY)

/** Where most words of a document come from; with it is read what is gathered from several places. */
export function mainSource(document: DocumentText): 'text' | 'ocr' {
  let balance = 0
  for (const page of document.pages) {
    for (const line of page.lines) for (const word of line.words) balance += word.source === 'ocr' ? 1 : -1
  }
  return balance > 0 ? 'ocr' : 'text'
}

const isRecognised = (page: Page): boolean => page.lines.some(line => line.words.some(word => word.source === 'ocr'))

/** The confidence of the least sure recognised word at a place; null when none stands there. */
function leastSure(origin: Origin, page: Page): number | null {
  if (!('page' in origin)) return null
  const words = page.lines.flatMap(line => line.words)
  const here = words.filter(word => word.source === 'ocr' && holdsMiddle(origin.bbox, word.box))
  return here.length === 0 ? null : Math.min(...here.map(word => word.confidence))
}

function holdsMiddle([left, top, right, bottom]: Box, box: Box): boolean {
  const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]
  return x >= left && x <= right && y >= top && y <= bottom
}
