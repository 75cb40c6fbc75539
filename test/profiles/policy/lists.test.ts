import { test } from 'tap'
import type { Page } from '../../../src/model/document-text.ts'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { policy } from '../../../src/profiles/policy/policy.ts'
import { CONTEXT, declaration, flow, type Placed, paged, pageOf } from '../find/documents.ts'

const column = (y: number, cells: readonly (readonly [x: number, text: string])[]): Placed[] =>
  cells.map(([x, text]) => ({ x, y, text }))

const head = (): Placed[] =>
  ['Policy Declarations', ...declaration()].map((text, at) => ({ x: 0.05, y: 0.03 + at * 0.02, text }))

const listOf = (name: string, ...pages: Page[]) => findFields(policy, paged(...pages), CONTEXT).fields[name]

const COVERAGES = [
  ...column(0.3, [[0.05, 'COVERAGES'], [0.45, 'LIMITS OF LIABILITY'], [0.7, 'DEDUCTIBLE'], [0.86, 'PREMIUM']]),
  ...column(0.32, [[0.05, 'A. Dwelling'], [0.45, '$412,000'], [0.7, '$2,500'], [0.86, '$900.00']]),
  ...column(0.34, [[0.05, 'B. Other Structures'], [0.45, '$41,200'], [0.86, 'Included']]),
  ...column(0.36, [[0.05, 'F. Medical Payments to Others'], [0.45, '$5,000'], [0.86, '$384.00']]),
  ...column(0.38, [[0.05, 'Total Premium'], [0.86, '$1,284.00']])
] // biome-ignore format: a table

test('coverages come with their limits, deductibles and premiums; the total is none of them', t => {
  t.same(listOf('coverages', pageOf([...head(), ...COVERAGES]))?.value, [
    { label: 'A. Dwelling', limit: '$412,000', deductible: '$2,500', premium: '900.00' },
    { label: 'B. Other Structures', limit: '$41,200' },
    { label: 'F. Medical Payments to Others', limit: '$5,000', premium: '384.00' }
  ])
  t.end()
})

test('a table goes on over a page break, its headings printed again or not', t => {
  const first = pageOf([
    ...head(),
    ...column(0.92, [[0.05, 'COVERAGES'], [0.45, 'LIMIT'], [0.86, 'PREMIUM']]),
    ...column(0.94, [[0.05, 'Personal Liability'], [0.45, '$300,000'], [0.86, '$25.00']]),
    ...column(0.97, [[0.4, 'Page 1 of 2']])
  ]) // biome-ignore format: a table
  for (const again of [true, false]) {
    const second = pageOf(
      [
        ...column(0.03, [[0.05, 'Keystone Mutual Insurance Company']]),
        ...(again ? column(0.06, [[0.05, 'COVERAGES'], [0.45, 'LIMIT'], [0.86, 'PREMIUM']]) : []),
        ...column(0.09, [[0.05, 'Loss of Use'], [0.45, '$82,400'], [0.86, '$12.00']])
      ],
      2
    ) // biome-ignore format: a table
    t.same(listOf('coverages', first, second)?.value, [
      { label: 'Personal Liability', limit: '$300,000', premium: '25.00' },
      { label: 'Loss of Use', limit: '$82,400', premium: '12.00' }
    ])
  }
  t.end()
})

test('limits that are words stay words, and limits stand without a heading too', t => {
  const document = flow('Policy Declarations', ...declaration(), [
    ['Coverage', 'Limit'],
    ['Workers Compensation', 'Statutory'],
    ['Flood', 'Excluded'],
    ['Bodily Injury', '100/300']
  ])
  t.same(findFields(policy, document, CONTEXT).fields['coverages']?.value, [
    { label: 'Workers Compensation', limit: 'Statutory' },
    { label: 'Flood', limit: 'Excluded' },
    { label: 'Bodily Injury', limit: '100/300' }
  ])
  const alone = pageOf([
    ...head(),
    ...column(0.4, [
      [0.05, 'Each Occurrence Limit'],
      [0.6, '$1,000,000']
    ])
  ])
  t.same(listOf('coverages', alone)?.value, [{ label: 'Each Occurrence Limit', limit: '$1,000,000' }])
  t.end()
})

test('deductibles by peril; an amount that is not its percentage of coverage A makes the list unsure', t => {
  const rows = (share: string): Page =>
    pageOf([
      ...head(),
      ...COVERAGES,
      ...column(0.5, [[0.05, `Deductible - Section I: $1,000 All Perils`], [0.5, `Windstorm or Hail: 2% of Coverage A (${share})`]])
    ]) // biome-ignore format: a table
  t.same(listOf('deductibles', rows('$8,240'))?.value, [
    { peril: 'All Perils', amount: '1000.00' },
    { peril: 'Windstorm or Hail', amount: '8240.00', percent: '2' }
  ])
  const wrong = listOf('deductibles', rows('$4,240'))
  t.equal(wrong?.value, null)
  t.match(wrong?.flags, ['DEDUCTIBLE_MISMATCH', 'UNSURE'])
  t.end()
})

test('forms with their editions, over a page break and each once', t => {
  const list = (y: number, text: string): Placed[] => column(y, [[0.05, text]])
  const pages = [
    pageOf([
      ...head(),
      ...list(0.9, 'Forms and endorsements made part of this policy:'),
      ...list(0.93, 'HO 00 03 05 11, HO 04 90 05 11')
    ]),
    pageOf([...list(0.05, 'IL 00 17 11 98   CG2010 (04/13)   HO 00 03 05 11')], 2)
  ]
  t.same(listOf('endorsements', ...pages)?.value, [
    { form_number: 'HO 00 03', edition: '2011-05' },
    { form_number: 'HO 04 90', edition: '2011-05' },
    { form_number: 'IL 00 17', edition: '1998-11' },
    { form_number: 'CG 20 10', edition: '2013-04' }
  ])
  t.end()
})

test('vehicles by their numbers; one that fails its check digit is shown as a reading, not as a value', t => {
  const car = (vin: string): Page =>
    pageOf([
      ...head(),
      ...column(0.3, [
        [0.05, '1'],
        [0.1, '2003 Honda Accord'],
        [0.5, vin]
      ])
    ])
  t.same(listOf('vehicles', car('1HGCM82633A004352'))?.value, [
    { description: '2003 Honda Accord', vin: '1HGCM82633A004352' }
  ])
  const wrong = listOf('vehicles', car('1HGCM82643A004352'))
  t.equal(wrong?.value, null)
  t.match(wrong?.flags, ['CHECK_DIGIT'])
  t.match(wrong?.readings?.[0], [{ vin: '1HGCM82643A004352' }])
  t.end()
})

test('insured locations of labels and schedules', t => {
  const page = pageOf([
    ...head(),
    ...column(0.3, [[0.05, 'Location of Residence Premises: 4 Iris Court, Boise, ID 83702']]),
    ...column(0.34, [
      [0.05, '002'],
      [0.15, '001'],
      [0.25, '9 Mill Street, Lowell, MA 01852']
    ])
  ])
  t.same(listOf('insured_locations', page)?.value, ['4 Iris Court, Boise, ID 83702', '9 Mill Street, Lowell, MA 01852'])
  t.end()
})
