import { test } from 'tap'
import type { Json } from '../../../src/model/json.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, flow, lines } from './documents.ts'

/** What a contract says of some fields; null where it must not be taken to say anything. */
interface Contract {
  readonly texts: readonly string[]
  readonly fields: Readonly<Record<string, Json>>
}

const contracts: Readonly<Record<string, Contract>> = {
  'roles told in capitals, and money held as security': {
    texts: [
      'AGREEMENT OF LEASE, made as of January 15, 2021, between 240 WEST ASSOCIATES LLC, a New York limited liability company having an office at 10 East 40th Street, hereinafter referred to as OWNER, and BLUE PINE MEDIA INC., a New York corporation, hereinafter referred to as TENANT,',
      'for the term of five (5) years to commence on the 1st day of February 2021, and to end on the 31st day of January 2026, at an annual rental rate of $120,000.00, which Tenant agrees to pay in equal monthly installments of $10,000.00 in advance.',
      'Tenant has deposited with Owner the sum of $30,000.00 as security.'
    ],
    fields: {
      tenant_name: 'BLUE PINE MEDIA INC.',
      landlord_name: '240 WEST ASSOCIATES LLC',
      lease_start: '2021-02-01',
      lease_end: '2026-01-31',
      base_rent: '10000.00',
      security_deposit: '30000.00'
    }
  },
  'roles in brackets, month to month': {
    texts: [
      'RENTAL AGREEMENT',
      'This Agreement is between Sunrise Homes LLC (Owner) and Tom Reilly (Tenant) for the premises at 77 Pine Court, Boise, ID 83702. The tenancy begins April 1, 2024 and continues month to month until terminated. Rent is $1,495.00 per month.'
    ],
    fields: {
      tenant_name: 'Tom Reilly',
      landlord_name: 'Sunrise Homes LLC',
      property_address: '77 Pine Court, Boise, ID 83702',
      lease_start: '2024-04-01',
      lease_end: null
    }
  },
  'roles before the names of one sentence': {
    texts: [
      'LEASE AGREEMENT',
      'Lessor, Rivera Family Trust, hereby leases to Lessee, Bright Minds Learning Center Inc., the premises described as 905 Elm Avenue, Tulsa, Oklahoma 74120, for a period of 24 months commencing on August 1, 2024, and terminating on July 31, 2026.'
    ],
    fields: {
      tenant_name: 'Bright Minds Learning Center Inc.',
      landlord_name: 'Rivera Family Trust',
      property_address: '905 Elm Avenue, Tulsa, Oklahoma 74120',
      lease_end: '2026-07-31'
    }
  },
  'a warehouse known by its address': {
    texts: [
      'LEASE',
      'Lessor leases to Lessee the warehouse known as Building C, 4410 East Marginal Way, Seattle, WA 98134. Rent is due.'
    ],
    fields: { property_address: 'Building C, 4410 East Marginal Way, Seattle, WA 98134' }
  },
  'a place described before its address': {
    texts: [
      'STANDARD LEASE',
      'Premises: That certain real property, including all improvements therein, commonly known as 2750 Sherwin Avenue, Ventura, CA 93003 ("Premises"). Rent is due.'
    ],
    fields: { property_address: '2750 Sherwin Avenue, Ventura, CA 93003' }
  },
  'a term in two sentences and tenants together': {
    texts: [
      'LEASE OF RETAIL SPACE',
      'This lease is by and among Elm Street Partners ("Landlord"), and Anita Rao and Dev Rao, jointly and severally ("Tenant"). Landlord rents to Tenant the ground floor store at 512 Elm Street, Dallas, TX 75202.',
      'The lease term is two years. It starts on February 1, 2024 and runs through January 31, 2026. Rent is due.'
    ],
    fields: {
      tenant_name: 'Anita Rao and Dev Rao',
      property_address: '512 Elm Street, Dallas, TX 75202',
      lease_start: '2024-02-01',
      lease_end: '2026-01-31'
    }
  },
  'a store numbered by its street': {
    texts: [
      'LEASE',
      'The Landlord demises unto the Tenant the store numbered 9 Mill Street, Lowell, MA 01852, for the term of three (3) years from the first day of March, 2023, at the rent of $2,000.00 monthly.'
    ],
    fields: { property_address: '9 Mill Street, Lowell, MA 01852', lease_start: '2023-03-01', lease_end: '2026-02-28' }
  },
  'a rent for each year': {
    texts: [
      'LEASE',
      'Rent: Year 1 $2,800.00 per month; Year 2 $2,900.00 per month; Year 3 $3,000.00 per month',
      'Premises:'
    ],
    fields: { base_rent: '2800.00' }
  },
  'an end that an amendment moves': {
    texts: [
      'FIRST AMENDMENT TO LEASE',
      'The Term of the Lease, which expires on December 31, 2024, is extended for sixty (60) months. The rent of the Premises is due.'
    ],
    fields: { lease_end: null }
  },
  'a commencement that hangs on another day': {
    texts: [
      'LEASE',
      'Commencement Date: The later of (a) June 1, 2025 or (b) the day of delivery',
      'Term: 65 months',
      'Rent of the premises'
    ],
    fields: { lease_start: null, lease_end: null }
  }
}

for (const [name, { texts, fields }] of Object.entries(contracts)) {
  test(`reads a lease with ${name}`, t => {
    for (const document of [lines(...texts), flow(...texts)]) {
      const found = findFields(lease, document, CONTEXT).fields
      t.same(Object.fromEntries(Object.keys(fields).map(key => [key, found[key]?.value ?? null])), fields)
    }
    t.end()
  })
}

test('a premium for six months is read in its sentence', t => {
  const document = lines(...declaration({ 'Total Premium': null }), 'Your 6-month premium is $744.18')
  t.equal(findFields(policy, document, CONTEXT).fields['premium_total']?.value, '744.18')
  t.end()
})

test('a bare total of what stands above it is the premium only where nothing else is called so', t => {
  const parts = ['Property Coverage Part: $4,412.00', 'Liability Coverage Part: $2,905.00', 'TOTAL: $7,317.00']
  const alone = findFields(policy, lines(...declaration({ 'Total Premium': null }), ...parts), CONTEXT)
  t.equal(alone.fields['premium_total']?.value, '7317.00')
  const beside = findFields(policy, lines(...declaration({ 'Total Premium': '$8,100.00' }), ...parts), CONTEXT)
  t.not(beside.fields['premium_total']?.value, '7317.00')
  t.end()
})
