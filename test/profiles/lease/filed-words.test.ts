import { test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import type { Json } from '../../../src/model/json.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { CONTEXT, flow, lines } from '../find/documents.ts'

const TITLE = 'LEASE AGREEMENT'
const PARTIES = 'This Lease is made between Alder Court LLC ("Landlord") and Ilse Brenner ("Tenant").'
const PREMISES =
  'Landlord leases to Tenant the premises located at 4 Iris Court, Port Ashby, WA 98402 (the "Premises").'
const TERM = 'The term commences on July 1, 2024 and ends on June 30, 2029.'
const RENT = 'Tenant shall pay base rent of $1,200.00 per month.'

const valueOf = (document: DocumentText, name: string): Json =>
  findFields(lease, document, CONTEXT).fields[name]?.value ?? null

const bothWays = (...texts: readonly string[]): readonly DocumentText[] => [lines(...texts), flow(...texts)]

const ADDRESSES: Readonly<Record<string, string>> = {
  'the apartment located at 4 Iris Court, Unit 3B, for a term of twelve (12) months commencing July 1, 2024':
    '4 Iris Court, Unit 3B',
  'the apartment located at 4 Iris Court for a fixed term of one year': '4 Iris Court',
  'the house located at 4 Iris Court, Port Ashby, Washington on a yearly basis': '4 Iris Court, Port Ashby, Washington',
  'the land located at 4 Iris Court, Port Ashby, Washington, as further legally described in Exhibit A':
    '4 Iris Court, Port Ashby, Washington',
  'the building located at 4 Iris Court, Port Ashby, Washington and known as Quay Centre I':
    '4 Iris Court, Port Ashby, Washington',
  'the store located at 4 Iris Court, Port Ashby, Washington commencing July 1, 2024':
    '4 Iris Court, Port Ashby, Washington',
  'the building known as Quay Centre and located at 4 Iris Court, Port Ashby, Washington (the "Building")':
    'Quay Centre, 4 Iris Court, Port Ashby, Washington'
}

for (const [words, address] of Object.entries(ADDRESSES)) {
  test(`an address ends where other words begin: ${words}`, t => {
    for (const document of bothWays(TITLE, PARTIES, `Landlord hereby leases to Tenant ${words}.`, TERM, RENT))
      t.equal(valueOf(document, 'property_address'), address)
    t.end()
  })
}

test('a captioned address behind the premises is theirs, behind a party it is not', t => {
  const below = (lead: string): readonly DocumentText[] =>
    bothWays(TITLE, PARTIES, lead, 'Address: 4 Iris Court, Port Ashby, WA 98402', TERM, RENT)
  for (const document of below('Landlord hereby leases to Tenant the following premises ("Premises"):'))
    t.equal(valueOf(document, 'property_address'), '4 Iris Court, Port Ashby, WA 98402')
  for (const document of below('Payments go to the bank of the Landlord:'))
    t.equal(valueOf(document, 'property_address'), null)
  t.end()
})

test('a fee that stands right behind its amount is no rent', t => {
  for (const fee of ['late payment fee', 'Pet Fee', 'application fee', 'Administrative Processing Fee'])
    for (const document of bothWays(
      TITLE,
      PARTIES,
      PREMISES,
      TERM,
      `The tenants shall pay a monthly rental and $50 ${fee}.`
    ))
      t.equal(valueOf(document, 'base_rent'), null, fee)
  t.end()
})

test('a rate with electricity is no monthly rent, and the first of dated steps is the rent', t => {
  const steps = [
    ['1/1/25 – 12/31/25', '$9,000.00', '$26.00+E'],
    ['1/1/26 – 12/31/26', '$9,200.00', '$26.50+E']
  ]
  const table = steps.map(row => row.join(' | '))
  const inTable = bothWays(TITLE, PARTIES, PREMISES, TERM, 'Months | Monthly Rent | Rent Per Square Foot', ...table)
  const inLines = bothWays(
    TITLE,
    PARTIES,
    PREMISES,
    'Base Monthly Rent shall be paid in accordance with the following schedule:',
    ...steps.flatMap(([dates = '', rent = '']) => [dates, `${rent} per month`])
  )
  for (const document of [...inTable, ...inLines]) t.equal(valueOf(document, 'base_rent'), '9000.00')
  t.end()
})

test('a deposit that is given back or waived is none', t => {
  for (const fate of [
    'shall be refunded',
    'will be returned',
    'is hereby released',
    'has been waived',
    'is to be repaid'
  ]) {
    const words = `The security deposit in the amount of Nine Hundred Dollars ($900.00), ${fate} to Tenant.`
    for (const document of bothWays(TITLE, PARTIES, PREMISES, TERM, RENT, words))
      t.equal(valueOf(document, 'security_deposit'), null, fate)
  }
  for (const document of bothWays(TITLE, PARTIES, PREMISES, TERM, RENT, 'The security deposit is $900.00.'))
    t.equal(valueOf(document, 'security_deposit'), '900.00')
  t.end()
})

test('the charge for common areas is told in a sentence; a limit or a step of it is none', t => {
  const chargeOf = (words: string): readonly Json[] =>
    bothWays(TITLE, PARTIES, PREMISES, TERM, RENT, words).map(document => valueOf(document, 'cam_charges'))
  for (const words of [
    'Tenant shall pay its share of Common Area Maintenance charges, currently estimated at $210.00 per month.',
    'In addition, CAM is $210.00 per month.',
    'Tenant pays common area charges in the estimated amount of $210.00 per month.'
  ])
    t.same(chargeOf(words), ['210.00', '210.00'], words)
  for (const words of [
    'Tenant pays its share of CAM, which shall not exceed a maximum of $210.00 per month.',
    'Tenant pays for common area maintenance, of which the increase is capped at an amount of $210.00 per month.',
    'Common Area Maintenance of the building was estimated at a total of $210.00 per month.'
  ])
    t.same(chargeOf(words), [null, null], words)
  t.end()
})

test('the area of the building is not that of the premises', t => {
  for (const words of [
    'The building located at 4 Iris Court contains offices, containing approximately 90,000 square feet.',
    'The Rentable Square Footage of the Building is deemed to be 90,000 square feet.',
    'The rentable area of the Project shall be 90,000 square feet.'
  ])
    for (const document of bothWays(
      TITLE,
      PARTIES,
      PREMISES,
      TERM,
      RENT,
      'The premises contain 4,200 rentable square feet.',
      words
    ))
      t.equal(valueOf(document, 'rentable_sqft'), 4200, words)
  t.end()
})

test('a number in brackets before its legal form is part of a name', t => {
  const parties =
    'This Lease is made between Alder Court (2) LLC, a Texas company ("Landlord") and Ilse Brenner ("Tenant").'
  for (const document of bothWays(TITLE, parties, PREMISES, TERM, RENT))
    t.equal(valueOf(document, 'landlord_name'), 'Alder Court (2) LLC')
  t.end()
})

const SHARES = [
  "Tenant shall pay as Tenant's share of the rent $600.00 per month.",
  'Each month the Tenant will pay a portion of the monthly rent, in the amount of $600.00 per month.',
  "Tenant's part of the total monthly rent is $600.00 per month."
]

test('what one of several pays of a rent is not the rent', t => {
  for (const share of SHARES) {
    for (const document of bothWays(TITLE, PARTIES, PREMISES, TERM, share))
      t.equal(valueOf(document, 'base_rent'), null, share)
    for (const document of bothWays(TITLE, PARTIES, PREMISES, TERM, RENT, share))
      t.not(valueOf(document, 'base_rent'), '600.00', share)
  }
  t.end()
})

const CHOSEN_LATER = [
  'The tenancy begins July 1, 2024 and goes from month to month. If notice is given by October 1, 2024, the tenancy ends October 31, 2024.',
  'The term commences on July 1, 2024. If either party gives written notice, the lease will terminate on October 31, 2024.'
]

test('an end that only a notice would make is no end', t => {
  for (const words of CHOSEN_LATER) {
    for (const document of bothWays(TITLE, PARTIES, PREMISES, words, RENT))
      t.equal(valueOf(document, 'lease_end'), null, words)
  }
  const usual = 'The term commences on July 1, 2024 and, unless sooner terminated upon notice, ends on June 30, 2029.'
  for (const document of bothWays(TITLE, PARTIES, PREMISES, usual, RENT))
    t.equal(valueOf(document, 'lease_end'), '2029-06-30')
  t.end()
})
