import type { Envelope } from '../../model/envelope.ts'
import { type Reason, reasonOf } from '../../model/reasons.ts'
import { absentEnvelope } from '../find/choose.ts'
import type { Evidence } from '../find/evidence.ts'
import { contestOthers } from '../find/values/other-parties.ts'
import type { Drafts, FindPlan, View } from '../find/view.ts'
import { corroborate } from './lease-corroborate.ts'
import { isContingent, labelledTerms, sentenceDates, startFromEffective } from './lease-dates.ts'
import { documentType, leaseKind } from './lease-kind.ts'
import { LEASE_LABELS } from './lease-labels.ts'
import { renewalOptions } from './lease-options.ts'
import { sentenceAreas, sentencePremises } from './lease-premises.ts'
import { endFitsTerm, type StatedTerm, statedTerm, termEnd, termEvidence } from './lease-term.ts'
import { definedParties, partiesByWish, partiesInAct, partiesSpokenTo } from './parties/defined-parties.ts'
import {
  partiesBefore,
  partiesBracketed,
  partiesCaptioned,
  partiesHeaded,
  partiesListed,
  partiesMeant
} from './parties/told-parties.ts'
import { rentReader, sentenceDeposits, sentenceRents } from './rent/lease-rent.ts'
import { yearReader, yearReasons, yearsInInstalments } from './rent/lease-year.ts'
import { scheduleEvidence, scheduleReasons } from './rent/rent-schedule.ts'

const textOf = (drafts: Drafts, name: string): string | null => {
  const value = drafts.get(name)?.value
  return typeof value === 'string' ? value : null
}

/** The end of the term when the document prints none: start and length are stated, the end follows. */
function deriveEnd(drafts: Drafts, months: number, source: Envelope): void {
  const start = drafts.get('lease_start')
  if (typeof start?.value !== 'string' || drafts.has('lease_end')) return
  drafts.set('lease_end', {
    value: termEnd(start.value, months),
    raw: source.raw,
    status: 'derived',
    confidence: Math.min(start.confidence, source.confidence) * 0.9,
    origin: source.origin,
    flags: ['DERIVED_FROM_TERM']
  })
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
  if (stated) deriveEnd(drafts, term.months, stated)
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
    ...partiesCaptioned(view),
    ...partiesBracketed(view),
    ...partiesMeant(view),
    ...partiesHeaded(view),
    ...sentencePremises(view),
    ...sentenceAreas(view),
    ...sentenceRents(view),
    ...yearsInInstalments(view),
    ...scheduleEvidence(view),
    ...sentenceDeposits(view),
    ...documentType(view),
    ...renewalOptions(view)
  ]
}

/** How leases are read. */
export const leasePlan: FindPlan = {
  labels: LEASE_LABELS,
  readers: { base_rent: rentReader, annual_rent: yearReader },
  gather,
  weigh: (evidence, view) => contestOthers(corroborate(evidence, view), 'tenant_name', view),
  kind: leaseKind,
  settle: (drafts, view, evidence) => [
    ...termReasons(drafts, view),
    ...contingencyReasons(drafts, view),
    ...yearReasons(drafts, evidence),
    ...scheduleReasons(drafts, view),
    ...partyReasons(drafts)
  ]
}
