import { test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import type { Json } from '../../../src/model/json.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, flow, lines } from '../find/documents.ts'

const REQUIRED = ['policy_number', 'named_insured', 'effective_date', 'expiration_date', 'premium_total']

function read(document: DocumentText): { state: string; values: Json[]; codes: string[] } {
  const candidate = findFields(policy, document, CONTEXT)
  const { state, reasons } = judge(policy, candidate, CONTEXT)
  const values = REQUIRED.map(name => candidate.fields[name]?.value ?? null)
  return { state, values, codes: reasons.map(({ code }) => code) }
}

const VALUES = ['HX-700131', 'Ilse Brenner', '2024-03-15', '2025-03-15', '1284.00']

const STATED: Readonly<Record<string, readonly string[]>> = {
  'a letter': [
    'RE: Dwelling fire policy HX-700131',
    'This letter is the declarations page of your policy. Alder Mutual Insurance Company insures Ilse Brenner under policy number HX-700131 for a term of twelve months, which begins at 12:01 a.m. on March 15, 2024 and ends at 12:01 a.m. on March 15, 2025.',
    'The premium for this term is $1,284.00. A separate bill will follow.'
  ],
  'a renewal certificate': [
    'RENEWAL CERTIFICATE',
    'To be attached to and made part of Policy No. HX-700131',
    'Issued to: Ilse Brenner',
    'In consideration of the renewal premium of $1,284.00, the policy numbered above is renewed for the period from March 15, 2024 to March 15, 2025, at 12:01 A.M. Standard Time.'
  ],
  'a continuation certificate': [
    'CONTINUATION CERTIFICATE',
    'Policy number HX-700131 is issued to Ilse Brenner for the period from March 15, 2024 to March 15, 2025.',
    'This certificate continues it in consideration of the payment of an annual premium of $1,284.00.',
    'This certifies that Ilse Brenner is insured under the policy number HX-700131.'
  ]
}

for (const [name, texts] of Object.entries(STATED)) {
  test(`what ${name} states in sentences is read`, async t => {
    t.same(read(flow(...texts)).values, VALUES)
  })
}

test('a number in a sentence that is another policy’s is not read', async t => {
  for (const text of [
    'This policy replaces policy number HX-700131.',
    'Issued in lieu of policy number HX-700131.',
    'It renews your expiring policy number HX-700131.',
    'The underlying policy number HX-700131 must be kept in force.',
    'Followed policy: Harbor Mutual, policy number HX-700131',
    'Example: your policy number HX-700131'
  ]) {
    const document = lines('HOMEOWNERS DECLARATIONS', text, ...declaration({ 'Policy Number': null }))
    t.equal(read(document).values[0], null, text)
  }
})

test('a number that may go on in the next line is not cut off', async t => {
  const [head = '', ...rest] = declaration({ 'Policy Number': null })
  const document = lines(
    'RENEWAL CERTIFICATE',
    head,
    'made part of policy number CPP 6865',
    '668 and no other',
    ...rest
  )
  t.equal(read(document).values[0], null)
})

const OTHERS: Readonly<Record<string, string>> = {
  'of a payment that did not come': 'We have not received your payment. Your policy will be cancelled on May 2, 2024.',
  'of a cancellation': 'Your policy has been cancelled at your request.',
  'of nonrenewal': 'We regret that your policy will not be renewed.',
  'about a claim': 'We acknowledge receipt of your claim. An adjuster will call you.',
  'with an offer': 'To accept this offer, pay the premium by the date shown.',
  'from a lender': 'We have paid the premium of your insurance from your escrow account.'
}

for (const [name, text] of Object.entries(OTHERS)) {
  test(`a letter ${name} is no declaration, though it names all fields`, async t => {
    const { state, codes } = read(lines('Alder Mutual Insurance Company', ...declaration(), text))
    t.equal(state, 'quarantined')
    t.ok(codes.includes('DOC_TYPE_UNKNOWN'))
    const declared = read(lines('HOMEOWNERS POLICY DECLARATIONS', ...declaration(), text))
    t.equal(declared.state, 'accepted', 'the small print of a declaration says such things as well')
  })
}

test('a paper headed by a title that is not known, and by none of a policy, is held', async t => {
  for (const title of ['RETURN PREMIUM ADVICE', 'AGENT MEMORANDUM', 'ACCOUNT EXTRACT', 'Policy Comparison']) {
    const { state, codes } = read(lines(title, 'Alder Mutual Insurance Company', ...declaration()))
    t.equal(state, 'quarantined', title)
    t.ok(codes.includes('DOC_TYPE_UNKNOWN'), title)
  }
  for (const title of ['COMMERCIAL TRUCKING POLICY', 'ALDER MUTUAL INSURANCE COMPANY', 'RENTERS DECLARATIONS']) {
    t.equal(read(lines(title, ...declaration())).state, 'accepted', title)
  }
})

test('bonds, service contracts and offers to renew are no policies', async t => {
  for (const title of [
    'LICENSE AND PERMIT BOND',
    'VEHICLE SERVICE CONTRACT DECLARATION PAGE',
    'YOUR RENEWAL OFFER',
    'HOME WARRANTY AGREEMENT',
    'POLICY CHANGE REQUEST',
    'REQUEST FOR EVIDENCE OF INSURANCE',
    'Verification of Insurance',
    'Confirmation of Coverage',
    'Statement of Premium'
  ]) {
    t.equal(read(lines(title, ...declaration())).state, 'quarantined', title)
  }
})
