import { test } from 'tap'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { CONTEXT, flow, lines } from '../find/documents.ts'

/** Everything a lease states, so that only what a paper calls itself can hold it. */
const FIELDS = [
  'Landlord: Alder Court LLC',
  'Tenant: Saltmarsh Outfitters Co.',
  'Premises: 4 Iris Court, Port Ashby, WA 98402',
  'Commencement Date: July 1, 2024',
  'Expiration Date: June 30, 2029',
  'Monthly Base Rent: $8,400.00'
]

const codesOf = (...texts: readonly string[]): string[][] =>
  [lines(...texts), flow(...texts)].map(document => {
    const { state, reasons } = judge(lease, findFields(lease, document, CONTEXT), CONTEXT)
    return state === 'accepted' ? ['ACCEPTED'] : reasons.map(reason => reason.code)
  })

const ABOUT = [
  'LEASE COMMISSION AGREEMENT',
  'Lease Termination Agreement',
  'LEASE ABSTRACT',
  'Memorandum of Lease',
  'Notice of Rent Increase',
  'ITEMIZED STATEMENT OF SECURITY DEPOSIT',
  'SUBORDINATION, NON-DISTURBANCE AND ATTORNMENT AGREEMENT',
  'CONSENT TO SUBLEASE',
  'GUARANTY',
  'Tenant Ledger',
  'Move-Out Inspection',
  'FOR LEASE',
  'Brokerage Agreement',
  'Lease Buyout Agreement',
  'Rent Reconciliation',
  'LEASE RENEWAL OFFER',
  'PAYMENT PLAN AGREEMENT'
]

for (const title of ABOUT) {
  test(`a paper titled "${title}" states all of a lease and is none`, t => {
    for (const codes of codesOf(title, ...FIELDS)) t.ok(codes.includes('DOC_TYPE_UNKNOWN'))
    for (const codes of codesOf('Kestrel Property Group', title, ...FIELDS)) t.ok(codes.includes('DOC_TYPE_UNKNOWN'))
    t.end()
  })
}

const OFFERS = [
  'On behalf of the owner we are pleased to submit the following proposal.',
  'This proposal is not a binding agreement.',
  'This letter is not intended to be binding on either party.',
  'These terms are subject to the execution of a lease acceptable to both parties.'
]

for (const offer of OFFERS) {
  test(`an offer that says "${offer}" is no lease`, t => {
    for (const codes of codesOf(...FIELDS, offer)) t.ok(codes.includes('DOC_TYPE_UNKNOWN'))
    t.end()
  })
}

const LEASES = [
  'SUBLEASE',
  'Site Lease Agreement',
  'CONFIRMATION OF LEASE TERM',
  'Commencement Date Memorandum',
  'GUARANTY AND LEASE',
  'RESIDENTIAL TENANCY AGREEMENT',
  'BASIC LEASE INFORMATION',
  'FOURTH AMENDMENT TO LEASE',
  'Lease with Option to Purchase'
]

for (const title of LEASES) {
  test(`a lease titled "${title}" is accepted, whatever its parts are called`, t => {
    const parts = [
      'EXHIBIT C: FORM OF TENANT ESTOPPEL CERTIFICATE',
      'NOTICES',
      'Guaranty',
      'Rules: no notice is needed.'
    ]
    t.same(codesOf(title, ...FIELDS, ...parts), [['ACCEPTED'], ['ACCEPTED']])
    t.end()
  })
}

test('a firm of a like name over the title is no title', t => {
  t.same(codesOf('Bill Notice Realty', 'Statement Homes LLC', 'LEASE AGREEMENT', ...FIELDS)[0], ['ACCEPTED'])
  t.end()
})

test('a title that says as of when, over columns named as fields of a lease, is the title', t => {
  for (const title of ['RENT ROLL AS OF 12/21/2022', 'Tenant Ledger dated March 3, 2024']) {
    for (const codes of codesOf(title, 'Lease Start', 'Lease End', ...FIELDS)) t.ok(codes.includes('DOC_TYPE_UNKNOWN'))
  }
  t.end()
})

test('a letter that tells a tenant of the lease is none; a letter that is the lease is one', t => {
  const told = 'Dear Mr. Oak, welcome to 4 Iris Court! We hold your deposit.'
  for (const codes of codesOf(...FIELDS, told)) t.ok(codes.includes('DOC_TYPE_UNKNOWN'))
  for (const codes of codesOf(...FIELDS, 'Dear Mr. Oak, this letter is our lease.')) t.same(codes, ['ACCEPTED'])
  t.end()
})
