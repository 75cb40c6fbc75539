import { type Reason, reasonOf } from '../../model/reasons.ts'
import { boundariesOf, holdsSeveral } from '../find/context/several-documents.ts'
import { type Evidence, valueKey } from '../find/evidence.ts'
import { originOf } from '../find/layout/sheet.ts'
import { titleAt } from '../find/layout/titles.ts'
import type { View } from '../find/view.ts'
import { beginsOnPage, titledKind } from './lease-title.ts'

const TITLES =
  /\b(?:(?:sub-?)?lease|rental agreement|tenancy agreement|rental contract|rent agreement|leasing agreement|commencement (?:date )?(?:memorandum|letter|agreement|certificate|confirmation))\b/i
const OTHER_TITLES =
  /\b(?:rent (?:roll|receipt|ledger)|licen[sc]e agreement|services? agreement|distribution agreement|management agreement|listing agreement|purchase (?:and sale )?agreement|agreement of sale|letter of intent|(?:lease|leasing|rental) proposal|(?:rental|tenant|tenancy|lease) application|application (?:to|for) (?:rent|lease)|notice to (?:quit|vacate|pay)|guarant(?:y|ee) of (?:the )?lease|lease guarant(?:y|ee)|estoppel|invoice|statement of account|declarations? page|equipment lease|(?:vehicle|car|auto) lease|employment agreement|loan agreement|lease abstract report)\b/i
/** What one lease states one way. */
const TELLING = {
  fields: ['tenant_name', 'landlord_name', 'property_address', 'lease_start', 'lease_end', 'base_rent'],
  own: ['tenant_name', 'property_address']
}
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
/** Fewer of them without a title are words that other papers hold too. */
const FEW_ANCHORS = 3

/** `THIS LEASE is made … between`: what every lease begins with once, and the names after it. */
const OPENING =
  /\bthis (?:(?!rider|addendum|amendment|exhibit|guarant)[a-z]+ ){0,4}?(?:lease|rental agreement|tenancy agreement)\b[^.;]{0,60}?\b(?:made|entered into|executed|dated|is)\b[^.;]{0,90}?\bbetween:? ([^;]{20,80})/gi
const MOST_OPENINGS = 50
/** An address of the premises as sure as this counts when leases are told apart. */
const SURE_ADDRESS = 0.8

/** True when leases begin more than once, with other names or of other premises. */
function beginsAgain(view: View, evidence: readonly Evidence[]): boolean {
  const openings = view.prose.text
    .matchAll(OPENING)
    .filter(([, after = '']) => /^\p{Lu}/u.test(after))
    .take(MOST_OPENINGS)
    .toArray()
  if (openings.length < 2) return false
  const names = new Set(openings.map(([, after = '']) => valueKey(after).slice(0, 20)))
  return names.size > 1 || distinct(evidence, 'property_address', SURE_ADDRESS) > 1
}

function distinct(evidence: readonly Evidence[], field: string, least = 0.9): number {
  const strong = evidence.filter(piece => piece.field === field && piece.value !== null && piece.score >= least)
  return new Set(strong.map(piece => valueKey(piece.value))).size
}

const partiesOf = (evidence: readonly Evidence[]): string[] =>
  evidence.flatMap(({ field, value }) =>
    (field === 'tenant_name' || field === 'landlord_name') && typeof value === 'string' ? [value] : []
  )

const isTitled = (view: View): boolean =>
  TITLES.test(view.prose.text.slice(0, 3000)) || titleAt(view, TITLES, TITLE_LINES) < TITLE_LINES

/** How many fields of a lease the labels name. */
const anchorsOf = (view: View): number =>
  new Set(view.labels.hits.map(hit => hit.key).filter(key => ANCHORS.includes(key))).size

const SIDES = /\b(?:((?:sub-?)?(?:landlord|lessor))|(?:sub-?)?(?:tenant|lessee))\b/gi
/** The sides of a contract are named within so many characters of each other. */
const NEAR = 4000

/** Whether somebody who lets is named, and not far behind somebody who takes. */
function namesBothSides(text: string): boolean {
  let named = Number.NEGATIVE_INFINITY
  for (const match of text.matchAll(SIDES)) {
    if (match[1]) named = match.index + match[0].length
    else if (match.index - named <= NEAR) return true
  }
  return false
}

function isLeaseByFields(view: View): boolean {
  const { text } = view.prose
  const speaksOfLetting =
    (/\brent(?:al|s)?\b/i.test(text) || namesBothSides(text)) &&
    /\b(?:premises|property|apartment|building|house|dwelling|store|shop|warehouse|land|landlord|lessor|homesite|lot|slip|unit|suite|office|hall|farm|acres|hangar|facility|site)\b/i.test(
      text
    )
  return anchorsOf(view) >= ENOUGH_ANCHORS || (isTitled(view) && speaksOfLetting)
}

/** True for a document that neither calls itself a lease nor names the fields of one. */
export const isNoLease = (view: View): boolean => anchorsOf(view) < FEW_ANCHORS && !isTitled(view)

/** Reasons when the document is no lease, or seems to be several. */
export function leaseKind(view: View, evidence: readonly Evidence[]): Reason[] {
  const isLease = isLeaseByFields(view)
  // Below the title of a lease the words of another paper head a part of it.
  const isOther = titleAt(view, OTHER_TITLES, TITLE_LINES) <= Math.min(titleAt(view, TITLES, TITLE_LINES), TITLE_LINES)
  if (!isLease || isOther || titledKind(view) === 'other') return [reasonOf('DOC_TYPE_UNKNOWN')]
  const several = distinct(evidence, 'tenant_name') > 1 && distinct(evidence, 'property_address') > 1
  const isTwo = holdsSeveral(evidence, boundariesOf(view.sheet.segments, TITLES), TELLING)
  return several || isTwo || beginsAgain(view, evidence) || beginsOnPage(view, partiesOf(evidence))
    ? [reasonOf('MULTI_DOC_SUSPECTED')]
    : []
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
