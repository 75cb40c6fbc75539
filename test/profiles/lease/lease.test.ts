import { test } from 'tap'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { endFitsTerm, termEnd } from '../../../src/profiles/lease/lease-term.ts'
import { CONTEXT, flow } from '../find/documents.ts'

const SENTENCES = [
  'LEASE AGREEMENT',
  'THIS LEASE AGREEMENT, made this 30 day of March 1995, by and between W.M. RICKMAN CONSTRUCTION CO., hereinafter called "LANDLORD" and DYNCORP ADVANCED TECHNOLOGY SERVICES, INC., a Virginia corporation, hereinafter called "TENANT".',
  'LANDLORD hereby leases 11,743 square feet of space in the building located at 1 Taft Court, Rockville, MD 20850, (hereinafter referred to as "BUILDING").',
  'The term of this lease shall be for a period of five years, commencing on the 1st day of April, 1995, and terminating on the 31st day of March, 2000.',
  'The TENANT shall pay an annual rental in the amount of One Hundred fifty eight thousand five hundred thirty & 50/100 DOLLARS ($158,530.50), payable in equal monthly installments of Thirteen thousand two hundred ten & 88/100 DOLLARS ($13,210.88) per month in advance.'
]

const find = (...texts: readonly string[]) => findFields(lease, flow(...texts), CONTEXT)

const replaced = (pattern: string | RegExp, by: string): string[] => SENTENCES.map(text => text.replace(pattern, by))

test('a lease in sentences is read whole', async t => {
  const { fields } = find(...SENTENCES)
  const wanted = {
    tenant_name: 'DYNCORP ADVANCED TECHNOLOGY SERVICES, INC.',
    landlord_name: 'W.M. RICKMAN CONSTRUCTION CO.',
    property_address: '1 Taft Court, Rockville, MD 20850',
    lease_start: '1995-04-01',
    lease_end: '2000-03-31',
    base_rent: '13210.88',
    rentable_sqft: 11743,
    document_type: 'lease'
  }
  for (const [name, value] of Object.entries(wanted)) {
    t.equal(fields[name]?.value, value, name)
    t.ok(fields[name]?.origin, `${name} has its place`)
  }
})

test('words that disagree with digits leave no value', async t => {
  const { fields, reasons } = find(...replaced('($13,210.88)', '($31,210.88)'))
  t.equal(fields['base_rent']?.value, null)
  t.same(fields['base_rent']?.readings, ['13210.88', '31210.88'])
  t.ok(reasons.some(reason => reason.code === 'WORDS_DIGITS_MISMATCH'))
})

test('a term whose words and digits disagree is held', async t => {
  const { reasons } = find(...replaced('for a period of five years', 'for a term of sixty (66) months'))
  t.ok(reasons.some(reason => reason.code === 'WORDS_DIGITS_MISMATCH'))
})

test('a stated term that does not fit the dates is held', async t => {
  const { reasons } = find(...replaced('a period of five years', 'a term of four (4) years'))
  t.ok(reasons.some(reason => reason.code === 'TERM_MISMATCH' && reason.severity === 'block'))
})

test('the end follows from start and term where none is printed', async t => {
  const { fields } = find(...replaced(', and terminating on the 31st day of March, 2000', ''))
  t.equal(fields['lease_end']?.value, '2000-03-31')
  t.equal(fields['lease_end']?.status, 'derived')
})

test('term arithmetic is by calendar months', async t => {
  t.equal(termEnd('2023-01-01', 60), '2027-12-31')
  t.equal(termEnd('2023-03-15', 60), '2028-03-14')
  t.equal(termEnd('2020-02-29', 12), '2021-02-27')
  t.equal(termEnd('2023-02-01', 61), '2028-02-29')
  t.ok(endFitsTerm('2023-03-15', '2028-03-31', 60), 'rolled to the end of the month')
  t.notOk(endFitsTerm('2023-03-15', '2028-06-30', 60))
})

test('a commencement that hangs on an event has no date', async t => {
  const { fields, reasons } = find(
    'LEASE CONTRACT',
    'THIS AGREEMENT entered into on April 11, 2003 by and between Harbor Development Company ("Landlord") and Integra Instruments, Inc. ("Tenant").',
    'Tenant shall hold the Premises for a term of fifteen (15) years to commence on the first day of the following month after the completion of the building.',
    'Rent is payable monthly.'
  )
  t.equal(fields['lease_start']?.value, null)
  t.ok(reasons.some(reason => reason.code === 'CONTINGENT_DATE'))
})

test('the first step of a schedule is the rent', async t => {
  const { fields } = find(
    ...SENTENCES.slice(0, 4),
    'The Base Rent schedule shall be as follows:',
    'From April 1, 1995, through March 31, 1996: US $13,500 per month;',
    'From April 1, 1996, through March 31, 1997: US $14,200 per month.'
  )
  t.equal(fields['base_rent']?.value, '13500.00')
})

test('a rent without its period has both readings, a yearly one is divided', async t => {
  const short = ['LEASE AGREEMENT', 'Landlord: Iris Court LP', 'Tenant: Test Tenant', 'Premises: 4 Iris Court']
  const unknown = find(...short, 'Base Rent: $180,000.00')
  t.equal(unknown.fields['base_rent']?.value, null)
  t.same(unknown.fields['base_rent']?.readings, ['180000.00', '15000.00'])
  t.ok(unknown.reasons.some(reason => reason.code === 'RATE_PERIOD_UNKNOWN'))
  const yearly = find(...short, 'Base Rent: $180,000.00 per annum')
  t.equal(yearly.fields['base_rent']?.value, '15000.00')
  t.equal(yearly.fields['base_rent']?.status, 'derived')
  const example = find(...short, 'For example, if Base Rent is $2,000/month, Base Rent for the month is prorated.')
  t.equal(example.fields['base_rent']?.value ?? null, null, 'an example is no rent')
})

test('monthly and yearly rent must agree', async t => {
  const short = ['LEASE AGREEMENT', 'Landlord: Iris Court LP', 'Tenant: Test Tenant', 'Premises: 4 Iris Court']
  const wrong = find(...short, 'Monthly Rent: $1,200.00', 'Annual Rent: $15,400.00')
  t.ok(wrong.reasons.some(reason => reason.code === 'RENT_ARITHMETIC_MISMATCH'))
  const right = find(...short, 'Monthly Rent: $1,200.00', 'Annual Rent: $14,400.00')
  t.notOk(right.reasons.some(reason => reason.code === 'RENT_ARITHMETIC_MISMATCH'))
})

test('the order that makes the term whole decides dates that read two ways', async t => {
  const { fields } = find(
    'RESIDENTIAL LEASE',
    'This is a lease between Sara Kelley and James Thomas ("Tenant").',
    'The lease is for a term beginning on 4/4/2024 and ending 4/3/2025. The rent for the premises is paid monthly.'
  )
  t.equal(fields['lease_start']?.value, '2024-04-04')
  t.equal(fields['lease_end']?.value, '2025-04-03')
  t.equal(fields['landlord_name']?.value, 'Sara Kelley')
  t.equal(fields['tenant_name']?.value, 'James Thomas')
})

test('parties called by names of their own get their roles from who leases from whom', async t => {
  const { fields } = find(
    'LEASE AGREEMENT',
    'This LEASE AGREEMENT is made by and between:',
    'Contoso Enterprises, a Delaware corporation, with its principal place of business at 1000 Contoso Plaza ("Contoso," the "Client"), and',
    'Cascade Enterprises, a limited liability company, with its principal place of business at 200 Cascade Tower ("Cascade," the "Vendor").',
    'WHEREAS, Contoso desires to lease from Cascade certain commercial premises for rent.'
  )
  t.equal(fields['tenant_name']?.value, 'Contoso Enterprises')
  t.equal(fields['landlord_name']?.value, 'Cascade Enterprises')
})

test('an amendment is a record of its own', async t => {
  const { fields } = find(
    'SECOND AMENDMENT TO LEASE AGREEMENT',
    'Landlord: Iris Court LP',
    'The rent of the premises changes.'
  )
  t.equal(fields['document_type']?.value, 'amendment')
  t.equal(fields['amendment_number']?.value, 2)
})

test('a blank form has no values and is held', async t => {
  const candidate = find(
    'LEASE AGREEMENT',
    'Premises: ______________ Date: ______',
    '______________ ("Landlord") and ______________ ("Tenant") agree as follows:',
    'The Term of this Lease begins on ______________ and ends on ______________. Monthly Rent: $__________'
  )
  for (const name of ['tenant_name', 'landlord_name', 'property_address', 'lease_start', 'lease_end', 'base_rent']) {
    t.equal(candidate.fields[name]?.value ?? null, null, name)
  }
  t.equal(judge(lease, candidate, CONTEXT).state, 'quarantined')
})

test('the unit of the premises is put before the address of their building', async t => {
  const premises = '“Premises” means that certain office space in the Building, commonly known as Suite 1010.'
  const building = 'Landlord owns the property located at 250 Park Avenue, New York, NY 10177 (the “Building”).'
  const { fields } = find('OFFICE LEASE', building, premises)
  t.equal(fields['property_address']?.value, 'Suite 1010, 250 Park Avenue, New York, NY 10177')
  t.equal(fields['property_address']?.raw, '250 Park Avenue, New York, NY 10177')
  t.ok(fields['property_address']?.flags.includes('UNIT_JOINED'))
  const own = find('OFFICE LEASE', building.replace('Building', 'Premises'), premises)
  t.equal(own.fields['property_address']?.value, '250 Park Avenue, New York, NY 10177')
})
