import { test } from 'tap'
import type { DocumentText } from '../../../../src/model/document-text.ts'
import { findFields } from '../../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../../src/profiles/judge/judge.ts'
import { lease } from '../../../../src/profiles/lease/lease.ts'
import { permit } from '../../../../src/profiles/permit/permit.ts'
import { policy } from '../../../../src/profiles/policy/policy.ts'
import type { Profile } from '../../../../src/profiles/profile.ts'
import { CONTEXT, declaration, flow, paged, pageOf } from '../documents.ts'

const pages = (...texts: readonly (readonly string[])[]): DocumentText =>
  paged(
    ...texts.map((own, page) =>
      pageOf(
        own.map((text, at) => ({ x: 0.1, y: 0.05 + at * 0.02, text })),
        page + 1
      )
    )
  )

const codesOf = (profile: Profile, document: DocumentText): string[] => {
  const { state, reasons } = judge(profile, findFields(profile, document, CONTEXT), CONTEXT)
  return state === 'accepted' ? ['ACCEPTED'] : reasons.map(reason => reason.code)
}

const LEASE = [
  'OFFICE LEASE',
  'Landlord: Alder Court LLC',
  'Tenant: Saltmarsh Outfitters Co.',
  'Premises: 4 Iris Court, Port Ashby, WA 98402',
  'Commencement Date: July 1, 2024',
  'Expiration Date: June 30, 2029',
  'Monthly Base Rent: $8,400.00'
]
const OTHER_LEASE = [
  'STORE LEASE',
  'Landlord: Alder Court LLC',
  'Tenant: Cobalt Bakery LLC',
  'Premises: 19 Quay Street, Port Ashby, WA 98402',
  'Commencement Date: May 15, 2025',
  'Expiration Date: May 14, 2028',
  'Monthly Base Rent: $2,100.00'
]
/** A lease in words that no rule knows. */
const STRANGE_LEASE = [
  'MARINA LEASE',
  'Who lets: Harbor Trust. Who takes: Ines Moreau.',
  'Paid each moon: $700.00, from March 3, 2025 on.'
]
const POLICY = ['POLICY DECLARATIONS', ...declaration()]
const OTHER_POLICY = [
  'POLICY DECLARATIONS',
  ...declaration({
    'Policy Number': 'BOP-118204',
    'Named Insured': 'Orchard Way Clinic',
    'Effective Date': '2024-06-15',
    'Expiration Date': '2025-06-15',
    'Total Premium': '$902.00'
  })
]
type Application = readonly [number: string, parcel: string, site: string, who: string, value: string]
const application = (...[number, parcel, site, who, value]: Application): string[] => [
  'BUILDING PERMIT APPLICATION',
  `Permit Number: ${number}`,
  `Parcel Number: ${parcel}`,
  `Site Address: ${site}`,
  `Applicant Name: ${who}`,
  `Project Valuation: ${value}`
]
const PERMIT = application(
  'B-2024-0117',
  '123456-0010',
  '4 Iris Court, Port Ashby, WA 98402',
  'Ilse Brenner',
  '$18,000.00'
)
const OTHER_PERMIT = application(
  'B-2024-0345',
  '987654-0320',
  '19 Quay Street, Port Ashby, WA 98402',
  'Ines Moreau',
  '$7,250.00'
)

const PAIRS: readonly (readonly [string, Profile, readonly string[], readonly string[]])[] = [
  ['leases of one landlord', lease, LEASE, OTHER_LEASE],
  ['a lease and one in words that are not known', lease, LEASE, STRANGE_LEASE],
  ['a lease after one in words that are not known', lease, STRANGE_LEASE, LEASE],
  ['policies', policy, POLICY, OTHER_POLICY],
  ['applications for a permit', permit, PERMIT, OTHER_PERMIT]
]

for (const [name, profile, one, other] of PAIRS) {
  test(`one file of two is told and held: ${name}`, t => {
    t.ok(codesOf(profile, pages(one, other)).includes('MULTI_DOC_SUSPECTED'))
    t.ok(codesOf(profile, pages(one, one, other)).includes('MULTI_DOC_SUSPECTED'), 'behind a copy')
    t.end()
  })
}

test('two in one flowing file are told, each below its title', t => {
  for (const [profile, one, other] of [
    [lease, LEASE, OTHER_LEASE],
    [policy, POLICY, OTHER_POLICY]
  ] as const) {
    t.ok(codesOf(profile, flow(...one, ...other)).includes('MULTI_DOC_SUSPECTED'))
  }
  t.end()
})

const EXHIBITS = {
  'forms of other papers, left blank': [
    'FORM OF GUARANTY',
    'Guarantor: ________  Tenant: ________  Lease dated: ________',
    'FORM OF ESTOPPEL CERTIFICATE',
    'Commencement Date: ________  Monthly Rent: $________'
  ],
  'its own terms under another title': [
    'LEASE AGREEMENT',
    'Saltmarsh Outfitters Co. pays $50.00 if late, from July 1, 2024.'
  ],
  'rules with amounts and dates': ['LEASE', 'Rules of May 1, 2019: parking is $75.00. Landlord may tow.'],
  'who else is to be told': [
    'NOTICES',
    'Landlord: Alder Court LLC',
    'Copy to: Harbor Counsel, 77 Mast Road, Port Ashby, WA 98402'
  ]
}

for (const [name, exhibit] of Object.entries(EXHIBITS)) {
  test(`a lease with more pages is one: ${name}`, t => {
    t.notOk(codesOf(lease, pages(LEASE, exhibit)).includes('DOC_TYPE_UNKNOWN'))
    t.same(codesOf(lease, pages([...LEASE, 'Lease between Alder Court LLC and Saltmarsh Outfitters Co.'], exhibit)), [
      'ACCEPTED'
    ])
    t.end()
  })
}

test('copies for the insured and for the agent are one policy, a lease in duplicate one lease', t => {
  t.same(codesOf(policy, pages(POLICY, ['INSURED COPY', ...POLICY.slice(1)], POLICY)), ['ACCEPTED'])
  t.same(codesOf(lease, pages(LEASE, LEASE)), ['ACCEPTED'])
  t.notOk(codesOf(permit, pages(PERMIT, PERMIT)).includes('MULTI_DOC_SUSPECTED'))
  t.end()
})
