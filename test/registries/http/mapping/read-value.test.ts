import t from 'tap'
import type { Json } from '../../../../src/model/json.ts'
import { readDate } from '../../../../src/registries/http/mapping/dates.ts'
import { memberOf } from '../../../../src/registries/http/mapping/pointer.ts'
import { isAskable, readKey, readValue } from '../../../../src/registries/http/mapping/read-value.ts'
import type { FieldRule, KeyRule } from '../../../../src/registries/http/mapping/rules.ts'

type Row = { readonly [name: string]: Json }
const value = (row: Row, rule: FieldRule | { from: string; as: 'text' }): Json =>
  readValue(row, typeof rule === 'string' ? rule : { join: ' ', optional: false, ...rule }, memberOf)
const rule = (
  as: 'text' | 'integer' | 'decimal' | 'flag' | 'date' | 'list' | 'json',
  more: object = {}
): FieldRule => ({
  from: 'A',
  as,
  join: ' ',
  optional: false,
  ...more
})
const drift = { kind: 'configuration', code: 'type_drift' }
const gone = { kind: 'configuration', code: 'field_missing' }

t.test('values are read as they were configured', async t => {
  const rows: readonly (readonly [Json, FieldRule, Json])[] = [
    ['R-1', 'A', 'R-1'],
    [' R-1 ', 'A', 'R-1'],
    [' ', 'A', null],
    ['', 'A', null],
    [null, 'A', null],
    [72, rule('integer'), '72'],
    ['72.0', rule('integer'), '72'],
    ['0072', rule('integer'), '0072'],
    [5000.25, rule('decimal'), '5000.25'],
    ['-5000.0', rule('decimal'), '-5000.0'],
    [true, rule('flag'), true],
    ['R', rule('flag', { trueWhen: ['R', 'X'] }), true],
    ['A', rule('flag', { trueWhen: ['R', 'X'] }), false],
    [1, rule('flag', { trueWhen: ['1'] }), true],
    [1_672_531_200_000, rule('date'), '2023-01-01'],
    ['2025-07-01T20:07:56.000', rule('date'), '2025-07-01'],
    ['4/21/2006 12:00:00 AM', rule('date'), '2006-04-21'],
    [['AE', ' H '], rule('list'), ['AE', 'H']],
    ['AE; H;;', rule('list', { split: ';' }), ['AE', 'H']],
    ['AE', rule('list'), ['AE']],
    [{ b: [1] }, rule('json'), { b: [1] }]
  ]
  for (const [written, how, expected] of rows)
    t.strictSame(value({ A: written }, how), expected, JSON.stringify(written))
})

t.test('several attributes make one text, without those that are empty', async t => {
  const names = { from: ['NO', 'DIR', 'STREET'], as: 'text' as const, join: ' ', optional: false }
  t.equal(value({ NO: '12', DIR: ' ', STREET: 'MAIN ST' }, names), '12 MAIN ST')
  t.equal(value({ NO: null, DIR: '', STREET: ' ' }, names), null)
  t.throws(() => value({ NO: '12', STREET: 'MAIN ST' }, names), gone)
  const lists = { from: ['A', 'B'], as: 'list' as const, join: ' ', optional: false }
  t.strictSame(value({ A: ['x'], B: 'y' }, lists), ['x', 'y'])
})

t.test('a type that is another than configured is not read', async t => {
  const rows: readonly (readonly [Json, FieldRule])[] = [
    [7, 'A'],
    [true, 'A'],
    [['x'], 'A'],
    ['n/a', rule('integer')],
    [72.5, rule('integer')],
    [1e21, rule('integer')],
    [2 ** 53 + 2, rule('integer')],
    ['12345678901234567', rule('decimal')],
    ['1,000', rule('decimal')],
    ['yes', rule('flag')],
    [1, rule('flag')],
    ['31/12/2020', rule('date')],
    ['2023-02-29', rule('date')],
    [[1], rule('list')],
    [{}, rule('list')]
  ]
  for (const [written, how] of rows) t.throws(() => value({ A: written }, how), drift, JSON.stringify(written))
  t.throws(() => value({}, 'A'), gone)
  t.equal(value({}, rule('text', { optional: true })), null)
  t.throws(
    () => value(JSON.parse('{"B":"x"}') as Row, 'constructor'),
    gone,
    'what every object inherits is no attribute'
  )
})

t.test('keys are text, or numbers of so many digits', async t => {
  const text: KeyRule = { from: 'PIN', as: 'text' }
  const wide: KeyRule = { from: 'PIN', as: 'integer', width: 10 }
  const plain: KeyRule = { from: 'PIN', as: 'integer' }
  const rows: readonly (readonly [KeyRule, Json, string | null])[] = [
    [text, '0420590010014', '0420590010014'],
    [text, ' 042  ', '042'],
    [text, ' ', null],
    [plain, 42, '42'],
    [plain, '42.0', '42'],
    [wide, 42, '0000000042'],
    [wide, 12_345_678_901, '12345678901']
  ]
  for (const [how, written, expected] of rows) t.equal(readKey({ PIN: written }, how, memberOf), expected)
  for (const [how, written] of [
    [text, 42],
    [plain, '4 2'],
    [plain, 42.5],
    [plain, 2 ** 53 + 2]
  ] as const) {
    t.throws(() => readKey({ PIN: written }, how, memberOf), drift, String(written))
  }
  t.throws(() => readKey({ APN: '42' }, text, memberOf), gone)
})

t.test('a key that cannot be one is not sent', async t => {
  const text: KeyRule = { from: 'PIN', as: 'text' }
  const wide: KeyRule = { from: 'PIN', as: 'integer', width: 4 }
  t.strictSame(
    ['17-03', "O'7", '0275B054', 'é', '%', "x') OR ('1'='1"].filter(key => !isAskable(key, text)),
    []
  )
  t.strictSame(
    ['', ' 1', '1 ', '1\u0000', '1\n2', '\u200b1', '\ud800', 'x'.repeat(101)].filter(key => isAskable(key, text)),
    []
  )
  t.strictSame(
    ['0042', '1234', '12345', '42', '00042', '1.5', '-1', '1 OR 1=1', '1'.repeat(16)].filter(key =>
      isAskable(key, wide)
    ),
    ['0042', '1234', '12345']
  )
  t.strictSame(
    ['0', '7', '07'].filter(key => isAskable(key, { from: 'PIN', as: 'integer' })),
    ['0', '7']
  )
})

t.test('days since 1970 are told as the calendar tells them', async t => {
  for (let day = -60_000; day < 60_000; day += 37) {
    const expected = new Date(day * 86_400_000).toISOString().slice(0, 10)
    if (readDate(day * 86_400_000) !== expected) t.equal(readDate(day * 86_400_000), expected)
  }
  t.equal(readDate(-1), '1969-12-31')
  t.equal(readDate(951_782_400_000), '2000-02-29')
  t.equal(readDate(1e18), undefined)
  t.equal(readDate('2024-02-30'), undefined)
  t.equal(readDate('1900-02-29T00:00:00'), undefined)
})
