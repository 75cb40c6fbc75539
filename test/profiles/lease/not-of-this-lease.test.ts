import { test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import type { Json } from '../../../src/model/json.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { CONTEXT, flow, lines } from '../find/documents.ts'

const BETWEEN = 'This agreement is made between Alder Court LLC ("Landlord") and Ilse Brenner ("Tenant").'
const AT = 'The premises are located at 4 Iris Court, Port Ashby, WA 98402.'
const SPAN = 'The term begins July 1, 2024 and ends June 30, 2029.'
const EXTENDED = 'The term is extended from July 1, 2024 through June 30, 2029.'
const PAYS = 'Tenant shall pay rent of $1,200.00 per month.'

function read(document: DocumentText, field: string): { state: string; value: Json } {
  const found = findFields(lease, document, CONTEXT)
  return { state: judge(lease, found, CONTEXT).state, value: found.fields[field]?.value ?? null }
}

const newLease = (...texts: readonly string[]): DocumentText => lines('LEASE AGREEMENT', BETWEEN, AT, ...texts)
const extension = (...texts: readonly string[]): DocumentText =>
  flow('LEASE EXTENSION AGREEMENT', BETWEEN, AT, ...texts)

/** Papers whose only amount or term is another one's: none may be taken for it unseen. */
const HELD: Readonly<Record<string, readonly [string, DocumentText]>> = {
  'the rent of a space that is added': [
    'base_rent',
    extension(EXTENDED, 'For the Expansion Space Tenant shall pay rent of $400.00 per month.')
  ],
  'a rent of some months': [
    'base_rent',
    extension(EXTENDED, 'For the months of April, May and June 2020 Tenant shall pay rent of $600.00 per month.')
  ],
  'the rent of the lease before': [
    'base_rent',
    extension(EXTENDED, 'The lease provides for rent of $1,000.00 per month.')
  ],
  'the rent until then': [
    'base_rent',
    extension(EXTENDED, 'Tenant pays rent of $1,000.00 per month, which remains in effect until July 1, 2024.')
  ],
  'the term before': [
    'lease_end',
    extension(
      'The lease ran from July 1, 2019 to June 30, 2024 (the "Initial Term") and is extended by five years.',
      PAYS
    )
  ],
  'a sum that is due in instalments': [
    'base_rent',
    newLease(SPAN, 'Rent: $72,000.00 due in monthly installments on the first day of each month.')
  ],
  'steps told from the last': [
    'base_rent',
    newLease(SPAN, 'Monthly Base Rent:', 'Year 3: $1,400.00', 'Year 2: $1,300.00', 'Year 1: $1,200.00')
  ],
  'the address of who manages': [
    'property_address',
    lines(
      'LEASE AGREEMENT',
      BETWEEN,
      'The property is managed by Quay LLC with an address at 6 Grace Avenue, Port Ashby, WA 98401.',
      SPAN,
      PAYS
    )
  ],
  'the place to park': [
    'property_address',
    lines(
      'LEASE AGREEMENT',
      BETWEEN,
      'Tenant may park at the lot located at 12 Oak Street, Port Ashby, WA 98401.',
      SPAN,
      PAYS
    )
  ]
}

test('amounts, terms and places of something else are not taken for those of the lease', t => {
  for (const [name, [field, document]] of Object.entries(HELD))
    t.strictSame(read(document, field), { state: 'quarantined', value: null }, name)
  const free = read(newLease(SPAN, 'Monthly Base Rent:', 'Months 1-3: $0.00', 'Months 4-12: $1,200.00'), 'base_rent')
  t.equal(free.state, 'quarantined', 'a rent of nothing is shown, not taken')
  t.strictSame(read(newLease(SPAN, PAYS), 'base_rent'), { state: 'accepted', value: '1200.00' }, 'its own is')
  t.strictSame(read(extension(EXTENDED, PAYS), 'lease_end'), { state: 'accepted', value: '2029-06-30' })
  t.end()
})

test('who is acted for is the party, and who took over is named alone', t => {
  const parties = (landlord: string, tenant: string): DocumentText =>
    lines(
      'LEASE AGREEMENT',
      `This Lease is made between ${landlord} ("Landlord") and ${tenant} ("Tenant").`,
      AT,
      SPAN,
      PAYS
    )
  const agent = parties('Quay Realty, Inc., as agent for Alder Court LLC', 'Ilse Brenner, assignee of Jon Vale')
  t.equal(read(agent, 'landlord_name').value, 'Alder Court LLC')
  t.equal(read(agent, 'tenant_name').value, 'Ilse Brenner')
  const unnamed = parties('Quay Realty, Inc., agent for Owner', 'Ilse Brenner')
  t.equal(read(unnamed, 'landlord_name').value, null, 'an owner without a name')
  t.end()
})
