import { amountInWords, dollars, inWords, plain } from '../amounts.ts'
import type { Day } from '../calendar.ts'
import { isoDay, lastDayOfTerm, longDay } from '../calendar.ts'

/** One lease before it is written. Amounts in cents, rent by the month. */
export interface Lease {
  readonly tenant: string
  readonly landlord: string
  readonly address: string
  readonly signed: Day
  readonly start: Day
  readonly months: number
  readonly rentCents: number
  readonly depositCents: number
  readonly squareFeet: number
}

export const endOf = (lease: Lease): Day => lastDayOfTerm(lease.start, lease.months)

/** What a reader must find in the document. */
export function fieldsOf(lease: Lease): Record<string, string> {
  return {
    tenant_name: lease.tenant,
    lease_start: isoDay(lease.start),
    lease_end: isoDay(endOf(lease)),
    base_rent: plain(lease.rentCents)
  }
}

/** Facts with the label a summary of a lease would give each. */
export function summaryOf(lease: Lease): readonly (readonly [label: string, value: string])[] {
  return [
    ['Landlord', lease.landlord],
    ['Tenant', lease.tenant],
    ['Premises Address', lease.address],
    ['Rentable Area', `${lease.squareFeet.toLocaleString('en-US')} rentable square feet`],
    ['Lease Term', `${lease.months} months`],
    ['Commencement Date', longDay(lease.start)],
    ['Expiration Date', longDay(endOf(lease))],
    ['Monthly Base Rent', dollars(lease.rentCents)],
    ['Security Deposit', dollars(lease.depositCents)]
  ]
}

/** What may be said otherwise than the lease's facts would have it. */
export interface Wording {
  /** Stands in place of the sentence on term and dates. */
  readonly term?: string
  /** The digits beside the rent in words. */
  readonly rentDigits?: string
}

/** The lease in sentences, as a contract has it. */
export function clausesOf(lease: Lease, wording: Wording = {}): readonly string[] {
  const { tenant, landlord, address, months } = lease
  const term =
    wording.term ??
    `The term of this Lease shall be ${inWords(months).toLowerCase()} (${months}) months, commencing on ${longDay(lease.start)} (the "Commencement Date") and expiring on ${longDay(endOf(lease))} (the "Expiration Date"), unless sooner terminated as provided herein.`
  const digits = wording.rentDigits ?? dollars(lease.rentCents)
  return [
    `THIS LEASE AGREEMENT (this "Lease") is made as of ${longDay(lease.signed)} by and between ${landlord} ("Landlord") and ${tenant} ("Tenant").`,
    `1. Premises. Landlord leases to Tenant, and Tenant leases from Landlord, the premises located at ${address} (the "Premises"), containing approximately ${lease.squareFeet.toLocaleString('en-US')} rentable square feet.`,
    `2. Term. ${term}`,
    `3. Base Rent. Tenant shall pay to Landlord base rent of ${amountInWords(lease.rentCents)} (${digits}) per month, in advance, on the first day of each calendar month.`,
    `4. Security Deposit. Upon signing this Lease, Tenant shall deposit with Landlord the sum of ${amountInWords(lease.depositCents)} (${dollars(lease.depositCents)}) as a security deposit.`,
    '5. Use. Tenant shall use the Premises for its business and for no other purpose without the consent of Landlord.'
  ]
}

export const ALDER_COURT: Lease = {
  tenant: 'Ilse Vantongeren Ceramics LLC',
  landlord: 'Alder Court Associates LP',
  address: '1450 Old Ferry Road, Suite 3, Port Ashby, WA 98103',
  signed: { year: 2023, month: 1, day: 20 },
  start: { year: 2023, month: 3, day: 15 },
  months: 60,
  rentCents: 612_500,
  depositCents: 1_225_000,
  squareFeet: 2450
}

export const QUILLFEATHER: Lease = {
  tenant: 'Quillfeather Bindery, Inc.',
  landlord: 'Orrery Street Holdings LLC',
  address: '77 Orrery Street, Suite 210, Port Ashby, WA 98199',
  signed: { year: 2024, month: 5, day: 20 },
  start: { year: 2024, month: 7, day: 1 },
  months: 60,
  rentCents: 840_000,
  depositCents: 1_680_000,
  squareFeet: 3360
}

export const BRACKENRIDGE: Lease = {
  tenant: 'Brackenridge Physical Therapy PLLC',
  landlord: 'Thistledown Partners LLC',
  address: '905 Thistledown Ave, Port Ashby, WA 98118',
  signed: { year: 2024, month: 8, day: 14 },
  start: { year: 2024, month: 10, day: 1 },
  months: 84,
  rentCents: 1_137_550,
  depositCents: 1_137_550,
  squareFeet: 4130
}

export const SALTMARSH: Lease = {
  tenant: 'Saltmarsh Outfitters Co.',
  landlord: 'Quayside Holdings LLC',
  address: '12 Quayside Blvd, Port Ashby, WA 98199',
  signed: { year: 2025, month: 2, day: 17 },
  start: { year: 2025, month: 4, day: 1 },
  months: 36,
  rentCents: 475_000,
  depositCents: 950_000,
  squareFeet: 1900
}

export const WINDLASS: Lease = {
  tenant: 'Copperfinch Repair Works LLC',
  landlord: 'Windlass Court Storage, Inc.',
  address: '2214 Windlass Court, Unit B, Port Ashby, WA 98118',
  signed: { year: 2024, month: 11, day: 25 },
  start: { year: 2025, month: 1, day: 1 },
  months: 24,
  rentCents: 268_000,
  depositCents: 268_000,
  squareFeet: 1340
}
