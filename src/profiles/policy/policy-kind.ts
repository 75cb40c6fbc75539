import { type Reason, reasonOf } from '../../model/reasons.ts'
import { boundariesOf, holdsSeveral } from '../find/context/several-documents.ts'
import type { Evidence } from '../find/evidence.ts'
import { valueKey } from '../find/evidence.ts'
import { opensWithLabel } from '../find/layout/slots.ts'
import { titleAt } from '../find/layout/titles.ts'
import { isInsurerName } from '../find/values/names.ts'
import type { View } from '../find/view.ts'

/** Titles of documents that state a policy. */
const TITLES =
  /\b(?:declarations?|dec page|policy schedule|schedule of insurance|certificate of (?:[a-z]+ ){0,2}insurance|evidence of (?:[a-z]+ ){0,2}insurance|insurance application|application for (?:[a-z]+ ){0,2}insurance|(?:auto|homeowner|homeowners|commercial insurance|renters) application|insurance policy|(?:home(?:owners?)?|auto(?:mobile)?|condo(?:minium)?|renters?|umbrella|flood|landlord|dwelling fire|boat|motorcycle) policy|coverage summary|insurance binder|renewal certificate|certificate of renewal|continuation certificate|information page)\b/i
/** Titles of papers that are a policy's own, whatever their small print says. */
const DECLARES =
  /\b(?:declarations?|dec page|policy schedule|schedule of insurance|coverage summary|information page|renewal certificate|insurance policy|application|binder)\b/i
/** Titles of documents about a policy that do not state it. */
const OTHER_TITLES =
  /^request for\b|\b(?:loss (?:run|runs|detail|history|summary|experience)|claims? (?:report|history|summary|experience)|proof of loss|invoice|billing statement|bill summary|premium (?:bill|notice|audit|finance)|account statement|commission (?:statement|report|advice)|(?:agency|producer|carrier|monthly|annual) (?:statement|report)|audit statement|payment (?:notice|receipt)|notice of (?:cancell?ation|non-?renewal|reinstatement)|reinstatement notice|cancell?ation (?:(?:\/ )?[a-z]+ )?(?:request|notice)|cancellation \/ nullification|broker of record|rent roll|lease agreement|license agreement|insurance card|identification card|id card|utility bill|purchase order|receipt|(?:license|permit|surety|fidelity|performance|payment|bid)(?: (?:and|&) [a-z]+)? bond|(?:vehicle |home |extended )?service contract|home warranty|extended warranty|change request)\b|^(?:[\p{L}'’&-]+ ){0,3}(?:renewal offer|offer of renewal|offer to renew)$|^(?:[\p{L}'’&-]+ ){0,5}(?:quote|quotation|proposal|premium indication)(?: (?:proposal|summary|letter|sheet|page))?$/iu

/** What papers end their titles with that speak of a policy and do not state it: `Policyholder Dividend Notice`, `Insurance Bill`. */
const OTHER_ENDS =
  /^(?:[\p{L}'’&/-]+ ){0,5}(?:notice|bill|statement|receipt|letter|reminder|report|card|request|confirmation|worksheet|voucher|roster|advice|memo(?:randum)?|comparison|analysis|illustration|indication|acknowledge?ment|verification|agreement|questionnaire|checklist|survey|estimate|refund|inquiry|log|list|record|history|audit|offer|order)$/iu
/** What letters say that speak of a policy and do not state it: that it ends, that it is unpaid, that a claim came in. */
const OTHER_SENTENCES =
  /\b(?:will be|has been|have been|was|is being) (?:cancell?ed|non-?renewed|terminated|rescinded|reinstated)\b|\bwill not (?:be renewed|renew)\b|\bnot received (?:your |the |a )?(?:full |minimum )?payment\b|\bpast due\b|\b(?:acknowledge|received|reviewed|investigat\w+|regarding|concerning) (?:receipt of )?(?:your|the|a|this) (?:recent )?(?:claim|loss|inquiry)\b|\b(?:claim number|claim no\b|date of loss|loss date)|\bto accept this (?:offer|quote|proposal)\b|\b(?:not a binder|does not bind coverage|this is a quote|this quote)\b|\bhave paid the premium\b/i
/** Where the text of a letter tells what it is about, in characters. */
const LETTER = 4000

/**
 * A line in capitals that heads a paper: `RETURN PREMIUM ADVICE`. Where nothing in the paper calls it a policy, what it
 * calls itself instead need not be known to be told apart from one.
 */
const HEADLINE = /^(?=(?:[^ ]+ ){1,6}[^ ]+$)[\p{Lu}&/'’ -]+$/u
const OWN_HEADLINE = /\b(?:POLICY|INSURANCE|COVERAGE|INSURED)\b/

/** True for a paper headed by a title that is no insurer's name and names no policy. */
function isHeadedOtherwise(view: View): boolean {
  return view.sheet.segments
    .slice(0, HEAD_LINES - 1)
    .some(
      segment =>
        HEADLINE.test(segment.text) &&
        !OWN_HEADLINE.test(segment.text) &&
        !isInsurerName(segment.text) &&
        !opensWithLabel(view.labels, segment)
    )
}

/** What papers begin their titles with that vouch for a policy, ask for it or account for it: `Verification of Insurance`. */
const OTHER_STARTS =
  /^(?:verification|proof|confirmation|acknowledge?ment|comparison|request|statement|advice|schedule|summary|notice) (?:of|for) /i
/** Such a title is the first thing of its paper. */
const HEAD_LINES = 4

/** `Farm Package Policy`: a line of a few words that ends in what the paper is. */
const CALLED_POLICY = /^(?:[\p{L}&'’-]+ ){1,5}policy$/iu

/** `Renewal Declarations and Premium Notice`: declarations that are a bill as well. */
const BILLED_DECLARATIONS =
  /\bdeclarations?(?: page)? (?:and|&|\/|with) (?:[a-z]+ ){0,2}(?:notice|bill|invoice|statement)\b/i

/** What one policy states one way. */
const TELLING = {
  fields: ['policy_number', 'named_insured', 'effective_date', 'expiration_date', 'premium_total'],
  own: ['policy_number', 'named_insured']
}
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
/** Below a title that says it is a declaration, broad labels with a colon (`Policy:`, `Effective:`) are a policy's. */
const DECLARED = 0.6
const DECLARED_LINES = 6
/** Anchors that make a document a policy without a title, and with one. */
const ENOUGH_ANCHORS = 4
const ENOUGH_WITH_TITLE = 2

function distinct(evidence: readonly Evidence[], field: string): string[] {
  const strong = evidence.filter(piece => piece.field === field && piece.value !== null && piece.score >= 0.9)
  return [...new Set(strong.map(piece => valueKey(piece.value)))]
}

/** Policy numbers that are no other one with a suffix, such as the number of a renewal. */
function policyNumbers(evidence: readonly Evidence[]): string[] {
  const all = distinct(evidence, 'policy_number')
  return all.filter(number => !all.some(other => other !== number && number.startsWith(other)))
}

/** The fields that sentences state outright; in a letter they stand for labels. */
function statedFields(evidence: readonly Evidence[]): string[] {
  return evidence.filter(piece => piece.via === 'sentence' && piece.value !== null).map(piece => piece.field)
}

/** How many fields of a policy the labels name; none when no label is one of a policy alone. */
function anchorsOf(view: View, stated: readonly string[] = []): number {
  const isDeclared = titleAt(view, DECLARES, TITLE_LINES) < DECLARED_LINES
  const named = view.labels.hits
    .filter(({ weight, form }) => weight >= SPECIFIC || (isDeclared && form === 'colon' && weight >= DECLARED))
    .map(hit => hit.key)
    .filter(key => ANCHORS.includes(key))
  const keys = [...named, ...stated]
  return keys.some(key => OWN.includes(key)) ? new Set(keys).size : 0
}

/** True for a document that does not call itself a policy and names few fields of one, or calls itself something else. */
export function isNoPolicy(view: View): boolean {
  const few = titleAt(view, OTHER_TITLES, TITLE_LINES) < TITLE_LINES ? ENOUGH_ANCHORS : ENOUGH_WITH_TITLE
  return anchorsOf(view) < few && titleAt(view, TITLES, TITLE_LINES) > TITLE_LINES
}

/** The first line that calls the paper something else, unless the same line calls it declarations. */
function otherTitleAt(view: View): number {
  const at = titleAt(view, OTHER_TITLES, TITLE_LINES)
  return BILLED_DECLARATIONS.test(view.sheet.segments[at]?.text ?? '') ? Number.POSITIVE_INFINITY : at
}

/** Reasons when the document is not a policy, or seems to be several. */
export function policyKind(view: View, evidence: readonly Evidence[]): Reason[] {
  const anchors = anchorsOf(view, statedFields(evidence))
  const isTitled = TITLES.test(view.prose.text) || titleAt(view, CALLED_POLICY, DECLARED_LINES) < DECLARED_LINES
  const isPolicy = anchors >= ENOUGH_ANCHORS || (isTitled && anchors >= ENOUGH_WITH_TITLE)
  const isDeclared = titleAt(view, DECLARES, TITLE_LINES) < TITLE_LINES
  // Below the title of a policy the words of another kind head a section of it.
  const isOther =
    otherTitleAt(view) <= Math.min(titleAt(view, TITLES, TITLE_LINES), TITLE_LINES) ||
    (!TITLES.test(view.prose.text) && isHeadedOtherwise(view)) ||
    (!isDeclared && titleAt(view, OTHER_ENDS, HEAD_LINES) < titleAt(view, TITLES, TITLE_LINES)) ||
    (!isDeclared && titleAt(view, OTHER_STARTS, TITLE_LINES) < HEAD_LINES) ||
    (!isDeclared && OTHER_SENTENCES.test(view.prose.text.slice(0, LETTER)))
  if (!isPolicy || isOther) return [reasonOf('DOC_TYPE_UNKNOWN')]
  if (holdsSeveral(evidence, boundariesOf(view.sheet.segments, TITLES), TELLING))
    return [reasonOf('MULTI_DOC_SUSPECTED')]
  const numbers = policyNumbers(evidence).length
  const differs = ['named_insured', 'effective_date', 'premium_total'].some(name => distinct(evidence, name).length > 1)
  if (numbers < 2 || !differs) return []
  return [reasonOf('MULTI_DOC_SUSPECTED', { detail: `${numbers} different policy numbers` })]
}
