import { test } from 'tap'
import type { Overrides } from '../../../src/profiles/find/context/overrides.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, lines } from './documents.ts'

const valuesWith = (overrides: Overrides, ...texts: readonly string[]) => {
  const { fields } = findFields(policy, lines(...texts), { ...CONTEXT, overrides })
  return (name: string) => fields[name]?.value ?? null
}

test('a source names its own labels as data', t => {
  const texts = [
    'Policy Declarations',
    'Kontrakt: HX-700131',
    'Versicherter: Pacific Reflections LLC',
    'Effective Date: 2024-02-01',
    'Expiration Date: 2025-02-01',
    'Beitrag gesamt: $1,284.00'
  ]
  t.equal(valuesWith({}, ...texts)('policy_number'), null, 'unknown without')
  const columns = { Kontrakt: 'policy_number', Versicherter: 'named_insured', 'Beitrag gesamt': 'premium_total' }
  const value = valuesWith({ columns }, ...texts)
  t.equal(value('policy_number'), 'HX-700131')
  t.equal(value('named_insured'), 'Pacific Reflections LLC')
  t.equal(value('premium_total'), '1284.00')
  const candidate = findFields(policy, lines(...texts), { ...CONTEXT, overrides: { columns } })
  t.equal(judge(policy, candidate, CONTEXT).state, 'accepted')
  t.end()
})

test('a label a source declares to be no field gives none, and one of another profile is left alone', t => {
  const texts = ['Policy Declarations', ...declaration({ 'Policy Number': null }), 'Contract No: 4711-22']
  t.equal(valuesWith({}, ...texts)('policy_number'), '4711-22', 'read without')
  t.equal(valuesWith({ columns: { 'Contract No': null } }, ...texts)('policy_number'), null)
  t.equal(valuesWith({ columns: { 'Contract No': 'tenant_name' } }, ...texts)('policy_number'), '4711-22')
  t.end()
})

test('dates and amounts are read as the source declares them', t => {
  const texts = [
    'Policy Declarations',
    ...declaration({ 'Effective Date': '07/01/2024', 'Expiration Date': '07/01/2025' })
  ]
  t.equal(valuesWith({}, ...texts)('effective_date'), null, 'both orders make a whole year')
  t.equal(valuesWith({ dateOrder: 'mdy' }, ...texts)('effective_date'), '2024-07-01')
  t.equal(valuesWith({ dateOrder: 'dmy' }, ...texts)('effective_date'), '2024-01-07')
  const euro = ['Policy Declarations', ...declaration({ 'Total Premium': '1.284,00' })]
  t.equal(valuesWith({ decimal: ',' }, ...euro)('premium_total'), '1284.00')
  t.end()
})

test('a lease takes the labels of its source too', t => {
  const document = lines(
    'LEASE AGREEMENT',
    'Mieter: Ilse Brenner',
    'Landlord: Alder Court LLC',
    'Premises: 4 Iris Court, Boise, ID 83702',
    'Term: 2024-02-01 to 2025-01-31',
    'Monthly Rent: $1,200.00'
  )
  const found = findFields(lease, document, { ...CONTEXT, overrides: { columns: { Mieter: 'tenant_name' } } })
  t.equal(found.fields['tenant_name']?.value, 'Ilse Brenner')
  t.end()
})
