import { endOfMonth } from '../../model/calendar.ts'
import type { Envelope } from '../../model/envelope.ts'
import { type Reason, reasonOf } from '../../model/reasons.ts'
import { probabilityOf } from '../find/calibration.ts'
import { absentEnvelope } from '../find/choose.ts'
import type { Evidence } from '../find/evidence.ts'
import { dateReader } from '../find/readers.ts'
import { contestOthers } from '../find/values/other-parties.ts'
import type { Drafts, FindPlan, SlotReader, View } from '../find/view.ts'
import { corroborate } from './lease-corroborate.ts'
import { isAmendment, isContingent, labelledTerms, sentenceDates, startFromEffective } from './lease-dates.ts'
import { documentType, leaseKind } from './lease-kind.ts'
import { LEASE_LABELS } from './lease-labels.ts'
import { renewalOptions } from './lease-options.ts'
import { sentenceAreas, sentencePremises } from './lease-premises.ts'
import { endFitsTerm, type StatedTerm, statedTerm, termEnd, termEvidence } from './lease-term.ts'
import { partiesInAct, partiesSpokenTo } from './parties/acting-parties.ts'
import { definedParties, partiesByWish } from './parties/defined-parties.ts'
import { partyOnOtherSide } from './parties/other-side.ts'
import { partiesSaid, partiesSigned } from './parties/signed-parties.ts'
import {
  partiesBefore,
  partiesBehindCaptions,
  partiesBracketed,
  partiesCaptioned,
  partiesHeaded,
  partiesItemised,
  partiesListed,
  partiesMeant
} from './parties/told-parties.ts'
import { sentenceCam } from './rent/lease-cam.ts'
import { sentenceDeposits } from './rent/lease-deposit.ts'
import { rentReader, sentenceRents } from './rent/lease-rent.ts'
import { twelfthsOfYear, yearReader, yearReasons, yearsInInstalments } from './rent/lease-year.ts'
import { scheduleEvidence, scheduleReasons } from './rent/rent-schedule.ts'

const textOf = (drafts: Drafts, name: string): string | null => {
  const value = drafts.get(name)?.value
  return typeof value === 'string' ? value : null
}

/** `expires on the last day of the sixtieth (60th) full calendar month`: how the end is counted, told. */
const LAST_OF_MONTH =
  /\blast day of the (?:[a-z-]{3,20} ){0,3}?\(?(?:\d{1,3}(?:st|nd|rd|th)\)? )?(?:full )?(?:calendar )?month\b/gi
const ENDING = /\b(?:expir|end|terminat|continu|through|until)[^.;]*$/i
/** Words before it that make such a day the end of the term, in characters. */
const LEAD_TO_LAST = 80

const tellsLastDay = ({ prose: { text } }: View): boolean =>
  [...text.matchAll(LAST_OF_MONTH)].some(({ index }) =>
    ENDING.test(text.slice(Math.max(0, index - LEAD_TO_LAST), index))
  )

/** What is left of the confidence in start and length when the end is counted from them, and when it is told how. */
const COUNTED = 0.9
const TOLD = 0.98

/** The end of the term when the document prints none: start and length are stated, the end follows. */
function deriveEnd(drafts: Drafts, months: number, source: Envelope, view: View): void {
  const start = drafts.get('lease_start')
  if (typeof start?.value !== 'string' || drafts.has('lease_end')) return
  const last = termEnd(start.value, months)
  const rolled = endOfMonth(last)
  const isTold = tellsLastDay(view)
  const { raw, origin } = source
  if (!isTold && rolled !== last && /full calendar|lease years?/i.test(source.raw ?? '')) {
    // Whether whole months are counted from the day or from the next month's first is for a person to say.
    const undecided = { value: null, raw, origin, status: 'ambiguous' as const }
    const doubt = { confidence: probabilityOf('undecided'), flags: ['MULTIPLE_CANDIDATES'], readings: [last, rolled] }
    drafts.set('lease_end', { ...undecided, ...doubt })
    return
  }
  const confidence = Math.min(start.confidence, source.confidence) * (isTold ? TOLD : COUNTED)
  const value = isTold ? rolled : last
  drafts.set('lease_end', { value, raw, origin, status: 'derived', confidence, flags: ['DERIVED_FROM_TERM'] })
}

/** A length stated in a sentence far from the date may be of another period. In characters. */
const NEAR = 900

function isNear(view: View, { at }: StatedTerm, raw: string): boolean {
  return at === null || (raw !== '' && view.prose.text.slice(Math.max(0, at - NEAR), at + NEAR).includes(raw))
}

/** A stated term that does not fit the two dates holds the lease, and so do a term's words and digits that differ. */
function termReasons(drafts: Drafts, view: View): Reason[] {
  const term = statedTerm(view)
  // Words that differ from digits leave the field without a value; that is told where fields are looked through.
  if (!term || term.months === null) return []
  const stated = drafts.get('term_months')
  if (stated) deriveEnd(drafts, term.months, stated, view)
  const [start, end] = [textOf(drafts, 'lease_start'), textOf(drafts, 'lease_end')]
  if (start === null || end === null || endFitsTerm(start, end, term.months)) return []
  // Dates in the wrong order are told as such.
  if (end <= start || !isNear(view, term, drafts.get('lease_end')?.raw ?? '')) return []
  return [reasonOf('TERM_MISMATCH', { field: 'lease_end', origin: drafts.get('lease_end')?.origin ?? null })]
}

function contingencyReasons(drafts: Drafts, view: View): Reason[] {
  if (!isContingent(view)) return []
  const start = drafts.get('lease_start')
  if (start?.value === undefined || start.value === null) {
    drafts.set('lease_start', absentEnvelope(['CONTINGENT_DATE']))
    return []
  }
  return [reasonOf('CONTINGENT_DATE', { field: 'lease_start', origin: start.origin })]
}

function partyReasons(drafts: Drafts): Reason[] {
  const [tenant, landlord] = [textOf(drafts, 'tenant_name'), textOf(drafts, 'landlord_name')]
  if (tenant === null || landlord === null || tenant.toLowerCase() !== landlord.toLowerCase()) return []
  return [
    reasonOf('MULTIPLE_CANDIDATES', {
      field: 'tenant_name',
      origin: drafts.get('tenant_name')?.origin ?? null,
      detail: 'same as the landlord'
    })
  ]
}

function gather(view: View): Evidence[] {
  const dates = sentenceDates(view)
  return [
    ...labelledTerms(view),
    ...dates,
    ...startFromEffective(view, dates),
    ...termEvidence(view),
    ...definedParties(view),
    ...partiesByWish(view),
    ...partiesSpokenTo(view),
    ...partiesInAct(view),
    ...partiesListed(view),
    ...partiesBefore(view),
    ...partiesBehindCaptions(view),
    ...partiesCaptioned(view),
    ...partiesBracketed(view),
    ...partiesItemised(view),
    ...partyOnOtherSide(view),
    ...partiesMeant(view),
    ...partiesHeaded(view),
    ...partiesSaid(view),
    ...partiesSigned(view),
    ...sentencePremises(view),
    ...sentenceAreas(view),
    ...sentenceRents(view),
    ...yearsInInstalments(view),
    ...scheduleEvidence(view),
    ...sentenceDeposits(view),
    ...sentenceCam(view),
    ...documentType(view),
    ...renewalOptions(view)
  ]
}

/** A date that labels call the start or the end of an extension: the term's where the document is what extends it. */
const ofExtension =
  (key: 'lease_start' | 'lease_end'): SlotReader =>
  (slots, hit, view) =>
    isAmendment(view.prose.text) ? dateReader(slots, { ...hit, key }, view) : null

/** How leases are read. */
export const leasePlan: FindPlan = {
  labels: LEASE_LABELS,
  readers: {
    base_rent: rentReader,
    annual_rent: yearReader,
    extension_start: ofExtension('lease_start'),
    extension_end: ofExtension('lease_end')
  },
  gather,
  weigh: (evidence, view) =>
    contestOthers(corroborate([...evidence, ...twelfthsOfYear(view, evidence)], view), 'tenant_name', view),
  kind: leaseKind,
  settle: (drafts, view, evidence) => [
    ...termReasons(drafts, view),
    ...contingencyReasons(drafts, view),
    ...yearReasons(drafts, evidence),
    ...scheduleReasons(drafts, view),
    ...partyReasons(drafts)
  ]
}
