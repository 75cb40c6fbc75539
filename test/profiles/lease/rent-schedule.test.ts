import { test } from 'tap'
import { findFields } from '../../../src/profiles/find/find-fields.ts'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { CONTEXT, flow, paged, pageOf } from '../find/documents.ts'

type Rows = readonly (readonly string[])[]

const TEXTS = [
  'LEASE AGREEMENT',
  'Tenant: Birchwater Yoga Studio LLC',
  'Landlord: Alder Court LLC',
  'Premises: 4 Iris Court, Boise, ID 83702',
  'Term: January 1, 2024 to December 31, 2025'
]

function read(rows: Rows, ...more: string[]) {
  const candidate = findFields(lease, flow(...TEXTS, rows, ...more), CONTEXT)
  const { state, reasons } = judge(lease, candidate, CONTEXT)
  return {
    fields: candidate.fields,
    state,
    codes: reasons.filter(({ severity }) => severity === 'block').map(({ code }) => code)
  }
}

const BY_DATE: Rows = [
  ['Period', 'Monthly Base Rent', 'Annual Base Rent'],
  ['01/01/2024 - 12/31/2024', '$2,000.00', '$24,000.00'],
  ['01/01/2025 - 12/31/2025', '$2,060.00', '$24,720.00']
]

test('a rent schedule by dates gives its steps and the rent of the first', t => {
  const { fields, state } = read(BY_DATE)
  t.equal(fields['base_rent']?.value, '2000.00')
  t.same(fields['rent_schedule']?.value, [
    { from: '2024-01-01', to: '2024-12-31', monthly: '2000.00', annual: '24000.00' },
    { from: '2025-01-01', to: '2025-12-31', monthly: '2060.00', annual: '24720.00' }
  ])
  t.equal(state, 'accepted')
  t.end()
})

test('a schedule by months or lease years is dated from the start; free months are steps of nothing', t => {
  const byMonths = read([
    ['Months', 'Monthly Rent'],
    ['1 - 3', 'Abated'],
    ['4 - 12', '$2,000.00'],
    ['13 - 24', '$2,060.00']
  ])
  t.equal(byMonths.fields['base_rent']?.value, '2000.00', 'the first rent that is asked')
  t.same(byMonths.fields['rent_schedule']?.value, [
    { from: '2024-01-01', to: '2024-03-31', monthly: '0.00' },
    { from: '2024-04-01', to: '2024-12-31', monthly: '2000.00' },
    { from: '2025-01-01', to: '2025-12-31', monthly: '2060.00' }
  ])
  const byYears = read([
    ['Lease Year', 'Annual Rent', 'Monthly Rent'],
    ['1', '$24,000.00', '$2,000.00'],
    ['2', '$24,720.00', '$2,060.00']
  ])
  t.match(byYears.fields['rent_schedule']?.value, [{ to: '2024-12-31' }, { from: '2025-01-01', annual: '24720.00' }])
  t.end()
})

test('a schedule of yearly rents alone gives the rent per month, derived', t => {
  const { fields } = read([
    ['Lease Year', 'Annual Rent'],
    ['1', '$24,000.00'],
    ['2', '$24,720.00']
  ])
  t.match(fields['base_rent'], { value: '2000.00', status: 'derived', flags: ['PER_MONTH_FROM_YEAR'] })
  t.end()
})

test('a gap, an overlap and a month that is no twelfth of its year hold the lease, whatever the confidence', t => {
  const replaced = (at: number, row: readonly string[]): Rows => BY_DATE.map((own, index) => (index === at ? row : own))
  t.match(read(replaced(2, ['02/01/2025 - 12/31/2025', '$2,060.00', '$24,720.00'])).codes, ['SCHEDULE_GAP'])
  t.match(read(replaced(2, ['12/01/2024 - 12/31/2025', '$2,060.00', '$24,720.00'])).codes, ['SCHEDULE_GAP'])
  t.match(read(replaced(2, ['01/01/2025 - 12/31/2025', '$2,060.00', '$24,120.00'])).codes, ['RENT_ARITHMETIC_MISMATCH'])
  t.same(
    read(replaced(1, ['01/01/2024 - 12/31/2024', '$2,000.00', '$24,000.10'])).codes,
    [],
    'rounding of twelve months'
  )
  t.end()
})

test('a schedule of option rents is not the rent', t => {
  const { fields } = read(
    [
      ['Option Period', 'Monthly Rent'],
      ['1', '$9,000.00'],
      ['2', '$9,500.00']
    ],
    'Monthly Rent: $2,000.00'
  )
  t.notMatch(fields['base_rent'], { value: /^9/ })
  t.notOk(fields['rent_schedule']?.value)
  t.end()
})

test('options to renew are kept as written; words that differ from digits leave none', t => {
  const { fields } = read(BY_DATE, 'Tenant has two (2) options to renew for five (5) years each.')
  t.same(fields['renewal_options']?.value, ['two (2) options to renew for five (5) years each'])
  const differs = read(BY_DATE, 'Tenant has two (3) options to renew for five (5) years each.')
  t.equal(differs.fields['renewal_options']?.value, null)
  t.end()
})

test('a title over the headings of a printed schedule is not the heading of its first column', t => {
  const rows: readonly (readonly (readonly [x: number, text: string])[])[] = [
    [[0.07, 'Base rental schedule']],
    [[0.07, 'From'], [0.25, 'Through'], [0.45, 'Monthly'], [0.65, 'Annually']],
    [[0.07, '01/15/2024'], [0.25, '12/31/2024'], [0.45, '2,000.00'], [0.65, '24,000.00']],
    [[0.07, '01/01/2025'], [0.25, '12/31/2025'], [0.45, '2,060.00'], [0.65, '24,720.00']]
  ] // biome-ignore format: a table
  const placed = [
    ...TEXTS.map((text, at) => ({ x: 0.07, y: 0.05 + at * 0.02, text })),
    ...rows.flatMap((row, at) => row.map(([x, text]) => ({ x, y: 0.3 + at * 0.015, text })))
  ]
  t.match(findFields(lease, paged(pageOf(placed)), CONTEXT).fields['rent_schedule']?.value, [
    { from: '2024-01-15', to: '2024-12-31', monthly: '2000.00' },
    { from: '2025-01-01', to: '2025-12-31', monthly: '2060.00' }
  ])
  t.end()
})
