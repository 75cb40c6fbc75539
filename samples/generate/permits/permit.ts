import type { Day } from '../calendar.ts'
import { addDays } from '../calendar.ts'
import type { Random } from '../random.ts'
import { CONTRACTORS, FAMILY_NAMES, GIVEN_NAMES, STREETS, WORKS } from '../words.ts'

/** One permit application before it is written in some office's way. */
export interface Permit {
  readonly id: string
  readonly type: string
  readonly parcel: string
  readonly valuationCents: number
  readonly description: string
  readonly houseNumber: string
  readonly street: string
  readonly zip: string
  readonly applicant: string
  readonly contractor: string
  readonly applied: Day
  readonly issued: Day | null
  readonly status: string
  readonly squareFeet: number
}

export interface Office {
  /** The office's own numbering. */
  readonly idOf: (n: number) => string
  /** A parcel in the county's own form. */
  readonly parcelOf: (random: Random) => string
  readonly zips: readonly string[]
}

const STATUSES = ['Application Accepted', 'Reviews in Process', 'Issued', 'Completed'] as const
const FIRST_DAY: Day = { year: 2024, month: 1, day: 2 }

/** The n-th application of an office: applied for within 2024 and the first half of 2025, issued later if at all. */
export function permitOf(random: Random, office: Office, n: number): Permit {
  const [type, description] = random.pick(WORKS)
  const applied = addDays(FIRST_DAY, random.below(500))
  const status = random.pick(STATUSES)
  const hasPermit = status === 'Issued' || status === 'Completed'
  return {
    id: office.idOf(n),
    type,
    description,
    status,
    applied,
    parcel: office.parcelOf(random),
    valuationCents: (5 + random.below(4000)) * 10_000 + (random.below(4) === 0 ? random.below(10_000) : 0),
    houseNumber: String(100 + random.below(9800)),
    street: random.pick(STREETS),
    zip: random.pick(office.zips),
    applicant: `${random.pick(GIVEN_NAMES)} ${random.pick(FAMILY_NAMES)}`,
    contractor: random.pick(CONTRACTORS),
    issued: hasPermit ? addDays(applied, 9 + random.below(120)) : null,
    squareFeet: 200 + random.below(3000)
  }
}

/** So many applications of one office, numbered from 1. */
export function permitsOf(random: Random, office: Office, count: number): Permit[] {
  return Array.from({ length: count }, (_, index) => permitOf(random, office, index + 1))
}
