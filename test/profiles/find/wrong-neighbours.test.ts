import { test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, flow, lines } from './documents.ts'

/** A document in which a value that is printed is the wrong one for a field that is not stated. */
interface Trap {
  readonly field: string
  readonly texts: readonly string[]
}

const without = (label: string, ...more: string[]): string[] => [
  'Policy Declarations',
  ...declaration({ [label]: null }),
  ...more
]

const POLICIES: Readonly<Record<string, Trap>> = {
  'the number of the policy before': {
    field: 'policy_number',
    texts: without('Policy Number', 'Prior Policy Number: HX-600001', 'Renewal of: HX-600001')
  },
  'the number of an underlying policy': {
    field: 'policy_number',
    texts: without('Policy Number', 'Underlying NFIP policy: 8199001925')
  },
  'the number of the carrier before': {
    field: 'policy_number',
    texts: without('Policy Number', 'Current carrier policy number: HX-600001')
  },
  'a quote, an account, a loan and a binder': {
    field: 'policy_number',
    texts: without(
      'Policy Number',
      'Quote Number: Q7712345',
      'Account Number: 5512345678',
      'Loan Number: 9912345',
      'Binder No.: B123456'
    )
  },
  'the agent': {
    field: 'named_insured',
    texts: without('Named Insured', 'Agent: Desmond Kerr', 'Your agent is Desmond Kerr')
  },
  'the lender': {
    field: 'named_insured',
    texts: without('Named Insured', 'Mortgagee: Cascade Savings Bank', 'Loss Payee: Cascade Savings Bank')
  },
  'the day of issue': {
    field: 'effective_date',
    texts: without(
      'Effective Date',
      'Issue Date: 2024-01-20',
      'Date Prepared: 2024-01-20',
      'Effective Date of Change: 2024-05-01'
    )
  },
  'the sum insured': {
    field: 'premium_total',
    texts: without(
      'Total Premium',
      'Total Insured Value $1,020,000',
      'Total Limit: $1,020,000',
      'Total Discounts: $120.00'
    )
  },
  'an instalment, a deposit and the premium before': {
    field: 'premium_total',
    texts: without(
      'Total Premium',
      'Monthly Installment: $110.00',
      'Minimum Earned Premium: $250.00',
      'Previous Premium: $999.00',
      "Last Year's Premium: $999.00"
    )
  }
}

const LEASE = {
  tenant_name: 'Tenant: Ilse Brenner',
  property_address: 'Premises: 4 Iris Court, Boise, ID 83702',
  lease_start: 'Commencement Date: 2024-02-01',
  lease_end: 'Expiration Date: 2025-01-31',
  base_rent: 'Monthly Rent: $1,200.00'
}

const leaseWithout = (field: keyof typeof LEASE, ...more: string[]): string[] => [
  'LEASE AGREEMENT',
  'Landlord: Alder Court LLC, 9 Hill Road, Riverton, UT 84065',
  ...Object.entries(LEASE).flatMap(([name, text]) => (name === field ? [] : [text])),
  ...more
]

const LEASES: Readonly<Record<string, Trap>> = {
  'the guarantor': {
    field: 'tenant_name',
    texts: leaseWithout('tenant_name', 'Guarantor: Noor Kerr', 'Broker: Heron Realty')
  },
  'the deposit': {
    field: 'base_rent',
    texts: leaseWithout('base_rent', 'Security Deposit: $2,400.00', 'Late Fee: $50.00 per month')
  },
  'a yearly rent whose period is not said': {
    field: 'base_rent',
    texts: leaseWithout('base_rent', 'Base Rent: $14,400.00')
  },
  'a rate per square foot': {
    field: 'base_rent',
    texts: leaseWithout('base_rent', 'Base Rent: $31.50 per square foot per year')
  },
  'the address of the landlord': {
    field: 'property_address',
    texts: leaseWithout(
      'property_address',
      'Address of Landlord: 9 Hill Road, Riverton, UT 84065',
      'Premises: Suite 12 in the building'
    )
  },
  'the start of the rent': {
    field: 'lease_start',
    texts: leaseWithout('lease_start', 'Rent Commencement Date: 2024-05-01', 'Delivery Date: 2024-01-15')
  },
  'the end of a schedule': {
    field: 'lease_end',
    texts: leaseWithout('lease_end', 'Next inspection: 2025-01-31', 'Option term ends: 2030-01-31')
  }
}

const documents = ({ texts }: Trap): DocumentText[] => [lines(...texts), flow(...texts)]

for (const [profile, traps] of [
  [policy, POLICIES],
  [lease, LEASES]
] as const) {
  for (const [name, trap] of Object.entries(traps)) {
    test(`of a ${profile.name}, ${name} is not taken for ${trap.field}`, t => {
      for (const document of documents(trap)) {
        const candidate = findFields(profile, document, CONTEXT)
        t.equal(candidate.fields[trap.field]?.value ?? null, null)
        t.not(judge(profile, candidate, CONTEXT).state, 'accepted')
      }
      t.end()
    })
  }
}

test('the same documents with the field stated are accepted: nothing else holds them', t => {
  for (const [name, { texts, field }] of Object.entries(POLICIES)) {
    const label =
      { policy_number: 'Policy Number', named_insured: 'Named Insured', effective_date: 'Effective Date' }[field] ??
      'Total Premium'
    const own = declaration().find(text => text.startsWith(label)) ?? ''
    const candidate = findFields(policy, lines(...texts, own), CONTEXT)
    t.equal(judge(policy, candidate, CONTEXT).state, 'accepted', name)
  }
  t.end()
})

test('a name that the document also calls its agent or its guarantor is left to a person', t => {
  const insured = lines('Policy Declarations', ...declaration(), 'Agent: Pacific Reflections LLC')
  t.not(judge(policy, findFields(policy, insured, CONTEXT), CONTEXT).state, 'accepted')
  const tenant = lines(...leaseWithout('base_rent', LEASE.base_rent, 'Guarantor: Ilse Brenner'))
  t.not(judge(lease, findFields(lease, tenant, CONTEXT), CONTEXT).state, 'accepted')
  t.end()
})

test('a total of the contract before is not the premium, on paper or in a flowing document', t => {
  const texts = [
    'Policy Declarations',
    ...declaration({ 'Total Premium': null }),
    'Policy Premium: $2,224.63',
    'Prior Carrier',
    'Carrier: Oldfield Fire Insurance Company',
    'Policy Number: 218-199514-07',
    'Effective Date: 2023-02-01',
    'Expiration Date: 2024-02-01',
    'Total Premium: $1,111.00'
  ]
  for (const document of [lines(...texts), flow(...texts)]) {
    const { fields } = findFields(policy, document, CONTEXT)
    t.same([fields['policy_number']?.value, fields['premium_total']?.value], ['HX-700131', '2224.63'])
  }
  t.end()
})
