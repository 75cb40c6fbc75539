import type { Evidence } from './evidence.ts'
import type { Segment } from './layout/sheet.ts'
import type { View } from './view.ts'

/** What evidence on the page that states the record gains over other pages. */
const MAIN_PAGE = 0.05
/** What is left of evidence under a heading about other contracts. */
const OTHER_SECTION = 0.6

/** Headings of sections that name the same fields of other contracts. */
const OTHER_HEADING =
  /\b(?:prior (?:carrier|coverage|policy|insurance)|previous (?:carrier|policy|insurance)|loss history|other insurance|underlying insurance|expiring policy|claims history)\b/i

/** `Prior Policy Number: HX-1` names one field of the other contract; what stands below it is this one's again. */
const ONE_FIELD = /\d|: ?\S|\b(?:number|no|num|premium|date)\b[.:]*$|#/i

/** The page where most kinds of the profile's labels stand: a declaration behind a cover letter, the summary of a lease. */
function mainPage(view: View): number | null {
  const kinds = new Map<number, Set<string>>()
  for (const hit of view.labels.hits) {
    if (!Object.hasOwn(view.profile.fields, hit.key) && hit.key !== 'period') continue
    const onPage = kinds.get(hit.segment.page) ?? new Set()
    kinds.set(hit.segment.page, onPage.add(hit.key))
  }
  const [best] = [...kinds].toSorted(([p, a], [q, b]) => b.size - a.size || p - q)
  return best && best[1].size >= 3 ? best[0] : null
}

interface Stretch {
  readonly page: number
  readonly from: number
  readonly to: number
}

/** From each such heading to the foot of its page, and the whole next page when the section goes on there. */
function otherStretches(view: View): Stretch[] {
  const isHeading = (segment: Segment): boolean =>
    segment.tokens.length <= 10 && OTHER_HEADING.test(segment.text) && !ONE_FIELD.test(segment.text)
  return view.sheet.segments.filter(isHeading).map(segment => {
    const isLow = segment.box[1] > 0.5
    return { page: segment.page, from: segment.box[1], to: isLow ? 2 : 1 }
  })
}

function isInside(evidence: Evidence, stretches: readonly Stretch[]): boolean {
  if (!('bbox' in evidence.origin)) return false
  const { page, bbox } = evidence.origin
  return stretches.some(
    stretch => (page === stretch.page && bbox[1] >= stretch.from) || (page === stretch.page + 1 && stretch.to > 1)
  )
}

/** Weighs evidence by where it stands: the main page counts more, sections about other contracts less. */
export function weighPlace(evidence: readonly Evidence[], view: View): Evidence[] {
  if (!view.sheet.paged) return [...evidence]
  const main = mainPage(view)
  const stretches = otherStretches(view)
  return evidence.map(piece => {
    if (isInside(piece, stretches)) return { ...piece, score: piece.score * OTHER_SECTION }
    const isMain = main !== null && 'page' in piece.origin && piece.origin.page === main
    return isMain ? { ...piece, score: Math.min(1, piece.score + MAIN_PAGE) } : piece
  })
}
