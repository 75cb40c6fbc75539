import { test } from 'tap'
import { findFields } from '../../../../src/profiles/find/find-fields.ts'
import { lease } from '../../../../src/profiles/lease/lease.ts'
import { permit } from '../../../../src/profiles/permit/permit.ts'
import { policy } from '../../../../src/profiles/policy/policy.ts'
import type { Profile } from '../../../../src/profiles/profile.ts'
import { CONTEXT, declaration, flow, lines } from '../documents.ts'

/** Papers that hold names, dates and amounts, none of which is a field of a policy, a lease or a permit. */
const PAPERS = {
  'a utility bill': lines(
    'Account Statement',
    'Con Light and Power Company',
    'Billing period: 07/30/2024 to 08/28/2024',
    'Service address: 4 Iris Court',
    'Total amount due: $521.68'
  ),
  'a contract for services': flow(
    'MASTER SERVICES AGREEMENT',
    'This agreement is made as of March 15, 2021 between Iris Court LP and Daltech Ltd.',
    'It begins on March 15, 2021 and ends on July 1, 2021. The fee is $374,000.00.'
  ),
  'a list of parts': flow([
    ['Part', 'Description', 'Price'],
    ['1001', 'Hinge', '$4.50']
  ])
}

const valuesOf = (profile: Profile, document: (typeof PAPERS)['a list of parts']): unknown[] =>
  Object.values(findFields(profile, document, CONTEXT).fields).flatMap(({ value }) => (value === null ? [] : [value]))

for (const profile of [policy, lease, permit]) {
  test(`a document of another kind is held and gives no value of a ${profile.name}`, t => {
    for (const [name, document] of Object.entries(PAPERS)) {
      const { fields, reasons } = findFields(profile, document, CONTEXT)
      t.same(
        reasons.filter(reason => reason.severity === 'block').map(reason => reason.code),
        ['DOC_TYPE_UNKNOWN'],
        name
      )
      t.same(valuesOf(profile, document), [], name)
      const required = Object.values(profile.fields).filter(field => field.required && field.filledBy === 'submission')
      t.ok(
        required.every(field => fields[field.name]?.status === 'absent'),
        `${name}: what is required is told as absent`
      )
    }
    t.end()
  })
}

test('a document of the kind is read, with a title and a few fields or without one and many', t => {
  t.ok(valuesOf(policy, lines('POLICY DECLARATIONS', ...declaration())).length >= 5)
  t.ok(valuesOf(policy, lines(...declaration())).length >= 5)
  const titled = lines('BUILDING PERMIT APPLICATION', 'Permit No.: 24-0339', 'Valuation: $9,000.00')
  t.same(valuesOf(permit, titled).includes('9000.00'), true)
  const untitled = lines(
    'Permit No.: 24-0339',
    'Parcel No.: 0412-118',
    'Valuation: $9,000.00',
    'Contractor: Iris Court LP'
  )
  t.same(valuesOf(permit, untitled).includes('0412-118'), true)
  t.end()
})
