import { test } from 'tap'
import { readFloorArea } from '../../../src/profiles/permit/floor-area.ts'
import { summary } from '../../normalize/summary.ts'

const CONTEXT = { today: '2026-06-30', source: 'cell', jurisdiction: '53033' } as const

test('floor areas are whole square feet unless a fraction is written', async t => {
  const table: [string, string][] = [
    ['2140', '2140'],
    ['2,140', '2140'],
    ['2,140 SF', '2140'],
    ['0', '0'],
    ['72.0', '72'],
    ['1250.5', '1250.5'],
    ['1,250.5', '1250.5'],
    ['199 m²', '2142 UNIT_CONVERTED'],
    ['2,000', 'null AMBIGUOUS_NUMBER {2|2000}'],
    ['1.234', 'null AMBIGUOUS_NUMBER {1234}'],
    ['5.4.3', 'null INVALID_NUMBER'],
    ['big', 'null INVALID_NUMBER'],
    ['N/A', 'null EXPLICIT_NONE']
  ]
  for (const [raw, is] of table) t.equal(summary(readFloorArea(raw, CONTEXT)), is, raw)
  t.equal(summary(readFloorArea('1.234', { ...CONTEXT, decimal: ',' })), '1234 GROUP_DOT')
  t.equal(summary(readFloorArea('1.234', { ...CONTEXT, decimal: '.' })), '1.234')
})
