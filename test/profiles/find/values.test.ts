import { test } from 'tap'
import type { Token } from '../../../src/profiles/find/layout/token.ts'
import { looksLikeAddress, readAddress } from '../../../src/profiles/find/values/address.ts'
import { wholeMonths } from '../../../src/profiles/find/values/calendar.ts'
import { findAmounts, findDates } from '../../../src/profiles/find/values/mentions.ts'
import { isInsurerName, readName } from '../../../src/profiles/find/values/names.ts'
import { readPolicyNumber } from '../../../src/profiles/find/values/policy-number.ts'

const tokens = (text: string, gap = 0.3): Token[] =>
  text.split(' ').map((word, at) => ({
    text: word,
    norm: word.toLowerCase(),
    box: [at / 20, 0, (at + 1) / 20, 0.01],
    source: 'text',
    bold: false,
    gap: at === 0 ? 0 : gap
  }))

test('policy numbers are read as written', async t => {
  const cases: readonly [string, string | null][] = [
    ['HX-700131', 'HX-700131'],
    ['830 935 999 Page 2 of 3', '830 935 999'],
    ['BKS (21) 57 47 36 67', 'BKS (21) 57 47 36 67'],
    ['MI 45332234', 'MI 45332234'],
    ['48h463iij73', '48h463iij73'],
    ['HX-447I9O2', 'HX-447I9O2'],
    ['1-800-225-8285', null],
    ['02/15/2022', null],
    ['2024-02-15', null],
    ['4.02', null],
    ['2024', null],
    ['CG 00 01 04 13', null],
    ['holders are listed below', null],
    ['Page 1 of 3', null]
  ]
  for (const [text, wanted] of cases) t.equal(readPolicyNumber(tokens(text))?.number ?? null, wanted, text)
  t.equal(readPolicyNumber(tokens('HX-1200 5566', 3))?.number, 'HX-1200', 'a column gap ends a number')
})

test('names keep their words and lose what describes them', async t => {
  const cases: readonly [string, string | null][] = [
    ['Pacific Reflections LLC', 'Pacific Reflections LLC'],
    ['INOGEN, INC., a Delaware corporation ("Tenant")', 'INOGEN, INC.'],
    ['Ms Sarah Thompson', 'Sarah Thompson'],
    ['Fennel & Rye Catering', 'Fennel & Rye Catering'],
    ['青空文具店', '青空文具店'],
    ['BIRCH STREET, LLC, having an address at 6 Grace Avenue', 'BIRCH STREET, LLC'],
    ['Will Mayer', 'Will Mayer'],
    ['{NAME OF TENANT}', null],
    ['________________', null],
    ['shall pay the rent', null],
    ['GL CODE', null],
    ['THIS LEASE AGREEMENT', null],
    ['If approval is not given the tenant may end', null],
    ['owner@example.org', null],
    ['4455 1200', null]
  ]
  for (const [text, wanted] of cases) t.equal(readName(text)?.name ?? null, wanted, text)
  t.ok(isInsurerName('Peak Property and Casualty Insurance Corporation'))
  t.notOk(isInsurerName('Pacific Reflections LLC'))
})

test('addresses end where the place ends', async t => {
  const cases: readonly [string, string | null][] = [
    ['22 Plum Street', '22 Plum Street'],
    [
      '11678 Sarah Squares, North Karenfort, OR 44238 ("Premises"). WHEREAS, Landlord',
      '11678 Sarah Squares, North Karenfort, OR 44238'
    ],
    ['Suite 400, 100 Innovation Way, Austin, TX 78701', 'Suite 400, 100 Innovation Way, Austin, TX 78701'],
    ['Unit 4B, 123 Maple Street, Toronto, Ontario M5V 2T6', 'Unit 4B, 123 Maple Street, Toronto, Ontario M5V 2T6'],
    ['1 Taft Court, Rockville, MD 20850, (hereinafter referred to as "BUILDING")', '1 Taft Court, Rockville, MD 20850'],
    ['____________________ (street)', null],
    ['the Building', null]
  ]
  for (const [text, wanted] of cases) t.equal(readAddress(text), wanted, text)
  t.notOk(looksLikeAddress('Suite 1010'), 'a unit without a street is no address')
})

test('dates are found in every way they are written', async t => {
  const text =
    'on 2024-02-01, 2/9/24, 05-12-2022, 31.12.2028, Feb. 29, 2023, the 1st day of March, 2024, 3rd June 2024, 08 Sep, 2021, first day of January, 2024 and 01-JAN-24'
  t.same(
    findDates(text).map(mention => mention.raw),
    [
      '2024-02-01',
      '2/9/24',
      '05-12-2022',
      '31.12.2028',
      'Feb. 29, 2023',
      '1st day of March, 2024',
      '3rd June 2024',
      '08 Sep, 2021',
      'first day of January, 2024',
      '01-JAN-24'
    ]
  )
  t.same(findDates('call 800-225-8285, see 4.02, form 4329-98-11-11, 1/2'), [])
})

test('amounts are found with their period', async t => {
  const found = (text: string): [string, string | null][] => findAmounts(text).map(({ raw, per }) => [raw, per])
  t.same(found('$1,017 ($1,017/yr)'), [
    ['$1,017', null],
    ['$1,017', 'year']
  ])
  t.same(found('£532.19 per year or £44.35 per month'), [
    ['£532.19', 'year'],
    ['£44.35', 'month']
  ])
  t.same(found('Dollars ($2,400.00) per month'), [['$2,400.00', 'month']], 'brackets that repeat are no sign')
  t.same(found('($125.00)'), [['($125.00)', null]], 'brackets alone are')
  t.same(found('$30.00 per rentable square foot'), [['$30.00', 'area']])
  t.same(found('section 12 of 2024, 5% and 12/31/2024'), [])
})

test('whole months are counted to the last day or the day after', async t => {
  t.equal(wholeMonths('2024-02-01', '2025-02-01'), 12)
  t.equal(wholeMonths('2024-04-04', '2025-04-03'), 12)
  t.equal(wholeMonths('2021-12-19', '2022-06-19'), 6)
  t.equal(wholeMonths('2020-02-29', '2021-02-27'), 12)
  t.equal(wholeMonths('2024-01-01', '2024-05-20'), null)
  t.equal(wholeMonths('2024-05-20', '2024-01-20'), null)
})
