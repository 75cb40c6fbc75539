import { type Reason, reasonOf } from '../../model/reasons.ts'
import { type Evidence, valueKey } from '../find/evidence.ts'
import { originOf } from '../find/layout/sheet.ts'
import type { View } from '../find/view.ts'

const TITLES = /\b(?:lease|rental agreement|tenancy agreement|rental contract|rent agreement|leasing agreement)\b/i
const OTHER_TITLES =
  /\b(?:rent roll|license agreement|licence agreement|services? agreement|distribution agreement|purchase agreement|estoppel|invoice|statement of account|declarations? page|equipment lease|vehicle lease|employment agreement|loan agreement|lease abstract report)\b/i
/** Titles stand among the first lines. */
const TITLE_LINES = 30
const ANCHORS = [
  'tenant_name',
  'landlord_name',
  'property_address',
  'lease_start',
  'lease_end',
  'period',
  'base_rent',
  'security_deposit'
]
/** Labelled fields that make a document a lease without a title. */
const ENOUGH_ANCHORS = 4

function isTitled(view: View, pattern: RegExp): boolean {
  return view.sheet.segments
    .slice(0, TITLE_LINES)
    .some(segment => segment.tokens.length <= 10 && pattern.test(segment.text))
}

function distinct(evidence: readonly Evidence[], field: string): number {
  const strong = evidence.filter(piece => piece.field === field && piece.value !== null && piece.score >= 0.9)
  return new Set(strong.map(piece => valueKey(piece.value))).size
}

/** Reasons when the document is no lease, or seems to be several. */
export function leaseKind(view: View, evidence: readonly Evidence[]): Reason[] {
  const { text } = view.prose
  const anchors = new Set(view.labels.hits.map(hit => hit.key).filter(key => ANCHORS.includes(key))).size
  const speaksOfLetting = /\brent(?:al)?\b/i.test(text) && /\b(?:premises|property|apartment|building)\b/i.test(text)
  const titled = TITLES.test(text.slice(0, 3000)) || isTitled(view, TITLES)
  const isLease = anchors >= ENOUGH_ANCHORS || (titled && speaksOfLetting)
  if (!isLease || isTitled(view, OTHER_TITLES)) return [reasonOf('DOC_TYPE_UNKNOWN')]
  const several = distinct(evidence, 'tenant_name') > 1 && distinct(evidence, 'property_address') > 1
  return several ? [reasonOf('MULTI_DOC_SUSPECTED')] : []
}

const AMENDMENT =
  /\b(?:(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)|(\d{1,2})(?:st|nd|rd|th)|amendment no\.? ?(\d{1,2})) ?(?:amendment)?\b/i
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

const TYPES: readonly (readonly [string, RegExp])[] = [
  ['amendment', /\bamendment\b/i],
  ['commencement_letter', /\bcommencement (?:letter|agreement|memorandum|certificate)\b/i],
  ['assignment', /\bassignment (?:of|and)\b/i],
  ['sublease', /\bsub-?lease\b/i],
  ['estoppel', /\bestoppel\b/i],
  ['termination', /\btermination agreement\b/i],
  ['lease', TITLES]
]

/** What kind of lease document this is, by its title: the first short line that names one. */
export function documentType(view: View): Evidence[] {
  for (const segment of view.sheet.segments.slice(0, TITLE_LINES)) {
    if (segment.tokens.length > 10 || /[.:]$/.test(segment.text)) continue
    const type = TYPES.find(([, pattern]) => pattern.test(segment.text))?.[0]
    if (!type) continue
    const base = {
      raw: segment.text,
      origin: originOf(segment),
      status: 'found' as const,
      flags: [],
      score: 0.95,
      via: 'title'
    }
    const number = type === 'amendment' ? AMENDMENT.exec(segment.text) : null
    const count = number?.[1] ? ORDINALS.indexOf(number[1].toLowerCase()) + 1 : Number(number?.[2] ?? number?.[3] ?? 0)
    return [
      { ...base, field: 'document_type', value: type },
      ...(count > 0 ? [{ ...base, field: 'amendment_number', value: count }] : [])
    ]
  }
  return []
}
