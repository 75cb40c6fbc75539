import { test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import type { Json } from '../../../src/model/json.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { CONTEXT, flow, lines } from '../find/documents.ts'

type Expected = Readonly<Record<string, Json>>

const found = (document: DocumentText, expected: Expected): Expected => {
  const { fields } = findFields(lease, document, CONTEXT)
  return Object.fromEntries(Object.keys(expected).map(name => [name, fields[name]?.value ?? null]))
}

const BETWEEN = 'This Lease is made between Alder Court LLC ("Landlord") and Ilse Brenner ("Tenant").'
const AT = 'The premises are located at 4 Iris Court, Port Ashby, WA 98402.'
const SPAN = 'The term begins July 1, 2024 and ends June 30, 2029.'
const PAYS = 'Tenant shall pay rent of $1,200.00 per month.'

/** Leases as they are filed: what stands in them, and what a careful person reads. */
const CASES: Readonly<Record<string, readonly [readonly string[], Expected]>> = {
  'items closed by full stops': [
    [
      'LEASE AGREEMENT',
      'Section 1.01. Terms. a) Execution Date. June 3, 2024. b) Landlord. Alder Court LLC, a Delaware limited liability company. c) Tenant. Ilse Brenner Inc., a Delaware corporation.',
      SPAN
    ],
    { landlord_name: 'Alder Court LLC', tenant_name: 'Ilse Brenner Inc.' }
  ],
  'numbers of items that no space parts': [
    ['LEASE', '1.2.Landlord: Alder Court LLC, a Texas company', '1.3.Tenant: Brenner Tools, Inc., a Texas corporation'],
    { landlord_name: 'Alder Court LLC', tenant_name: 'Brenner Tools, Inc.' }
  ],
  'a side called by a word of its own': [
    [
      'LEASE OF SCHOOL FACILITIES',
      'This Lease is made by and between the Port Ashby School District ("District"), and Brenner Tools, Inc. ("Lessee").'
    ],
    { landlord_name: 'Port Ashby School District', tenant_name: 'Brenner Tools, Inc.' }
  ],
  'a city, and roles in brackets': [
    [
      'LEASE AGREEMENT',
      'This lease is entered into by and between the City of Port Ashby (referred to herein as Lessor) and Brenner Tools, Inc. (referred to herein as Lessee).'
    ],
    { landlord_name: 'City of Port Ashby', tenant_name: 'Brenner Tools, Inc.' }
  ],
  'several tenants together': [
    [
      'SUBLEASE',
      'This Sublease is made between Alder Court LLC ("Sublandlord"), and Brenner Tools, Inc., a Delaware corporation, and Quay Press LLC, an Ohio company (collectively, "Subtenant").'
    ],
    { landlord_name: 'Alder Court LLC', tenant_name: 'Brenner Tools, Inc. and Quay Press LLC' }
  ],
  'firms with numbers in their names': [
    [
      'LEASE',
      'This Lease is made by and between 2383 MESA, LLC, a Delaware limited liability company ("Lessor") and QUAY 3003 HOLDINGS, LLC, an Ohio company ("Lessee").'
    ],
    { landlord_name: '2383 MESA, LLC', tenant_name: 'QUAY 3003 HOLDINGS, LLC' }
  ],
  'owner and operator of a farm, with their places': [
    [
      'FARM LEASE',
      'This lease is entered into between Alder Court LLC, Owner, of 9 Quay Street, Port Ashby, WA 98402, and Ilse Brenner, Operator, of 7 Mill Road, Salem, OR 97301.',
      'The Owner rents to the Operator the farm at 4 Iris Court, Port Ashby, WA 98402.'
    ],
    {
      landlord_name: 'Alder Court LLC',
      tenant_name: 'Ilse Brenner',
      property_address: '4 Iris Court, Port Ashby, WA 98402'
    }
  ],
  'a unit in a building': [
    [
      'LEASE',
      BETWEEN,
      'Landlord leases to Tenant Suite 324 in the building whose street address is 4 Iris Court, Port Ashby, WA 98402.'
    ],
    { property_address: 'Suite 324, 4 Iris Court, Port Ashby, WA 98402' }
  ],
  'a town as instruments tell it': [
    [
      'LEASE',
      BETWEEN,
      'The Premises are commonly known by the street address of 4 Iris Court, Suite A, located in the City of Port Ashby, County of Skagit, State of Washington, with zip code 98402, as outlined on Exhibit A.'
    ],
    { property_address: '4 Iris Court, Suite A, Port Ashby, Washington 98402' }
  ],
  'words before an address': [
    [
      'LEASE',
      BETWEEN,
      'Premises: approximately 1,250 rentable square feet of space located at 4 Iris Court, Port Ashby, WA 98402'
    ],
    { property_address: '4 Iris Court, Port Ashby, WA 98402' }
  ],
  'an end that is moved': [
    [
      'SECOND AMENDMENT TO LEASE',
      BETWEEN,
      'The Lease Expiration Date is changed from June 30, 2024 to June 30, 2029. The period of time commencing July 1, 2024 to June 30, 2029 shall be deemed the "Extension Term."'
    ],
    { lease_start: '2024-07-01', lease_end: '2029-06-30' }
  ],
  'a term extended from its start': [
    [
      'FIRST AMENDMENT TO LEASE',
      BETWEEN,
      'The Term is hereby extended from July 1, 2024 to an Expiration Date of June 30, 2029 ("Extended Term").'
    ],
    { lease_start: '2024-07-01', lease_end: '2029-06-30' }
  ],
  'a term extended from its old end': [
    ['FIRST AMENDMENT TO LEASE', BETWEEN, 'The Term is hereby extended from June 30, 2024 to June 30, 2029.'],
    { lease_start: null }
  ],
  'a period up to a new end': [
    [
      'FIRST AMENDMENT TO LEASE',
      BETWEEN,
      'The Term, which is scheduled to expire on June 30, 2024, is hereby extended through June 30, 2029 (the "Extended Expiration Date"). The period from July 1, 2024 through the Extended Expiration Date is the "Extended Term."'
    ],
    { lease_start: '2024-07-01', lease_end: '2029-06-30' }
  ],
  'an option in an amendment': [
    [
      'AMENDMENT TO LEASE',
      BETWEEN,
      'The lease term will extend for one year, commencing on July 1, 2024 and expiring on June 30, 2025. Tenant has one option for a one year extension commencing on July 1, 2025 and expiring on June 30, 2026.'
    ],
    { lease_start: '2024-07-01', lease_end: '2025-06-30' }
  ],
  'the lease above': [
    [
      'SUBLEASE',
      'This Sublease is between Alder Court LLC ("Sublandlord") and Ilse Brenner ("Subtenant"). Under a Master Lease Quay Press LLC leased the building to Sublandlord for a term ending June 30, 2034.',
      'Sublandlord subleases to Subtenant the premises for a term beginning July 1, 2024 and ending June 30, 2029.'
    ],
    { lease_start: '2024-07-01', lease_end: '2029-06-30' }
  ],
  'an effective date on which the term commences': [
    [
      'GROUND LEASE',
      BETWEEN,
      'The initial term of this Lease shall commence on July 1, 2024 ("Effective Date"), and expire at 11:59 p.m. on June 30, 2029.'
    ],
    { lease_start: '2024-07-01', lease_end: '2029-06-30' }
  ],
  'labels of the extended term': [
    ['FOURTH AMENDMENT TO LEASE', 'Extension Term Begins: July 1, 2024', 'Extension Term Ends: June 30, 2029'],
    { lease_start: '2024-07-01', lease_end: '2029-06-30' }
  ],
  'the same labels in a lease, whose term they are not': [
    ['LEASE', BETWEEN, AT, PAYS, 'Extension Term Begins: July 1, 2024', 'Extension Term Ends: June 30, 2029'],
    { lease_start: null, lease_end: null }
  ],
  'a rent due each month': [
    [
      'LEASE',
      BETWEEN,
      'Tenant shall pay to Landlord as rent, in advance on the first day of each calendar month, without deduction, $1,200.00.'
    ],
    { base_rent: '1200.00' }
  ],
  'a rent in place of another': [
    [
      'LEASE RENEWAL AGREEMENT',
      BETWEEN,
      'The monthly rent during the renewal term shall be $1,200.00, in place of $990.00.'
    ],
    { base_rent: '1200.00' }
  ],
  'steps behind a label': [
    [
      'LEASE',
      BETWEEN,
      'Base Rent:',
      'Lease Months 1 to 12: Monthly Installment: $1,200.00',
      'Lease Months 13 to 24: Monthly Installment: $1,236.00'
    ],
    { base_rent: '1200.00' }
  ],
  'other amounts of the month': [
    [
      'LEASE',
      BETWEEN,
      'The rent is $1,200.00 per month.',
      'CAM = $1,800.00 annually and $150.00 monthly. Trash service is $18.00 per month.'
    ],
    { base_rent: '1200.00' }
  ],
  'half of a rent is a credit': [
    [
      'LEASE',
      BETWEEN,
      'The rent is $1,200.00 per month. Tenant receives a credit of one-half of the monthly rent due ($600.00) for the sixth month.'
    ],
    { base_rent: '1200.00' }
  ],
  "a year's rent beside its twelfth": [
    ['LEASE', BETWEEN, 'Initial Annual Base Rent: $270,000.00 per annum', '$22,500.00 per month'],
    { base_rent: '22500.00' }
  ]
}

for (const [name, [texts, expected]] of Object.entries(CASES)) {
  test(`leases as they are filed: ${name}`, t => {
    t.same(found(flow(...texts), expected), expected, 'as paragraphs')
    t.end()
  })
}

test('a schedule of steps below its label, in columns', t => {
  const rows = [
    ['Monthly Base Rent Installments:', ''],
    ['Lease Year 1', '$1,200.00'],
    ['Lease Year 2', '$1,236.00']
  ]
  t.same(found(flow('LEASE', BETWEEN, rows), { base_rent: '1200.00' }), { base_rent: '1200.00' })
  t.end()
})

test("a year's rent behind a label of months is none, where its twelfth is printed", t => {
  const rent = (note: string): Json =>
    found(lines('LEASE', BETWEEN, AT, SPAN, 'Monthly Rent: $171,108.00', note), { base_rent: null })['base_rent'] ??
    null
  t.not(rent('The twelfth of it is $14,259.00'), '171108.00')
  t.equal(rent('Nothing else is paid.'), '171108.00')
  t.end()
})

test('the unit and the town of an address below it, each in a row of its own', t => {
  const rows = [
    ['Premises:', '4 Iris Court'],
    ['', 'Suite 101'],
    ['', 'Port Ashby, WA 98402']
  ]
  const expected = { property_address: '4 Iris Court, Suite 101, Port Ashby, WA 98402' }
  t.same(found(flow('LEASE', BETWEEN, rows), expected), expected)
  t.end()
})

test('a lease of a lot for cars is a lease, a permit to park is none', t => {
  const kinds = ['PARKING LOT LEASE', 'PARKING PERMIT UNDER LEASE'].map(title =>
    findFields(lease, lines(title, BETWEEN, AT, SPAN, PAYS), CONTEXT).reasons.some(
      reason => reason.code === 'DOC_TYPE_UNKNOWN'
    )
  )
  t.same(kinds, [false, true])
  t.end()
})
