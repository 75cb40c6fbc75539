import t from 'tap'
import { feeCents, scheduleFor } from '../../src/registries/fee.ts'

type Line = readonly [over: string, upTo: string | null, base: string, rate: string, unit: string]
const bracket = (...[over, upTo, base, rate, unit]: Line) => ({ over, upTo, base, rate, unit })

// UBC 1997 table 1-A, which many cities have adopted.
const TABLE = [
  bracket('0', '500', '23.50', '0', '1'),
  bracket('500', '2000', '23.50', '3.05', '100'),
  bracket('2000', '25000', '69.25', '14.00', '1000'),
  bracket('25000', '50000', '391.25', '10.10', '1000'),
  bracket('50000', '100000', '643.75', '7.00', '1000'),
  bracket('100000', '500000', '993.75', '5.60', '1000'),
  bracket('500000', '1000000', '3233.75', '4.75', '1000'),
  bracket('1000000', null, '5608.75', '3.65', '1000')
]

t.test('the vectors of the table are exact to the cent', async t => {
  const vectors: [string, number][] = [
    ['1', 23_50],
    ['500', 23_50],
    ['500.01', 26_55],
    ['600', 26_55],
    ['600.01', 29_60],
    ['2000', 69_25],
    ['2000.01', 83_25],
    ['25000', 391_25],
    ['25000.01', 401_35],
    ['31600', 461_95],
    ['40000', 542_75],
    ['50000', 643_75],
    ['50001', 650_75],
    ['99999.99', 993_75],
    ['125500', 1139_35],
    ['250000', 1833_75],
    ['412375', 2746_55],
    ['1000000', 5608_75],
    ['1000000.01', 5612_40],
    ['1234567.89', 6466_50]
  ]
  for (const [valuation, cents] of vectors) t.equal(feeCents(TABLE, valuation), cents, valuation)
})

t.test('a valuation outside every bracket has no fee, and a bad table is an error', async t => {
  t.equal(feeCents(TABLE, '0'), null)
  t.equal(feeCents([], '10'), null)
  t.throws(() => feeCents([bracket('0', null, '1e3', '1', '1')], '10'), RangeError)
  t.throws(() => feeCents(TABLE, '12,5'), RangeError)
})

t.test('the schedule of the type goes before the general one; two of the same kind decide nothing', async t => {
  const schedule = (id: string, permitTypeCode: string | null) => ({
    id,
    permitTypeCode,
    effectiveFrom: '2020-01-01',
    effectiveTo: '2025-01-01',
    brackets: TABLE
  })
  const all = [schedule('general', null), schedule('roof', 'ROOF')]
  t.equal(scheduleFor(all, 'ROOF', '2024-12-31')?.id, 'roof')
  t.equal(scheduleFor(all, 'ROOF', '2025-01-01'), undefined)
  t.equal(scheduleFor(all, 'ROOF', '2019-12-31'), undefined)
  t.equal(scheduleFor(all, 'POOL', '2020-01-01')?.id, 'general')
  t.equal(scheduleFor([...all, schedule('roof-2', 'ROOF')], 'ROOF', '2024-01-01'), undefined)
  t.equal(scheduleFor([schedule('roof', 'ROOF')], 'POOL', '2024-01-01'), undefined)
})
