import { addMonths, type Day, isoDay, lastDayOfTerm } from '../../../samples/generate/calendar.ts'
import type { Random } from '../../../samples/generate/random.ts'

/** Invented people, firms and places; any likeness is chance. */
const GIVEN = 'Marisol Tobias Priya Desmond Yuki Harriet Emeka Lucinda Graham Noor Callum Beatriz Stellan Wren'.split(
  ' '
)
const FAMILY = 'Okafor Lindqvist Pereira Hargrove Castellanos Whitlock Nakamura Dunleavy Abernathy Sandoval Kerr'.split(
  ' '
)
const TRADES = [
  'Dental Group, P.C.',
  'Hardware & Supply Co.',
  'Bakery LLC',
  'Holdings, LLC',
  'Landscaping, Inc.',
  'Imports Limited Partnership',
  'Yoga Studio LLC',
  'Machine Works, Inc.'
]
const PLACES = 'Kestrel Ridge,Birchwater,Silver Fork,Granite Point,Maple Hollow,Heron Bay,Cobblestone,Amberfield'.split(
  ','
)
const INSURERS = [
  'Northgate Mutual Insurance Company',
  'Blue Heron Casualty Company',
  'Prairie Shield Insurance Company',
  'Keystone & Vale Indemnity Company',
  'Sentinel Bay Insurance Exchange',
  'First Meridian Assurance Corporation'
]
const STREETS =
  'Juniper Street,Harbor View Road,W. Magnolia Avenue,Cedar Bluff Drive,Mill Pond Lane,Commerce Parkway'.split(',')
const TOWNS = [
  'Lakemont, OH 44107',
  'Riverton, UT 84065',
  'Fort Adair, TX 76104',
  'Glen Arbor, NJ 07042',
  'Cypress Key, FL 33156',
  'Stonefield, MA 01945'
]
const COVERAGES = [
  'Dwelling',
  'Personal Property',
  'Bodily Injury Liability',
  'Comprehensive',
  'Collision',
  'Medical Payments',
  'General Liability',
  'Business Personal Property'
]

const person = (random: Random): string => `${random.pick(GIVEN)} ${random.pick(FAMILY)}`
const firm = (random: Random): string => `${random.pick(PLACES)} ${random.pick(TRADES)}`

/** Street and town. */
export type Address = readonly [street: string, town: string]

const address = (random: Random): Address => {
  const unit = random.below(3) === 0 ? `, ${random.pick(['Suite', 'Unit', 'Apt'])} ${random.below(40) + 1}` : ''
  return [`${random.digits(random.below(3) + 2)} ${random.pick(STREETS)}${unit}`, random.pick(TOWNS)]
}

/** A day that reads one way only in numbers, as most do in a set large enough. */
const day = (random: Random): Day => ({
  year: 2023 + random.below(3),
  month: 1 + random.below(12),
  day: random.below(5) === 0 ? 1 : 13 + random.below(15)
})

/** What a policy document says. Amounts in cents. */
export interface PolicyFacts {
  readonly number: string
  readonly insured: string
  readonly address: Address
  readonly carrier: string
  readonly agency: string
  readonly start: Day
  readonly end: Day
  readonly months: number
  readonly parts: readonly (readonly [label: string, cents: number])[]
  readonly total: number
  /** Numbers, names and dates of other things. */
  readonly prior: string
  readonly account: string
  readonly other: string
  readonly issued: Day
}

function policyNumber(random: Random): string {
  const letters = random.pick(['HO', 'PA', 'BOP', 'CPP', 'NGM', 'Q', 'WC'])
  return random.pick([
    () => `${letters}-${random.digits(7)}`,
    () => `${letters} ${random.digits(4)} ${random.digits(3)}`,
    () => random.digits(9),
    () => `${random.digits(3)}-${random.digits(6)}-0${1 + random.below(8)}`,
    () => `${letters}${random.digits(6)}-${random.below(90) + 10}`
  ])()
}

/** Draws the facts of one policy. */
export function policyFacts(random: Random): PolicyFacts {
  const start = day(random)
  const months = random.pick([12, 12, 12, 6])
  const first = random.below(COVERAGES.length - 3)
  const parts = COVERAGES.slice(first, first + 2 + random.below(2)).map(
    label => [label, 4000 + random.below(200_000)] as const
  )
  return {
    number: policyNumber(random),
    insured: random.below(2) === 0 ? person(random) : firm(random),
    address: address(random),
    carrier: random.pick(INSURERS),
    agency: `${random.pick(FAMILY)} & ${random.pick(FAMILY)} Insurance Agency`,
    start,
    end: addMonths(start, months),
    months,
    parts,
    total: parts.reduce((sum, [, cents]) => sum + cents, 0),
    prior: policyNumber(random),
    account: random.digits(10),
    other: person(random),
    issued: addMonths({ ...start, day: 13 + random.below(15) }, -1)
  }
}

/** What a lease says. Amounts in cents, rent by the month. */
export interface LeaseFacts {
  readonly tenant: string
  readonly landlord: string
  readonly address: Address
  readonly landlordAddress: Address
  readonly signed: Day
  readonly start: Day
  readonly end: Day
  readonly months: number
  readonly rent: number
  readonly deposit: number
  readonly area: number
  readonly broker: string
}

function otherThan(name: string, draw: () => string): string {
  for (;;) {
    const other = draw()
    if (other !== name) return other
  }
}

/** Draws the facts of one lease; a home is let to people for a year or two, a shop to firms for longer. */
export function leaseFacts(random: Random, isHome: boolean): LeaseFacts {
  const start = { ...day(random), day: random.pick([1, 1, 1, 15]) }
  const months = isHome ? random.pick([12, 12, 24, 6]) : random.pick([36, 60, 84, 120])
  const tenant = isHome ? person(random) : firm(random)
  const rent = (isHome ? 900 + random.below(3000) : 2000 + random.below(30_000)) * 100
  return {
    tenant,
    landlord: otherThan(tenant, () => (isHome && random.below(2) === 0 ? person(random) : firm(random))),
    address: address(random),
    landlordAddress: address(random),
    signed: addMonths({ ...start, day: 13 + random.below(15) }, -1),
    start,
    end: lastDayOfTerm(start, months),
    months,
    rent,
    deposit: rent * (1 + random.below(2)),
    area: 800 + random.below(9000),
    broker: `${random.pick(PLACES)} Realty Advisors`
  }
}

export { isoDay }
