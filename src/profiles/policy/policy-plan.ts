import type { Envelope } from '../../model/envelope.ts'
import { reasonOf } from '../../model/reasons.ts'
import { probabilityOf } from '../find/calibration.ts'
import { type Evidence, valueKey } from '../find/evidence.ts'
import { slotsOf } from '../find/layout/slots.ts'
import { amountsIn, numberReader } from '../find/readers.ts'
import { sameName } from '../find/values/names.ts'
import { contestOthers } from '../find/values/other-parties.ts'
import type { FindPlan, View } from '../find/view.ts'
import { captionedBelow } from './captions-below.ts'
import { insuredReader } from './insured-reader.ts'
import { coveragesOf } from './lists/coverages.ts'
import { deductiblesOf } from './lists/deductibles.ts'
import { formsOf } from './lists/forms.ts'
import { locationsOf } from './lists/places.ts'
import { vehiclesOf } from './lists/vehicles.ts'
import {
  agreeTerm,
  attachedPeriods,
  columnPeriods,
  fromToPeriods,
  labelledPeriods,
  POLICY_PERIOD,
  sentenceDates
} from './policy-dates.ts'
import { policyKind } from './policy-kind.ts'
import { POLICY_LABELS } from './policy-labels.ts'
import {
  addressBlocks,
  carrierReader,
  isInsurerAsInsured,
  isOtherParty,
  mentionedInsurers,
  namesOverAddresses,
  soleAddressee
} from './policy-parties.ts'
import { datedTotals, premiumReader, sentencePremiums, totalRows, withoutSureParts } from './policy-premium.ts'
import { statedParties } from './policy-sentences.ts'
import { spreadPeriods } from './policy-terms.ts'
import { chargedTotals } from './premium/premium-charges.ts'
import { corroborateBySum, sumDoubt } from './premium/premium-sum.ts'

const textOf = (envelope: Envelope | undefined): string | null =>
  typeof envelope?.value === 'string' ? envelope.value : null

/** An agency may call itself an insurance company; where it is labelled as the agency, it is not the carrier. */
function isAgency(piece: Evidence, evidence: readonly Evidence[]): boolean {
  if (piece.field !== 'carrier_name' || !['mention', 'carries'].includes(piece.via)) return false
  return evidence.some(
    other => other.field === 'agency_name' && typeof other.value === 'string' && sameName(other.value, piece.raw)
  )
}

/** What a declaration lists: coverages, deductibles, forms, vehicles and places. */
function listsOf(view: View): Evidence[] {
  const coverages = coveragesOf(view)
  return [
    ...coverages,
    ...deductiblesOf(view, coverages[0]?.value ?? null),
    ...formsOf(view),
    ...vehiclesOf(view),
    ...locationsOf(view)
  ]
}

/** Numbers behind labels of other things (prior policies, quotes, loans) that a weaker label calls the policy's as well. */
function withoutOtherNumbers(evidence: readonly Evidence[], view: View): Evidence[] {
  const strong = new Set(
    evidence.filter(piece => piece.field === 'policy_number' && piece.score >= 0.9).map(piece => valueKey(piece.value))
  )
  const others = new Set(
    view.labels.hits
      .filter(hit => hit.key === 'not' && /\b(?:policy|number|no|#|renewal|replaces)\b|#$/i.test(hit.phrase))
      .slice(0, 60)
      .flatMap(hit => numberReader(slotsOf(view.labels, hit, view.sheet), hit, view)?.value ?? [])
      .map(value => valueKey(value))
  )
  return evidence.filter(
    ({ field, value }) => field !== 'policy_number' || !others.has(valueKey(value)) || strong.has(valueKey(value))
  )
}

/** A number that only a schedule of other policies gives is not the policy's, however alone it stands. */
const OWN_NUMBER = 0.6
const isOwnNumber = ({ field, score }: Evidence): boolean => field !== 'policy_number' || score >= OWN_NUMBER

/** What an insured's name gains over an address: a heading or a sentence has none below it. */
const OVER_ADDRESS = 0.06

function withAddress(piece: Evidence, over: ReadonlySet<string>): Evidence {
  const isOver = piece.field === 'named_insured' && piece.score >= 0.7 && over.has(valueKey(piece.value))
  return isOver ? { ...piece, score: Math.min(1, piece.score + OVER_ADDRESS) } : piece
}

/** A plain `Policy: HX-700131` is its number where nothing else is called one. */
const SOLE_NUMBER = 0.86

function soleNumber(piece: Evidence, evidence: readonly Evidence[]): Evidence {
  // `Underlying NFIP policy: …`: a word before the label makes it another one, and counts less.
  const least = piece.via === 'Policy/inline' ? 0.53 : piece.via === 'Policy/right' ? 0.5 : 2
  if (piece.field !== 'policy_number' || piece.score < least) return piece
  const isNumber = /\d{5}/.test(valueKey(piece.value))
  const isSole = evidence.every(other => other.field !== 'policy_number' || other.value === piece.value)
  return isSole && isNumber ? { ...piece, score: SOLE_NUMBER } : piece
}

/** A plain `Premium:` is the policy's where no other amount is called a premium or a total. */
const SOLE_PREMIUM = 0.88
/** So is a premium by a longer name that no part contradicts; a deposit and what is due are never told to be the whole. */
const NAMED = /^(?!Deposit|If You|Total Amount Due|Pay This)[^ /]* [^/]*\/(?:inline|right|below)$/

/** Taxes and fees with amounts of their own beside a premium that no total takes in: what the policy costs is not told. */
function hasCharges(view: View): boolean {
  return view.labels.hits
    .filter(
      ({ key, phrase, form }) => key === 'premium_part' && form !== 'inside' && /\b(?:tax|fee|surcharge)/i.test(phrase)
    )
    .some(hit => amountsIn(slotsOf(view.labels, hit, view.sheet).filter(({ via }) => via !== 'below')).length > 0)
}

function solePremium(piece: Evidence, evidence: readonly Evidence[], view: View): Evidence {
  const isPlain =
    piece.field === 'premium_total' && /^(?:(?:Premium|Total)\/(?:inline|right)|Premium\/below)$/.test(piece.via)
  const isNamed = piece.field === 'premium_total' && NAMED.test(piece.via)
  const isContradicted = piece.flags.includes('PARTS_DO_NOT_ADD_UP')
  if (!(isPlain || (isNamed && !isContradicted)) || piece.score < 0.55) return piece
  // A plain `Total` must be what a premium beside it says as well.
  if (piece.via.startsWith('Total') && view.prose.text.split(piece.raw).length < 3) return piece
  const isSole = evidence.every(other => other.field !== 'premium_total' || other.value === piece.value)
  return isSole && !hasCharges(view) ? { ...piece, score: Math.max(piece.score, SOLE_PREMIUM) } : piece
}

/** What a number of a certificate scores where nothing is called a policy's number. */
const OF_CERTIFICATE = 0.92

/** `Certificate Number` is beside a policy's number another one; alone on evidence of insurance it is the policy's. */
function certificateNumbers(view: View): Evidence[] {
  const { hits } = view.labels
  if (hits.some(({ key, weight }) => key === 'policy_number' && weight >= 0.85)) return []
  return hits
    .filter(({ phrase, form }) => phrase === 'Certificate Number' && form !== 'lead')
    .flatMap(hit => numberReader(slotsOf(view.labels, hit, view.sheet), hit, view) ?? [])
    .map(piece => ({ ...piece, field: 'policy_number', score: piece.value === null ? piece.score : OF_CERTIFICATE }))
}

/** What is left of a plain `Premium` that stands in several rows, each with its own amount: that of a coverage. */
const OF_A_ROW = 0.6
const MOST_PLAIN = 3

/** `COVERAGE A $95,000 PREMIUM 612.00` in row after row: none of them is the policy's. */
function withoutRowPremiums(evidence: readonly Evidence[]): readonly Evidence[] {
  const plain = evidence.filter(
    ({ field, via }) => field === 'premium_total' && /^Premium\/(?:inline|right)$/.test(via)
  )
  const rows = new Set(plain.map(({ value }) => valueKey(value)))
  const isTotalKnown = evidence.some(
    piece => piece.field === 'premium_total' && piece.flags.includes('PARTS_ADD_UP') && !plain.includes(piece)
  )
  if (rows.size < MOST_PLAIN || !isTotalKnown) return evidence
  return evidence.map(piece => (plain.includes(piece) ? { ...piece, score: piece.score * OF_A_ROW } : piece))
}

/** How a policy's documents are read. */
export const policyPlan: FindPlan = {
  labels: POLICY_LABELS,
  readers: { premium_total: premiumReader, carrier_name: carrierReader, named_insured: insuredReader },
  gather: view => [
    ...labelledPeriods(view),
    ...fromToPeriods(view),
    ...columnPeriods(view),
    ...spreadPeriods(view, POLICY_PERIOD),
    ...attachedPeriods(view),
    ...sentenceDates(view),
    ...mentionedInsurers(view),
    ...totalRows(view),
    ...sentencePremiums(view),
    ...statedParties(view),
    ...certificateNumbers(view),
    ...listsOf(view)
  ],
  weigh: (evidence, view) => {
    const insured = evidence.filter(piece => piece.field === 'named_insured' && piece.score >= 0.85)
    const names = insured.flatMap(piece => (typeof piece.value === 'string' ? [piece.value] : []))
    const over = namesOverAddresses(view)
    const starts = evidence.filter(piece => piece.field === 'effective_date' && piece.score >= 0.85)
    const dated = datedTotals(
      view,
      starts.map(piece => piece.value)
    )
    const captioned = captionedBelow(view, POLICY_PERIOD, evidence)
    const own = [...evidence, ...captioned, ...dated, ...soleAddressee(addressBlocks(view, names), evidence)].filter(
      piece => !isInsurerAsInsured(piece) && !isAgency(piece, evidence)
    )
    const charged = withoutRowPremiums(chargedTotals(corroborateBySum(own, view), view))
    const weighed = agreeTerm(charged).map(piece =>
      withoutSureParts(withAddress(soleNumber(solePremium(piece, charged, view), own), over))
    )
    return contestOthers(withoutOtherNumbers(weighed.filter(isOwnNumber), view), 'named_insured', view)
  },
  kind: policyKind,
  settle: (drafts, view) => {
    const doubt = sumDoubt(drafts.get('premium_total'), view)
    if (doubt) drafts.set('premium_total', doubt.envelope)
    const reasons = doubt ? [doubt.reason] : []
    const insured = drafts.get('named_insured')
    const name = textOf(insured)
    const others = [textOf(drafts.get('carrier_name')), textOf(drafts.get('agency_name'))]
    if (insured && name !== null && isOtherParty(name, others)) {
      drafts.set('named_insured', {
        ...insured,
        value: null,
        status: 'ambiguous',
        confidence: probabilityOf('undecided'),
        flags: ['MULTIPLE_CANDIDATES'],
        readings: [name, null]
      })
      reasons.push(reasonOf('MULTIPLE_CANDIDATES', { field: 'named_insured', origin: insured.origin }))
    }
    return reasons
  }
}
