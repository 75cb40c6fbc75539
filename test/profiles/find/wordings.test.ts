import { test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import type { Json } from '../../../src/model/json.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, flow, lines, paged, pageOf } from './documents.ts'

const valuesOf = (profile: typeof policy, document: DocumentText, names: readonly string[]): Json[] => {
  const { fields } = findFields(profile, document, CONTEXT)
  return names.map(name => fields[name]?.value ?? null)
}

const PARTIES = ['landlord_name', 'tenant_name']
const RENT = 'Rent of $1,200.00 per month is due on the first.'

const openings: Readonly<Record<string, string>> = {
  'each named before its role':
    'This agreement is between Alder Court LLC, as "Landlord", and Ilse Brenner, as "Tenant".',
  'each named after its role':
    'This lease is made by and between, as "Landlord," Alder Court LLC and as "Tenant," Ilse Brenner.',
  'as they act': 'Alder Court LLC ("Landlord") agrees to rent to Ilse Brenner ("Tenant") the house at 4 Iris Court.',
  'leasing to': 'In consideration of the rent, Alder Court LLC ("Lessor") leases to Ilse Brenner ("Lessee") the house.',
  'you and us':
    'This contract is between you, the resident(s): Ilse Brenner, and us, the owner: Alder Court LLC. 2. HOME.'
}

for (const [name, opening] of Object.entries(openings)) {
  test(`finds the parties of a lease, ${name}`, t => {
    const document = lines('LEASE AGREEMENT', opening, `The premises are at 4 Iris Court. ${RENT}`)
    t.same(valuesOf(lease, document, PARTIES), ['Alder Court LLC', 'Ilse Brenner'])
    t.end()
  })
}

const rents: Readonly<Record<string, readonly [sentence: string, rent: string | null]>> = {
  'with a long amount in words': [
    'Tenant agrees to pay monthly rent in the amount of Seventeen Thousand One Hundred Forty-Two and 00/100 Dollars ($17,142.00), in advance.',
    '17142.00'
  ],
  'beside the rent of an option': [
    'Tenant shall pay rent of $1,200.00 per month. Tenant may extend the Term for one period of five years at a monthly rent of $1,500.00.',
    '1200.00'
  ],
  'beside the rent of the lease before': [
    'The rent under the prior lease was $900.00 per month. Tenant shall pay rent of $1,200.00 per month.',
    '1200.00'
  ],
  'before what was deposited': [
    'Tenant shall pay $14,400.00 per annum, in equal monthly installments of rent of $1,200.00. Tenant has deposited $2,400.00 with Landlord as a Security Deposit.',
    '1200.00'
  ],
  'of an option only': ['Tenant may renew the term for one year at a monthly rent of $1,500.00.', null]
}

for (const [name, [sentence, rent]] of Object.entries(rents)) {
  test(`reads the rent of a lease ${name}`, t => {
    const document = lines('LEASE AGREEMENT', openings['as they act'] ?? '', sentence)
    t.same(valuesOf(lease, document, ['base_rent']), [rent])
    t.end()
  })
}

test('reads a term at an hour of the day, and from one day to another behind an address with an initial', t => {
  const hours = 'The initial term of this lease begins on March 1, 2024 and ends at 11:59 p.m. on February 28, 2025.'
  const home =
    'Alder Court LLC ("Lessor") leases to Ilse Brenner ("Lessee") the house at 98 W. Magnolia Ave., Port Ashby, WA 98103, from March 1, 2024 to February 28, 2025.'
  for (const sentence of [hours, home]) {
    const document = lines('LEASE AGREEMENT', sentence, RENT)
    t.same(valuesOf(lease, document, ['lease_start', 'lease_end']), ['2024-03-01', '2025-02-28'], sentence)
  }
  t.end()
})

test('an address is not cut at an initial or a short form', t => {
  for (const address of ['98 W. Magnolia Avenue, Lakemont, OH 44107', '12 St. Marys Road, Lakemont, OH 44107']) {
    const document = lines('LEASE AGREEMENT', `The premises are located at ${address}. Tenant accepts them. ${RENT}`)
    t.same(valuesOf(lease, document, ['property_address']), [address])
  }
  t.end()
})

const beside = (rows: readonly (readonly [string, string])[]): DocumentText =>
  paged(
    pageOf(
      rows.flatMap(([label, value], at) => [
        { x: 0.1, y: 0.1 + at * 0.024, text: label },
        { x: 0.36, y: 0.1 + at * 0.024, text: value }
      ])
    )
  )

test('in a list of labels and values the next label is not the value, known or not', t => {
  const document = beside([
    ['Policy Declarations', ''],
    ['Named Insured', 'Desmond Nakamura'],
    ['Situation of the Risk', '4 Iris Court, Lakemont, OH 44107'],
    ['Policy Period', 'March 1, 2024 to March 1, 2025'],
    ['Mortgagee', 'Cobblestone Savings Bank'],
    ['Policy Number', 'HX-700131']
  ])
  t.same(valuesOf(policy, document, ['named_insured', 'policy_number']), ['Desmond Nakamura', 'HX-700131'])
  t.end()
})

test('a name does not run on into the next row or cell', t => {
  const rows = [
    ['Landlord', 'Alder Court LLC'],
    ['Tenant', 'Iris Bakery LLC'],
    ['Premises', '4 Iris Court, Lakemont, OH 44107']
  ] as const
  for (const document of [flow('Lease', rows), beside(rows)]) {
    t.same(valuesOf(lease, document, PARTIES), ['Alder Court LLC', 'Iris Bakery LLC'])
  }
  t.end()
})

test('a caption beside a label is not its value, though it be unknown', t => {
  const document = paged(
    pageOf([
      { x: 0.1, y: 0.05, text: 'LEASE' },
      { x: 0.1, y: 0.1, text: 'Premises:' },
      { x: 0.5, y: 0.1, text: 'Where Notices Go:' },
      { x: 0.1, y: 0.118, text: '9 Quay Street, Lakemont, OH 44107' },
      { x: 0.5, y: 0.118, text: '1 Hill Road, Riverton, UT 84065' }
    ])
  )
  t.same(valuesOf(lease, document, ['property_address']), ['9 Quay Street, Lakemont, OH 44107'])
  t.end()
})

test('dots that lead to a value make its label plain, with and without spaces', t => {
  for (const dots of [' .......... ', '..........', ' ………… ']) {
    const document = lines('Policy Declarations', ...declaration().map(line => line.replace(': ', dots)))
    const found = valuesOf(policy, document, ['policy_number', 'named_insured', 'premium_total'])
    t.same(found, ['HX-700131', 'Pacific Reflections LLC', '1284.00'], dots)
  }
  t.end()
})

test('a total is read beside an amount with a name of its own, and not beside one without', t => {
  const named = declaration({ 'Total Premium': '$1,284.00 Minimum Earned Premium $250.00' })
  t.same(valuesOf(policy, lines(...named), ['premium_total']), ['1284.00'])
  const unnamed = declaration({ 'Total Premium': '$1,284.00 $250.00' })
  t.same(valuesOf(policy, lines(...unnamed), ['premium_total']), [null])
  t.end()
})

test('a period is read in a sentence, and under its two headings', t => {
  const dates = ['effective_date', 'expiration_date']
  const none = declaration({ 'Effective Date': null, 'Expiration Date': null })
  const sentence = 'Your policy is effective from March 15, 2024 to March 15, 2025 at 12:01 AM.'
  t.same(valuesOf(policy, lines(...none, sentence), dates), ['2024-03-15', '2025-03-15'])
  const headed = paged(
    pageOf([
      ...none.map((text, at) => ({ x: 0.1, y: 0.3 + at * 0.02, text })),
      { x: 0.4, y: 0.1, text: 'POLICY PERIOD' },
      { x: 0.4, y: 0.118, text: 'FROM' },
      { x: 0.6, y: 0.118, text: 'TO' },
      { x: 0.4, y: 0.136, text: '03/15/2024' },
      { x: 0.6, y: 0.136, text: '03/15/2025' }
    ])
  )
  t.same(valuesOf(policy, headed, dates), ['2024-03-15', '2025-03-15'])
  t.end()
})

test('an example shows where to look, not what is', t => {
  const document = lines(...declaration(), 'Example: Policy Number: HX-000000')
  t.same(valuesOf(policy, document, ['policy_number']), ['HX-700131'])
  const only = lines(...declaration({ 'Policy Number': null }), 'Sample Policy Number: HX-000000')
  t.same(valuesOf(policy, only, ['policy_number']), [null])
  t.end()
})

test('what is of a term that is over is not of this one', t => {
  const bygone = [
    'Prior Term: March 15, 2022 to March 15, 2023',
    'Previous Total Premium: $900.00',
    'Former Insured: X Co'
  ]
  const document = lines('Policy Declarations', ...declaration(), ...bygone)
  const found = valuesOf(policy, document, ['effective_date', 'expiration_date', 'premium_total', 'named_insured'])
  t.same(found, ['2024-02-01', '2025-02-01', '1284.00', 'Pacific Reflections LLC'])
  t.end()
})

test('a total in a sentence is read, and one by the month is not', t => {
  const none = declaration({ 'Total Premium': null })
  const stated = 'The total annual premium, including all taxes and fees, is $1,284.00.'
  t.same(valuesOf(policy, lines(...none, stated), ['premium_total']), ['1284.00'])
  const monthly = 'The total premium for this policy is $107.00 per month.'
  t.same(valuesOf(policy, lines(...none, monthly), ['premium_total']), [null])
  t.end()
})

test('an address known as and located at a place begins with the place', t => {
  const sentence = 'The store premises known as and located at 36 Quay Street, Lakemont, OH 44107 are let to Tenant.'
  const document = lines('LEASE AGREEMENT', sentence, RENT)
  t.same(valuesOf(lease, document, ['property_address']), ['36 Quay Street, Lakemont, OH 44107'])
  t.end()
})

test('a security deposit is read in sentences', t => {
  const sentences = [
    'Lessee has deposited with Lessor $2,400.00 as security for the performance of this Lease.',
    '2.2 Security Deposit. Tenant shall deposit $2,400.00 upon execution.'
  ]
  for (const sentence of sentences) {
    const document = lines('LEASE AGREEMENT', `The premises are at 4 Iris Court. ${RENT}`, sentence)
    t.same(valuesOf(lease, document, ['security_deposit', 'base_rent']), ['2400.00', '1200.00'], sentence)
  }
  t.end()
})

test('the end of a base year is not the end of the term', t => {
  const year = '"Base Year" shall mean the twelve month period ending on June 30, 2022.'
  const document = lines('LEASE AGREEMENT', `The premises are at 4 Iris Court. ${RENT}`, year)
  t.same(valuesOf(lease, document, ['lease_end']), [null])
  t.end()
})
