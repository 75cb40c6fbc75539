import { type Reason, reasonOf } from '../../model/reasons.ts'
import type { Evidence } from '../find/evidence.ts'
import { valueKey } from '../find/evidence.ts'
import type { View } from '../find/view.ts'

/** Titles of documents that state a policy. */
const TITLES =
  /\b(?:declarations?|dec page|policy schedule|schedule of insurance|certificate of (?:[a-z]+ ){0,2}insurance|evidence of (?:[a-z]+ ){0,2}insurance|insurance application|application for (?:[a-z]+ ){0,2}insurance|(?:auto|homeowner|homeowners|commercial insurance|renters) application|insurance policy|coverage summary|insurance binder)\b/i
/** Titles of documents about a policy that do not state it. */
const OTHER_TITLES =
  /\b(?:loss (?:run|runs|detail|history|summary|experience)|claims? (?:report|history|summary|experience)|invoice|billing statement|bill summary|account statement|notice of (?:cancell?ation|non-?renewal)|cancell?ation request|cancellation \/ nullification|rent roll|lease agreement|license agreement|insurance card|identification card|id card|utility bill|purchase order|receipt)\b/i

/** Titles stand among the first lines of a document. */
const TITLE_LINES = 40
/** Fields a policy document names, whatever its layout. */
const ANCHORS = [
  'policy_number',
  'named_insured',
  'effective_date',
  'expiration_date',
  'period',
  'premium_total',
  'carrier_name'
]
/** At least one of these must be there: other contracts have dates and companies too. */
const OWN = ['policy_number', 'named_insured', 'premium_total']
/** Labels as broad as "Company" or "Term" say nothing about the kind of document. */
const SPECIFIC = 0.85
/** Anchors that make a document a policy without a title, and with one. */
const ENOUGH_ANCHORS = 4
const ENOUGH_WITH_TITLE = 2

/** The first of the first lines that is a title of this kind; none when there is none. */
function titleAt(view: View, pattern: RegExp): number {
  const at = view.sheet.segments
    .slice(0, TITLE_LINES)
    .findIndex(segment => segment.tokens.length <= 10 && pattern.test(segment.text))
  return at < 0 ? Number.POSITIVE_INFINITY : at
}

function distinct(evidence: readonly Evidence[], field: string): number {
  const strong = evidence.filter(piece => piece.field === field && piece.value !== null && piece.score >= 0.9)
  return new Set(strong.map(piece => valueKey(piece.value))).size
}

/** Reasons when the document is not a policy, or seems to be several. */
export function policyKind(view: View, evidence: readonly Evidence[]): Reason[] {
  const keys = view.labels.hits.filter(hit => hit.weight >= SPECIFIC && ANCHORS.includes(hit.key)).map(hit => hit.key)
  const anchors = keys.some(key => OWN.includes(key)) ? new Set(keys).size : 0
  const titled = TITLES.test(view.prose.text)
  const isPolicy = anchors >= ENOUGH_ANCHORS || (titled && anchors >= ENOUGH_WITH_TITLE)
  // Below the title of a policy the words of another kind head a section of it.
  const isOther = titleAt(view, OTHER_TITLES) <= Math.min(titleAt(view, TITLES), TITLE_LINES)
  if (!isPolicy || isOther) return [reasonOf('DOC_TYPE_UNKNOWN')]
  const numbers = distinct(evidence, 'policy_number')
  const several = numbers > 1 && (distinct(evidence, 'named_insured') > 1 || distinct(evidence, 'effective_date') > 1)
  return several ? [reasonOf('MULTI_DOC_SUSPECTED', { detail: `${numbers} different policy numbers` })] : []
}
