import { test } from 'tap'
import type { DocumentText } from '../../../src/model/document-text.ts'
import type { Json } from '../../../src/model/json.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { CONTEXT, flow, lines } from '../find/documents.ts'

const valuesOf = (document: DocumentText, ...names: readonly string[]): Json[] => {
  const { fields } = findFields(lease, document, CONTEXT)
  return names.map(name => fields[name]?.value ?? null)
}

const REST =
  'The premises are at 4 Iris Court, Port Ashby, WA 98402. The term begins July 1, 2024 and ends June 30, 2029. Tenant shall pay rent of $1,200.00 per month.'

const PARTIES: Readonly<Record<string, string>> = {
  'party of the first part':
    'Agreement of Lease, made between Alder Court LLC, party of the first part, hereinafter referred to as OWNER, and Ilse Brenner, party of the second part, hereinafter referred to as TENANT.',
  'referred to as':
    'The parties to this Agreement are Alder Court LLC, referred to as the Landlord, and Ilse Brenner, referred to as the Tenant.',
  'in capitals':
    'THIS CONTRACT IS BETWEEN ALDER COURT LLC, HEREIN CALLED LANDLORD, AND ILSE BRENNER, HEREIN CALLED TENANT.',
  'a chain of firms':
    'This Lease is made by and between Alder Court LLC, a Delaware limited liability company, by its managing member, Quay Properties, Inc., a Maryland corporation ("Landlord"), and Ilse Brenner ("Tenant").',
  'a third party first':
    'This Agreement is among Cobalt Bank ("Lender"), Alder Court LLC ("Landlord") and Ilse Brenner ("Tenant").',
  'roles before where they live':
    'Alder Court LLC, Lessor, of 9 Quay Street, Port Ashby, WA 98402, hereby leases to Ilse Brenner, Lessee, who hires the premises.',
  'short sentences': 'The landlord is Alder Court LLC. The tenant is Ilse Brenner. They agree.',
  'as trustee':
    'This lease is between Alder Court LLC, as Trustee of the Quay Trust u/d/t dated May 3, 2001 ("Landlord") and Ilse Brenner ("Tenant").'
}

for (const [name, opening] of Object.entries(PARTIES)) {
  test(`finds the parties of a lease: ${name}`, t => {
    for (const document of [lines('LEASE', opening, REST), flow('LEASE', opening, REST)]) {
      const found = valuesOf(document, 'landlord_name', 'tenant_name').map(value =>
        typeof value === 'string' ? value.toLowerCase() : ''
      )
      t.same(found, ['alder court llc', 'ilse brenner'])
    }
    t.end()
  })
}

test('names under the lines they are signed on, over their roles, are the parties; over titles they are not', t => {
  const signed = (caption: readonly string[]): DocumentText =>
    flow('LEASE', REST, [['____________', '____________'], ['Alder Court LLC', 'Ilse Brenner'], [...caption]])
  t.same(valuesOf(signed(['Landlord', 'Tenant']), 'landlord_name', 'tenant_name'), ['Alder Court LLC', 'Ilse Brenner'])
  t.same(valuesOf(signed(['Witness', 'Notary']), 'landlord_name', 'tenant_name'), [null, null])
  t.end()
})

const LABELS: Readonly<Record<string, readonly [string, string, string, string]>> = {
  tenant_name: ['Residents', 'Tenant (full legal name)', 'Name of Lessee', 'Ilse Brenner'],
  landlord_name: ['Owner of property', 'Landlord (full legal name)', 'Name of Lessor', 'Alder Court LLC'],
  lease_start: ['Commencing date', 'Lease Commencement Date (estimated by neither)', 'Term Starts', '2024-07-01'],
  lease_end: ['Terminating date', 'Expiration Date (11:59 p.m.)', 'Expiration of Term', '2029-06-30'],
  property_address: [
    'Land and building',
    'Premises (street address, city, state, ZIP)',
    'Demised Premises',
    '4 Iris Court, Port Ashby, WA 98402'
  ]
}

for (const [field, [one, two, three, value]] of Object.entries(LABELS)) {
  test(`finds ${field} beside its labels, a note in brackets behind them or not`, t => {
    for (const label of [one, two, three]) {
      t.same(valuesOf(flow('LEASE', [[label, value]]), field), [value], label)
    }
    t.end()
  })
}

const RENTS: Readonly<Record<string, readonly [string, string | null]>> = {
  'yearly and monthly rates side by side': [
    'ANNUAL FIXED RENT RATE: $14,400.00 MONTHLY FIXED RENT RATE: $1,200.00',
    '1200.00'
  ],
  'sales over which a share is due': [
    'Base Rent: $1,200.00 per month. Percentage Rent: 6% of Gross Sales in excess of $1,500,000 per year.',
    '1200.00'
  ],
  'steps behind their amounts': [
    'Tenant shall pay rent of (i) $1,200.00 per month from the Commencement Date to June 30, 2025; (ii) $1,300.00 per month from July 1, 2025.',
    '1200.00'
  ],
  'a later year first': [
    'Tenant shall pay rent of $1,300.00 per month for the second year and $1,200.00 per month for the first year.',
    '1200.00'
  ],
  'the rent of the lease above': [
    'Under a Master Lease with Cobalt Bank covering 5,000 square feet at a monthly rent of $9,000.00, subtenant shall pay nothing. Base rent is $1,200.00 per month.',
    '1200.00'
  ],
  'the rent of the lease before': [
    'Monthly rent under the Original Lease is $900.00. Base rent is $1,200.00 per month.',
    '1200.00'
  ],
  'in rent every month': ['The tenant pays $1,200.00 in rent every month.', '1200.00'],
  'rented for': ['The house is rented for $1,200.00 per month.', '1200.00'],
  'gross sales alone': ['Rent is 6% of gross sales over $150,000.00 per month.', null]
}

for (const [name, [sentence, rent]] of Object.entries(RENTS)) {
  test(`reads the rent of a lease: ${name}`, t => {
    t.same(valuesOf(flow('LEASE', sentence), 'base_rent'), [rent])
    t.same(valuesOf(lines('LEASE', ...sentence.split(/(?<=\.) /)), 'base_rent'), [rent])
    t.end()
  })
}

const ENDS: Readonly<Record<string, readonly [string, string | null, string]>> = {
  'told to be the last of its month': [
    'The term is thirty-six (36) full calendar months. It commences on July 15, 2024 and expires on the last day of the 36th full calendar month thereafter.',
    '2027-07-31',
    'derived'
  ],
  'of whole months from the first': [
    'The term is thirty-six (36) full calendar months. It commences on July 1, 2024.',
    '2027-06-30',
    'derived'
  ],
  'of whole months from a day within one, counted either way': [
    'The term is thirty-six (36) full calendar months. It commences on July 15, 2024.',
    null,
    'ambiguous'
  ]
}

for (const [name, [sentence, end, status]] of Object.entries(ENDS)) {
  test(`the end of a lease ${name}`, t => {
    const { fields } = findFields(lease, flow('LEASE', PARTIES['referred to as'] ?? '', sentence), CONTEXT)
    t.match(fields['lease_end'], { value: end, status })
    t.end()
  })
}

test('what goes on with a label of another thing is of that thing', t => {
  const document = lines('LEASE', 'Option Term begins: July 1, 2029', 'Option term ends: June 30, 2034')
  t.same(valuesOf(document, 'lease_start', 'lease_end'), [null, null])
  t.end()
})

test('an address in two captions of one line is one, and what is let is no part of it', t => {
  const grid = flow('LEASE', 'Street Address: 4 Iris Court City, State, ZIP: Port Ashby, WA 98402')
  t.same(valuesOf(grid, 'property_address'), ['4 Iris Court, Port Ashby, WA 98402'])
  const thing = flow('LEASE', 'Property: The land and building thereon located at 4 Iris Court, Port Ashby, WA 98402')
  t.same(valuesOf(thing, 'property_address'), ['4 Iris Court, Port Ashby, WA 98402'])
  t.end()
})

test('a value cut off at the edge of its page is a reading', t => {
  const cut = (edge: number, flag: string): DocumentText => {
    const page = lines('LEASE', 'Premises: 4 Iris Court, Port Ashby, WA 984')
    const [first] = page.pages
    if (!first) throw new Error('no page')
    const stretched = first.lines.map(line => ({
      ...line,
      words: line.words.map((word, at) =>
        at === line.words.length - 1 ? { ...word, box: [word.box[0], word.box[1], edge, word.box[3]] as const } : word
      )
    }))
    return { ...page, pages: [{ ...first, lines: stretched }], flags: [flag] }
  }
  t.same(valuesOf(cut(1, 'HIDDEN_TEXT'), 'property_address'), [null])
  t.same(valuesOf(cut(0.95, 'HIDDEN_TEXT'), 'property_address'), ['4 Iris Court, Port Ashby, WA 984'])
  t.same(valuesOf(cut(1, 'PICTURES'), 'property_address'), ['4 Iris Court, Port Ashby, WA 984'])
  t.end()
})

const MORE_PARTIES: Readonly<Record<string, string>> = {
  'in favor of':
    'This Lease is made effective May 3, 2024 by Alder Court LLC ("Lessor") in favor of Ilse Brenner ("Lessee").',
  'by this instrument': 'BY THIS INSTRUMENT Alder Court LLC ("Landlord") lets to Ilse Brenner ("Tenant") the store.',
  'captions before': 'This lease is made between (landlord) Alder Court LLC and (tenant) Ilse Brenner.',
  witnesseth:
    'This agreement, made this 3rd day of May, 2024, witnesseth that Alder Court LLC (landlord) has leased to Ilse Brenner (tenant) the parsonage.',
  'numbered, with their articles': '1.1 The Lessor: Alder Court LLC ; 1.2 The Lessee: Ilse Brenner',
  'you and us, without a comma': 'It is between you, the resident: Ilse Brenner and us, the owner: Alder Court LLC.'
}

for (const [name, opening] of Object.entries(MORE_PARTIES)) {
  test(`finds the parties of a lease as instruments name them: ${name}`, t => {
    const document = lines('LEASE', ...opening.split(' ; '), REST)
    t.same(valuesOf(document, 'landlord_name', 'tenant_name'), ['Alder Court LLC', 'Ilse Brenner'])
    t.end()
  })
}

test('a sentence that begins with a party is no label', t => {
  const document = lines(
    'LEASE',
    PARTIES['referred to as'] ?? '',
    'The Lessee',
    'shall pay rent.',
    'The Landlord may enter.'
  )
  t.same(valuesOf(document, 'landlord_name', 'tenant_name'), ['Alder Court LLC', 'Ilse Brenner'])
  t.end()
})

test('rents of later years and rows of years in words', t => {
  const steps = ['Base rent, first year: $1,200.00 per month', 'Base rent, second year: $1,300.00 per month']
  t.same(valuesOf(lines('LEASE', ...steps, 'Base rent thereafter: $1,400.00 per month'), 'base_rent'), ['1200.00'])
  const rows = [
    ['Lease Year', 'Annual', 'Monthly'],
    ['First', '$14,400.00', '$1,200.00'],
    ['Second', '$15,600.00', '$1,300.00']
  ]
  t.same(valuesOf(flow('LEASE', rows), 'base_rent'), ['1200.00'])
  t.end()
})
