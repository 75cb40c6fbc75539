import type { Evidence } from './evidence.ts'
import { type Segment, segmentsWithin } from './layout/sheet.ts'
import type { View } from './view.ts'

/** What evidence on the page that states the record gains over other pages. */
const MAIN_PAGE = 0.05
/** A flowing document of no more paragraphs, cells and columns than this is one page, as if printed. */
const MOST_ON_A_PAGE = 160
/** What is left of evidence under a heading about other contracts. */
const OTHER_SECTION = 0.6

/** Headings of sections that name the same fields of other contracts. */
const OTHER_HEADING =
  /\b(?:required (?:basic |primary |underlying )?(?:policies|insurance|coverages?|limits)|(?:basic|primary|scheduled|controlling underlying) polic(?:y|ies)|prior (?:carrier|coverage|policy|insurance)|previous (?:carrier|policy|insurance)|loss history|other insurance|(?:schedule of )?underlying (?:insurance|policies|polic(?:y|ies) schedule|limits|coverages?)|expiring policy|claims history)\b/i

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

/** `(Attach to previous policy)`, `See prior policy`: what speaks of another contract heads no section about it. */
const REFERS = /^\(|\b(?:attach|see|refer|replaces?|supersedes?|of your|cancels?|included|subject)\b|(?!^)\brequired\b/i

/** `Item 4.` before a heading is its number. */
const ITEM = /^(?:item|section|part)? ?(?:\d{1,2}|[a-z]|one|two|three|four|five|six)[.:)-]* /i

interface Stretch {
  readonly page: number
  readonly from: number
  readonly until: number
  /** True for a section that takes the next page as well. */
  readonly goesOn: boolean
}

/** A heading stands alone on its line; beside other words it heads a column and names one field. */
function isHeading(segment: Segment, view: View): boolean {
  const { tokens, text, page, box } = segment
  const isWorded =
    tokens.length <= 10 &&
    OTHER_HEADING.test(text) &&
    !REFERS.test(text.replace(ITEM, '')) &&
    !ONE_FIELD.test(text.replace(ITEM, ''))
  if (!isWorded) return false
  const middle = (box[1] + box[3]) / 2
  return !segmentsWithin(view.sheet, page, box[1], box[3]).some(
    other => other !== segment && other.box[1] < middle && other.box[3] > middle && /\p{L}{3}/u.test(other.text)
  )
}

/** From each such heading to the next of another kind on its page, or to its foot and the whole next page when it is low. */
function otherStretches(view: View): Stretch[] {
  return view.sheet.segments
    .filter(segment => isHeading(segment, view))
    .map(segment => {
      const { page, box } = segment
      const next = view.sheet.segments.find(
        other =>
          other.page === page &&
          other.box[1] > box[3] &&
          other.box[0] < box[0] + 0.02 &&
          endsSection(segment, other, view)
      )
      return { page, from: box[1], until: next?.box[1] ?? 1, goesOn: next === undefined && box[1] > 0.5 }
    })
}

/** A section of a flowing document: as many paragraphs or cells as a short schedule has. */
const SECTION = 40

/** The paragraphs of such sections of a flowing document, up to the next heading of its kind (`ITEM 5`, `Forms`). */
function otherParagraphs(view: View): Set<number> {
  const inside = new Set<number>()
  let left = 0
  let heading: Segment | undefined
  for (const segment of view.sheet.segments) {
    if (isHeading(segment, view)) {
      left = SECTION
      heading = segment
    } else if (left > 0 && heading && (segment.heading > 0 || endsSection(heading, segment, view))) left = 0
    if (left === 0 || segment.paragraph === null) continue
    inside.add(segment.paragraph)
    left -= 1
  }
  return inside
}

/** `5. Required Basic Policies:` is followed by the next number. */
const NUMBERED = /^(?:item )?\d{1,2}[.)]? /i

/** How far the rows of a section are set in from its heading at least, as a share of the page. */
const INDENT = 0.008

/** True for a heading with a colon whose section is set in: what begins at its own margin again no longer belongs to it. */
function isSetIn(heading: Segment, view: View): boolean {
  const next = view.sheet.segments[heading.index + 1]
  if (!heading.text.endsWith(':')) return false
  return next !== undefined && heading.cell === null && next.cell === null && next.box[0] > heading.box[0] + INDENT
}

/** True for what ends the section under a heading: the next one, the next number where the heading has one, the margin. */
function endsSection(heading: Segment, other: Segment, view: View): boolean {
  if (NEXT_SECTION.test(other.text) || (NUMBERED.test(heading.text) && NUMBERED.test(`${other.text} `))) return true
  return isSetIn(heading, view) && other.cell === null && other.box[0] < heading.box[0] + INDENT / 2
}

/** A row such as `Total Premium` may belong to the other contract as well and ends nothing. */
const NEXT_SECTION = /^(?:item (?:\d|[a-z]{3,5}\b)|section\b|forms\b|endorsements\b|declarations\b|premiums?:?$)/i

function isInside({ origin }: Evidence, stretches: readonly Stretch[], paragraphs: ReadonlySet<number>): boolean {
  if ('paragraph' in origin) return paragraphs.has(origin.paragraph)
  if (!('bbox' in origin)) return false
  const { page, bbox } = origin
  return stretches.some(
    ({ goesOn, ...stretch }) =>
      (page === stretch.page && bbox[1] >= stretch.from && bbox[1] < stretch.until) ||
      (page === stretch.page + 1 && goesOn)
  )
}

/** Weighs evidence by where it stands: the main page counts more, sections about other contracts less. */
export function weighPlace(evidence: readonly Evidence[], view: View): Evidence[] {
  const isOnePage = !view.sheet.paged && view.sheet.segments.length <= MOST_ON_A_PAGE
  const main = view.sheet.paged || isOnePage ? mainPage(view) : null
  const stretches = view.sheet.paged ? otherStretches(view) : []
  const paragraphs = view.sheet.paged ? new Set<number>() : otherParagraphs(view)
  return evidence.map(piece => {
    // A list is gathered from the whole document; where its first row stands says nothing.
    if (Array.isArray(piece.value)) return piece
    if (isInside(piece, stretches, paragraphs)) return { ...piece, score: piece.score * OTHER_SECTION }
    const isMain = main !== null && (isOnePage || ('page' in piece.origin && piece.origin.page === main))
    return isMain ? { ...piece, score: Math.min(1, piece.score + MAIN_PAGE) } : piece
  })
}
