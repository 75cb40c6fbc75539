import { test } from 'tap'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { CONTEXT, flow } from '../find/documents.ts'

const HEAD = [
  'LEASE AGREEMENT',
  'Landlord: Iris Court LP',
  'Tenant: Saltmarsh Outfitters Co.',
  'Premises: 4 Iris Court, Port Ashby, WA 98402'
]
const TERM =
  'The term of this Lease shall be sixty (60) months, commencing on July 1, 2024 and expiring on June 30, 2029.'
const RENT = 'Tenant shall pay base rent of Eight Thousand Four Hundred and 00/100 Dollars ($8,400.00) per month.'
const DEPOSIT =
  'Tenant shall deposit with Landlord the sum of Sixteen Thousand Eight Hundred and 00/100 Dollars ($16,800.00) as a security deposit.'

type Part = string | readonly (readonly string[])[]

function judged(...parts: readonly Part[]): {
  state: string
  codes: string[]
  fields: ReturnType<typeof findFields>['fields']
} {
  const candidate = findFields(lease, flow(...HEAD, ...parts), CONTEXT)
  const { state, reasons } = judge(lease, candidate, CONTEXT)
  return { state, codes: reasons.map(({ code, field }) => `${code} ${field}`), fields: candidate.fields }
}

const summary = (changes: Readonly<Record<string, string>> = {}): string[][] =>
  Object.entries({
    'Lease Term': '24 months',
    'Commencement Date': 'July 1, 2024',
    'Expiration Date': 'June 30, 2026',
    'Monthly Rent': '$8,400.00',
    ...changes
  })

test('a lease whose statements agree is accepted', async t => {
  const { state, codes, fields } = judged(TERM, RENT, DEPOSIT)
  t.equal(state, 'accepted', codes.join())
  t.equal(fields['term_months']?.value, 60)
  t.equal(fields['security_deposit']?.value, '16800.00')
  t.equal(judged(summary()).state, 'accepted')
})

test('a term that does not fit the two dates holds the lease, however it is stated', async t => {
  const texts: readonly Part[] = [
    TERM.replace('2029', '2030'),
    'This lease is for a term of one (1) year beginning January 1, 2024 and ending December 31, 2025.',
    'Landlord leases the premises to Tenant for two (2) years commencing on January 1, 2024 and ending on December 31, 2024.',
    'This is a 12-month lease term, from January 1, 2024 through January 31, 2026.',
    summary({ 'Expiration Date': 'June 30, 2027' })
  ]
  for (const text of texts) {
    const { state, codes } = judged(text, RENT)
    t.equal(state, 'quarantined')
    t.ok(codes.includes('TERM_MISMATCH lease_end'), `${String(text)}: ${codes.join()}`)
  }
})

test('the length of a renewal, of an option or of a notice is not the term', async t => {
  const texts = [
    'Tenant shall have one (1) option to renew the Term for an additional period of three (3) years.',
    'The renewal term shall be twelve (12) months.',
    'Obligations of confidence survive for a period of five (5) years after the lease ends.'
  ]
  for (const text of texts) {
    const { codes, fields } = judged(summary({ 'Lease Term': '' }), RENT, text)
    t.notOk(
      codes.some(code => code.startsWith('TERM_')),
      text
    )
    t.equal(fields['term_months']?.value ?? null, null, text)
  }
})

test('dates in the wrong order are told as such', async t => {
  for (const text of [TERM.replace('2029', '2023'), summary({ 'Expiration Date': 'June 30, 2023' })]) {
    t.ok(judged(text, RENT).codes.includes('DATE_ORDER lease_end'))
  }
})

test('a term of days is unusual', async t => {
  const { codes } = judged('The lease begins on January 1, 2024 and ends on January 10, 2024.', RENT)
  t.ok(codes.includes('TERM_UNUSUAL lease_end'))
  t.notOk(judged(TERM, RENT).codes.includes('TERM_UNUSUAL lease_end'))
})

test('words that differ from digits hold the lease: rent, deposit and term', async t => {
  const cases: readonly (readonly [string, readonly Part[], readonly unknown[]])[] = [
    ['base_rent', [TERM, RENT.replace('$8,400', '$4,800')], ['8400.00', '4800.00']],
    ['base_rent', [TERM, 'Monthly Rent: Fifteen Thousand Dollars ($1,500.00)'], ['15000.00', '1500.00']],
    ['base_rent', [TERM, 'Monthly Rent: $1,500.00 (Fifteen Thousand Dollars)'], ['15000.00', '1500.00']],
    ['security_deposit', [TERM, RENT, DEPOSIT.replace('$16,800', '$18,600')], ['16800.00', '18600.00']],
    ['security_deposit', [TERM, RENT, 'Security Deposit: Two Thousand Dollars ($2,500.00)'], ['2000.00', '2500.00']],
    ['term_months', [TERM.replace('(60)', '(66)'), RENT], [60, 66]],
    ['term_months', [summary({ 'Lease Term': 'sixty (66) months' })], [60, 66]]
  ]
  for (const [field, parts, readings] of cases) {
    const { state, codes, fields } = judged(...parts)
    t.equal(state, 'quarantined')
    t.ok(codes.includes(`WORDS_DIGITS_MISMATCH ${field}`), `${field}: ${codes.join()}`)
    t.equal(fields[field]?.value, null)
    t.same(fields[field]?.readings, readings)
  }
})

test('a yearly rent that is not twelve monthly ones holds the lease', async t => {
  const stated = (annual: string): readonly (readonly Part[])[] => [
    [`Annual Base Rent: ${annual}`, 'Monthly Base Rent: $8,400.00'],
    [`The annual base rent is ${annual}, payable in equal monthly installments of $8,400.00 in advance.`],
    [
      [
        ['Lease Year', 'Monthly Rent', 'Annual Rent'],
        ['1', '$8,400.00', annual],
        ['2', '$8,900.00', '$106,800.00']
      ]
    ],
    [
      [
        ['Annual Rent', annual],
        ['Monthly Rent', '$8,400.00']
      ]
    ]
  ]
  for (const parts of stated('$100,000.00')) {
    t.ok(judged(TERM, ...parts).codes.includes('RENT_ARITHMETIC_MISMATCH base_rent'), String(parts))
  }
  for (const parts of stated('$100,800.00')) {
    const { state, codes, fields } = judged(TERM, ...parts)
    t.equal(state, 'accepted', codes.join())
    t.equal(fields['base_rent']?.value, '8400.00')
  }
})

test('a number in words that counts something else is no amount', async t => {
  for (const text of ['Rent for Lease Year Two ($8,400.00) per month.', 'Monthly Rent: Unit Twelve ($8,400.00)']) {
    t.notOk(
      judged(TERM, text).codes.some(code => code.startsWith('WORDS_DIGITS')),
      text
    )
  }
})

test('a length that goes on is not read in part', async t => {
  const text =
    'The term of this Lease shall be five (5) years, three (3) months, commencing July 1, 2024 and expiring September 30, 2029.'
  t.notOk(judged(text, RENT).codes.includes('TERM_MISMATCH lease_end'))
  const both = text.replace('years, three', 'years and three')
  t.equal(judged(both, RENT).fields['term_months']?.value, 63)
})

test('a negative deposit is no value, a date or an amount no part of an address', async t => {
  const { fields, codes } = judged(TERM, RENT, 'Security Deposit: -$5.00')
  t.equal(fields['security_deposit']?.value, null)
  t.ok(codes.includes('FIELD_WARNING security_deposit'))
  for (const place of ['4 Iris Court, Port 12/31/2024, WA 98402', '4 Iris Court, $0.00, WA 98402']) {
    const candidate = findFields(lease, flow('LEASE', `The premises are located at ${place}. Rent is due.`), CONTEXT)
    t.equal(candidate.fields['property_address']?.value ?? null, null, place)
  }
})
