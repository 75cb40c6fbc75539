import { test } from 'tap'
import type { DocumentText } from '../../../../src/model/document-text.ts'
import { findFields } from '../../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../../src/profiles/judge/judge.ts'
import { lease } from '../../../../src/profiles/lease/lease.ts'
import { policy } from '../../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, lines, paged, pageOf } from '../documents.ts'

const codesOf = (profile: typeof policy, document: DocumentText): string[] => {
  const candidate = findFields(profile, document, CONTEXT)
  const { state, reasons } = judge(profile, candidate, CONTEXT)
  return state === 'accepted' ? ['ACCEPTED'] : reasons.map(reason => reason.code)
}

const pages = (...texts: readonly (readonly string[])[]): DocumentText =>
  paged(
    ...texts.map((own, page) =>
      pageOf(
        own.map((text, at) => ({ x: 0.1, y: 0.05 + at * 0.02, text })),
        page + 1
      )
    )
  )

const LEASE = [
  'THIS LEASE is made as of May 20, 2024 by and between Iris Court LP ("Landlord") and Saltmarsh Outfitters Co. ("Tenant").',
  'The premises are located at 4 Iris Court, Suite 2, Port Ashby, WA 98402 (the "Premises").',
  'The term shall be sixty (60) months, commencing on July 1, 2024 and expiring on June 30, 2029.',
  'Tenant shall pay monthly rent of $8,400.00.'
]

/** Papers about a policy that name all its fields, by their titles. */
const ABOUT_POLICIES = [
  'PREMIUM INVOICE',
  'BILLING STATEMENT',
  'Premium Bill',
  'INSURANCE QUOTE',
  'Quote Proposal',
  'Insurance Proposal',
  'NOTICE OF CANCELLATION',
  'Notice of Nonrenewal',
  'REINSTATEMENT NOTICE',
  'LOSS RUN REPORT',
  'Claim Summary',
  'AUTO INSURANCE ID CARD',
  'PREMIUM FINANCE AGREEMENT',
  'Payment Receipt',
  'Proof of Loss',
  'Premium Audit Statement',
  'Broker of Record Letter'
]

for (const title of ABOUT_POLICIES) {
  test(`a paper titled "${title}" is no policy`, t => {
    t.ok(codesOf(policy, lines(title, ...declaration())).includes('DOC_TYPE_UNKNOWN'))
    t.end()
  })
}

const POLICIES = [
  'POLICY DECLARATIONS',
  'Renewal Declarations',
  'Certificate of Liability Insurance',
  'Evidence of Property Insurance',
  'COMMERCIAL INSURANCE APPLICATION',
  'Policy Schedule',
  'INSURANCE BINDER'
]

for (const title of POLICIES) {
  test(`a document titled "${title}" is a policy`, t => {
    t.same(codesOf(policy, lines(title, ...declaration(), 'Loss History', 'Billing Statement: sent separately')), [
      'ACCEPTED'
    ])
    t.end()
  })
}

/** Contracts and papers that name a tenant, a place and a rent and are no lease of real property. */
const ABOUT_LEASES = [
  'EQUIPMENT LEASE',
  'VEHICLE LEASE AGREEMENT',
  'LICENSE AGREEMENT',
  'LETTER OF INTENT TO LEASE',
  'LEASE PROPOSAL',
  'RENTAL APPLICATION',
  'EXCLUSIVE LEASE LISTING AGREEMENT',
  'PROPERTY MANAGEMENT AGREEMENT',
  'PURCHASE AND SALE AGREEMENT',
  'NOTICE TO QUIT',
  'NOTICE TO PAY RENT OR QUIT',
  'RENT RECEIPT',
  'RENT ROLL',
  'GUARANTY OF LEASE',
  'INVOICE'
]

for (const title of ABOUT_LEASES) {
  test(`a paper titled "${title}" is no lease`, t => {
    t.ok(codesOf(lease, lines(title, ...LEASE)).includes('DOC_TYPE_UNKNOWN'))
    t.end()
  })
}

for (const title of ['LEASE AGREEMENT', 'Residential Rental Agreement', 'OFFICE LEASE', 'Apartment Lease Contract']) {
  test(`a document titled "${title}" is a lease`, t => {
    t.same(codesOf(lease, lines(title, ...LEASE, 'GUARANTY OF LEASE', 'RENT RECEIPT')), ['ACCEPTED'])
    t.end()
  })
}

const HEAD = 'POLICY DECLARATIONS'
const other = declaration({ 'Policy Number': 'BOP-118204', 'Total Premium': '$902.00' })

test('several policies in one file are told, whether of one insured or of two', t => {
  const twoInsured = [...other.filter(line => !line.startsWith('Named')), 'Named Insured: Orchard Way Clinic']
  const files = {
    'of two insured': pages([HEAD, ...declaration()], [HEAD, ...twoInsured]),
    'of one insured': pages([HEAD, ...declaration()], [HEAD, ...other]),
    'one of them long': pages(...[1, 2, 3, 4, 5, 6].map(() => [HEAD, ...declaration()]), [HEAD, ...other])
  }
  for (const [name, document] of Object.entries(files)) {
    t.ok(codesOf(policy, document).includes('MULTI_DOC_SUSPECTED'), name)
  }
  t.end()
})

test('one policy on many pages, its number with and without a suffix, is one', t => {
  const head = 'Policy Number: HX-700131 Page 2 of 2'
  const document = pages([HEAD, ...declaration()], [head, 'Policy Number: HX700131', 'Policy Number: HX-700131-00'])
  t.notOk(codesOf(policy, document).includes('MULTI_DOC_SUSPECTED'))
  t.end()
})

test('several leases in one file are told, whether of one tenant or of two', t => {
  const second = LEASE.map(line => line.replace('4 Iris Court, Suite 2', '19 Quay Street'))
  const tenant = second.map(line => line.replace('Saltmarsh Outfitters Co.', 'Cobalt Bakery LLC'))
  for (const [name, own] of Object.entries({ 'one tenant': second, 'two tenants': tenant })) {
    t.ok(
      codesOf(lease, pages(['LEASE AGREEMENT', ...LEASE], ['LEASE AGREEMENT', ...own])).includes('MULTI_DOC_SUSPECTED'),
      name
    )
  }
  t.end()
})
