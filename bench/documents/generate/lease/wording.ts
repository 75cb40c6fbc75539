import { amountInWords, dollars, inWords } from '../../../../samples/generate/amounts.ts'
import { americanDay, type Day, longDay } from '../../../../samples/generate/calendar.ts'
import type { Random } from '../../../../samples/generate/random.ts'
import type { LeaseFacts } from '../facts.ts'
import type { Furniture } from '../ink.ts'

/** Writes a lease in one layout. `random` chooses among wordings that mean the same. */
export interface LeaseLayout {
  readonly isHome: boolean
  readonly type: 'pdf' | 'docx' | 'txt' | 'md'
  readonly write: (facts: LeaseFacts, random: Random) => Promise<Buffer>
}

export const furnitureOf = (random: Random, more: Partial<Furniture> = {}): Furniture => ({
  font: random.pick(['Times', 'Helvetica'] as const),
  size: 10,
  ...more
})

const ORDINALS = ['th', 'st', 'nd', 'rd']
const nth = (day: number): string => `${day}${day > 10 && day < 14 ? 'th' : (ORDINALS[day % 10] ?? 'th')}`
const dayOf = (day: Day): string => {
  const [month = ''] = longDay(day).split(' ')
  return `${nth(day.day)} day of ${month}, ${day.year}`
}
export const where = (facts: LeaseFacts): string => facts.address.join(', ')
const length = (months: number): string =>
  months % 12 === 0 && months > 12
    ? `${inWords(months / 12).toLowerCase()} (${months / 12}) years`
    : `${inWords(months).toLowerCase()} (${months}) months`

export const FILLER = [
  'Tenant shall keep the Premises in good order and repair, reasonable wear and tear excepted, and shall not commit waste.',
  'Tenant shall not assign this Lease or sublet the Premises without the prior written consent of Landlord.',
  'A late charge of $75.00 is due on any payment received after the fifth day of the month.',
  'Landlord may enter the Premises at reasonable times after twenty-four (24) hours notice to Tenant.',
  'All notices shall be in writing and are deemed given three (3) days after they are mailed.',
  'If Tenant holds over, rent shall be one hundred fifty percent (150%) of the rent last payable.'
]

export function opening(facts: LeaseFacts, random: Random): string {
  const [landlord, tenant] = random.pick([
    ['Landlord', 'Tenant'],
    ['Lessor', 'Lessee']
  ] as const)
  return random.pick([
    `THIS LEASE AGREEMENT is made this ${dayOf(facts.signed)}, by and between ${facts.landlord} ("${landlord}") and ${facts.tenant} ("${tenant}").`,
    `This Lease is entered into as of ${longDay(facts.signed)} between ${facts.landlord}, whose address is ${facts.landlordAddress.join(', ')} (hereinafter called "${landlord}"), and ${facts.tenant} (hereinafter called "${tenant}").`,
    `This agreement, dated ${longDay(facts.signed)}, is between ${facts.landlord}, as "${landlord}", and ${facts.tenant}, as "${tenant}".`
  ])
}

export const premises = (facts: LeaseFacts, random: Random): string =>
  random.pick([
    `Landlord leases to Tenant the premises located at ${where(facts)} (the "Premises").`,
    `Landlord hereby leases to Tenant, and Tenant hereby leases from Landlord, the real property situated at ${where(facts)}, together with the fixtures therein (the "Premises").`,
    `The premises leased under this Lease are commonly known as ${where(facts)}.`
  ])

export const term = (facts: LeaseFacts, random: Random): string =>
  random.pick([
    `The term of this Lease shall be ${length(facts.months)}, commencing on ${longDay(facts.start)} and ending on ${longDay(facts.end)}.`,
    `This Lease shall begin on ${longDay(facts.start)} and shall terminate on ${longDay(facts.end)}, unless sooner terminated as provided herein.`,
    `The initial term is from ${longDay(facts.start)} through ${longDay(facts.end)}, both dates inclusive.`,
    `TO HAVE AND TO HOLD for a term of ${length(facts.months)} beginning on the ${dayOf(facts.start)} and ending on the ${dayOf(facts.end)}.`
  ])

export const rent = (facts: LeaseFacts, random: Random): string =>
  random.pick([
    `Tenant shall pay to Landlord rent of ${dollars(facts.rent)} per month, due on the first day of each month.`,
    `Tenant agrees to pay monthly rent in the amount of ${amountInWords(facts.rent)} (${dollars(facts.rent)}), in advance, on or before the first day of each calendar month.`,
    `The annual base rent is ${dollars(facts.rent * 12)}, payable in equal monthly installments of ${dollars(facts.rent)} each.`,
    `As rent for the Premises, Lessee shall pay the sum of ${dollars(facts.rent)} each month.`
  ])

export const deposit = (facts: LeaseFacts): string =>
  `Upon signing, Tenant shall pay a security deposit of ${dollars(facts.deposit)}, which is not the last month's rent.`

export function clauses(facts: LeaseFacts, random: Random): string[] {
  const heads = ['Premises', 'Term', 'Rent', 'Security Deposit']
  const own = [premises(facts, random), term(facts, random), rent(facts, random), deposit(facts)]
  const named = own.map((text, at) => `${at + 1}. ${heads[at] ?? ''}. ${text}`)
  return [...named, ...FILLER.map((text, at) => `${at + named.length + 1}. ${text}`)]
}

export function factsTable(facts: LeaseFacts, random: Random): (readonly [string, string])[] {
  const date = random.pick([longDay, longDay, americanDay])
  return [
    [random.pick(['Landlord', 'Lessor', "Landlord's Name"]), facts.landlord],
    [random.pick(['Tenant', 'Lessee', 'Tenant Name']), facts.tenant],
    [random.pick(['Premises', 'Leased Premises', 'Property Address', 'Premises Address']), where(facts)],
    [random.pick(['Rentable Area', 'Rentable Square Feet']), `${facts.area.toLocaleString('en-US')} square feet`],
    [random.pick(['Commencement Date', 'Lease Commencement Date', 'Start Date']), date(facts.start)],
    [random.pick(['Expiration Date', 'Lease Expiration Date', 'End Date', 'Termination Date']), date(facts.end)],
    [random.pick(['Monthly Base Rent', 'Base Rent', 'Monthly Rent']), `${dollars(facts.rent)} per month`],
    ['Security Deposit', dollars(facts.deposit)],
    ['Broker', facts.broker],
    ['Permitted Use', 'General office and retail']
  ]
}
