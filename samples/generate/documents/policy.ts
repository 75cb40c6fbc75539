import { plain } from '../amounts.ts'
import type { Day } from '../calendar.ts'
import { addMonths, isoDay } from '../calendar.ts'

/** One insurance policy before it is laid out. Amounts in cents. */
export interface Policy {
  readonly number: string
  readonly insured: string
  readonly mailing: readonly [street: string, city: string]
  readonly carrier: string
  readonly naic: string
  readonly agency: string
  readonly start: Day
  readonly months: number
  /** Parts of the premium by what they are for; their sum is the total. */
  readonly parts: readonly (readonly [label: string, cents: number])[]
}

/** The policy ends on the day of its start, so many months later, at the hour it began. */
export const endOf = (policy: Policy): Day => addMonths(policy.start, policy.months)

export const totalOf = (policy: Policy): number => policy.parts.reduce((sum, [, cents]) => sum + cents, 0)

/** What a reader must find in the document. */
export function fieldsOf(policy: Policy): Record<string, string> {
  return {
    policy_number: policy.number,
    named_insured: policy.insured,
    effective_date: isoDay(policy.start),
    expiration_date: isoDay(endOf(policy)),
    premium_total: plain(totalOf(policy))
  }
}

export const HOMEOWNERS: Policy = {
  number: 'HL-HO3-204817',
  insured: 'Odalys Brenner',
  mailing: ['418 Lanternfish Way', 'Port Ashby, WA 98199'],
  carrier: 'Harborline Mutual Insurance Company',
  naic: '98761',
  agency: 'Pellworth Insurance Agency',
  start: { year: 2025, month: 3, day: 15 },
  months: 12,
  parts: [
    ['Base Premium', 118_400],
    ['Wind and Hail Surcharge', 9_750],
    ['Policy Fee', 3_500]
  ]
}

export const BUSINESS_OWNERS: Policy = {
  number: 'TVB 4471208',
  insured: 'Gannet & Daughters Bakery LLC',
  mailing: ['77 Orrery Street, Suite 110', 'Port Ashby, WA 98103'],
  carrier: 'Tallgrass & Vane Insurance Company',
  naic: '98742',
  agency: 'Two Bridges Brokerage',
  start: { year: 2024, month: 10, day: 1 },
  months: 12,
  parts: [
    ['Property', 164_200],
    ['Liability', 98_800],
    ['Terrorism', 2_600]
  ]
}

export const PACKAGE: Policy = {
  number: 'CWP-0083315-02',
  insured: 'Windlass Court Storage, Inc.',
  mailing: ['2210 Windlass Court', 'Port Ashby, WA 98118'],
  carrier: 'Cinderwick Casualty Company',
  naic: '98733',
  agency: 'Achterberg Risk Partners',
  start: { year: 2025, month: 4, day: 18 },
  months: 12,
  parts: [
    ['Commercial Property', 412_500],
    ['General Liability', 287_300],
    ['Inland Marine', 46_150],
    ['Policy Fee', 15_000]
  ]
}

export const AUTO: Policy = {
  number: 'MFX 77-301-9954',
  insured: 'Corvin Tidewell',
  mailing: ['39 Nettle Hill Rd', 'Port Ashby, WA 98199'],
  carrier: 'Meridian Fold Insurance Exchange',
  naic: '98724',
  agency: 'Direct',
  start: { year: 2025, month: 1, day: 22 },
  months: 6,
  parts: [
    ['Vehicle 1', 41_287],
    ['Vehicle 2', 36_604]
  ]
}
