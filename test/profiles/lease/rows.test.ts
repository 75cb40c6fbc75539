import { test } from 'tap'
import { judge } from '../../../src/profiles/judge/judge.ts'
import { lease } from '../../../src/profiles/lease/lease.ts'
import { rowMapper } from '../../../src/profiles/tabular/row-mapper.ts'
import { CONTEXT, rowOf } from '../rows.ts'

const row = {
  tenant_name: 'Saltmarsh Outfitters Co.',
  property_address: '4 Iris Court',
  lease_start: '2024-01-01',
  lease_end: '2026-12-31',
  base_rent: '8400.00'
}

const codesOf = (changes: Readonly<Record<string, string>>): string[] => {
  const candidate = rowMapper(lease, CONTEXT)(rowOf({ ...row, ...changes }))
  return judge(lease, candidate, CONTEXT).reasons.map(({ code, field }) => `${code} ${field}`)
}

test('a term that a row states must fit its two dates', async t => {
  const fits: [string, string, string][] = [
    ['2024-01-01', '2026-12-31', '36'],
    ['2024-01-01', '2027-01-01', '36'],
    ['2024-01-01', '2026-12-30', '36'],
    ['2024-01-15', '2027-01-14', '36'],
    ['2024-01-15', '2027-01-31', '36'],
    ['2024-01-15', '2026-12-31', '36'],
    ['2024-01-15', '2026-12-31', '35'],
    ['2024-02-29', '2025-02-28', '12'],
    ['2024-01-01', '2122-12-31', '1188']
  ]
  for (const [start, end, months] of fits)
    t.strictSame(codesOf({ lease_start: start, lease_end: end, term_months: months }), [], `${start} ${end} ${months}`)
  const not: [string, string, string][] = [
    ['2024-01-01', '2026-12-31', '60'],
    ['2024-01-01', '2026-12-31', '35'],
    ['2024-01-01', '2026-12-31', '37'],
    ['2024-01-01', '2026-12-31', '3'],
    ['2024-01-01', '2026-12-31', '0'],
    ['2024-01-15', '2026-12-31', '30'],
    ['2024-01-01', '2026-12-31', '99999999']
  ]
  for (const [start, end, months] of not)
    t.match(codesOf({ lease_start: start, lease_end: end, term_months: months }), ['TERM_MISMATCH term_months'], months)
  t.strictSame(codesOf({ lease_end: '2023-12-31', term_months: '36' }), ['DATE_ORDER lease_end'])
})

test('the name of a template is no tenant', async t => {
  t.strictSame(codesOf({ tenant_name: '[Tenant Name]' }), ['UNFILLED_BLANK tenant_name'])
})
