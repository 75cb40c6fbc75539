import type { Envelope } from '../../model/envelope.ts'
import { type Reason, reasonOf } from '../../model/reasons.ts'
import { compareDecimals, distance, multiplyDecimals, parseDecimal } from '../../normalize/amounts/decimal.ts'
import { absentEnvelope } from '../find/choose.ts'
import type { Evidence } from '../find/evidence.ts'
import { moneyReader } from '../find/readers.ts'
import type { Drafts, FindPlan, View } from '../find/view.ts'
import { corroborate } from './lease-corroborate.ts'
import { isContingent, labelledTerms, sentenceDates, startFromEffective } from './lease-dates.ts'
import { documentType, leaseKind } from './lease-kind.ts'
import { LEASE_LABELS } from './lease-labels.ts'
import { definedParties, partiesByWish } from './lease-parties.ts'
import { sentenceAreas, sentencePremises } from './lease-premises.ts'
import { rentReader, sentenceDeposits, sentenceRents } from './lease-rent.ts'
import { endFitsTerm, statedTerm, termEnd } from './lease-term.ts'

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

/** A length stated far from the dates may be of another period. In characters. */
const NEAR = 900

function isNear(view: View, at: number, raw: string): boolean {
  return raw !== '' && view.prose.text.slice(Math.max(0, at - NEAR), at + NEAR).includes(raw)
}

function termReasons(drafts: Drafts, view: View): Reason[] {
  const term = statedTerm(view)
  if (!term) return []
  if (term.months === null) return [reasonOf('WORDS_DIGITS_MISMATCH', { field: 'term_months' })]
  const stated = drafts.get('term_months')
  const { months } = term
  if (stated) deriveEnd(drafts, months, stated)
  const [start, end] = [textOf(drafts, 'lease_start'), textOf(drafts, 'lease_end')]
  if (start === null || end === null || endFitsTerm(start, end, months)) return []
  if (!isNear(view, term.at, drafts.get('lease_end')?.raw ?? '')) return []
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

/** Twelve printed monthly rents may miss the yearly one by rounding: 12 × half a cent, either way. */
const ROUNDING = parseDecimal('0.12')

/** A yearly rent stated beside the monthly one must be twelve of it. */
function yearReasons(drafts: Drafts, evidence: readonly Evidence[]): Reason[] {
  const monthly = textOf(drafts, 'base_rent')
  const yearly = evidence.find(piece => piece.field === 'annual_rent' && typeof piece.value === 'string')
  if (monthly === null || typeof yearly?.value !== 'string') return []
  const twelve = multiplyDecimals(parseDecimal(monthly), parseDecimal('12'))
  const off = distance(twelve, parseDecimal(yearly.value))
  if (compareDecimals(off, ROUNDING) <= 0) return []
  return [reasonOf('RENT_ARITHMETIC_MISMATCH', { field: 'base_rent', origin: yearly.origin })]
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
  const term = statedTerm(view)?.evidence
  return [
    ...labelledTerms(view),
    ...dates,
    ...startFromEffective(view, dates),
    ...(term ? [term] : []),
    ...definedParties(view),
    ...partiesByWish(view),
    ...sentencePremises(view),
    ...sentenceAreas(view),
    ...sentenceRents(view),
    ...sentenceDeposits(view),
    ...documentType(view)
  ]
}

/** How leases are read. */
export const leasePlan: FindPlan = {
  labels: LEASE_LABELS,
  readers: { base_rent: rentReader, annual_rent: moneyReader },
  gather,
  weigh: corroborate,
  kind: leaseKind,
  settle: (drafts, view, evidence) => [
    ...termReasons(drafts, view),
    ...contingencyReasons(drafts, view),
    ...yearReasons(drafts, evidence),
    ...partyReasons(drafts)
  ]
}
