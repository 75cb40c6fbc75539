import t from 'tap'
import { lintSchedules, signOff, unsigned } from '../../../src/registries/fees/lint/lint-schedules.ts'
import { bracket, permitFee, scheduleOf, UBC } from './schedules.ts'

const FIELDS = new Set(['project_valuation', 'permit_class'])
type Rows = Parameters<typeof permitFee>[0]
const lint = (rows: Rows) => lintSchedules([scheduleOf([permitFee(rows)])], FIELDS)
const textsOf = (rows: Rows) => lint(rows).map(({ severity, kind, text }) => `${severity} ${kind} ${text}`)

t.test('a table that meets has no findings', async t => {
  t.same(lint(UBC), [])
})

t.test('a wrong base is told with what is printed and what is implied, as in adopted tables', async t => {
  // American Falls: 391.75 where 391.25 is implied. Centerville MN: 10 cents less than implied, so the fee falls too.
  const americanFalls = UBC.map(row => (row.over === '25000' ? { ...row, base: '391.75' } : row))
  t.same(textsOf(americanFalls), [
    'sign_off discontinuity permit_fee at 25000: 391.75 printed, 391.25 implied',
    'sign_off discontinuity permit_fee at 50000: 643.75 printed, 644.25 implied'
  ])
  const low = [bracket('0', '50000', '804.95'), bracket('50000', null, '804.85', '0.05', '1000')]
  t.same(textsOf(low), [
    'sign_off discontinuity permit_fee at 50000: 804.85 printed, 804.95 implied',
    'sign_off not_monotone permit_fee above 50000: the fee falls from 804.95'
  ])
})

t.test('all joints of a table whose rates are shifted by one row are found', async t => {
  const shifted = UBC.map((row, at) => ({ ...row, rate: UBC[at - 1]?.rate ?? '0', unit: UBC[at - 1]?.unit ?? null }))
  t.ok(lint(shifted).filter(({ kind }) => kind === 'discontinuity').length >= 5)
})

t.test('gaps, overlaps and brackets without content are errors', async t => {
  const printed = [bracket('0', '500', '23.50'), bracket('501', '2000', '23.50', '3.05', '100')]
  t.match(textsOf(printed), [/^error gap permit_fee from 500 to 501: nothing is charged/, /^note end/])
  t.match(textsOf([bracket('0', '500', '1'), bracket('400', null, '1')]), [/^error overlap permit_fee from 400 to 500/])
  t.match(textsOf([bracket('0', null, '1'), bracket('400', null, '1')]), [/^error overlap .* has no end/])
  t.match(textsOf([bracket('0', '500', '1'), bracket('500', '50', '1')]), [
    /^error empty permit_fee over 500: ends at 50/
  ])
  t.match(textsOf([bracket('10', '20', '1')]), [/^note start/, /^note end/])
})

t.test('a tier without a unit is followed exactly to its top', async t => {
  const tiers = [bracket('0', '1000000', '0', '0.0005'), bracket('1000000', null, '500', '0.0004')]
  t.same(lint(tiers), [])
})

t.test('a field no permit has is an error', async t => {
  const schedule = scheduleOf([
    permitFee(),
    { name: 'pool', kind: 'per_unit', of: 'gallons', rate: '1' },
    { name: 'class', kind: 'flat', amount: '1', multipliers: [{ field: 'klass', values: { a: '1' } }] }
  ])
  t.match(lintSchedules([schedule], FIELDS), [
    { severity: 'error', text: 'asks for gallons, which is no field of a permit' },
    { text: 'asks for klass, which is no field of a permit' }
  ])
})

t.test('days without a schedule are told, days with two are errors, by type of permit', async t => {
  const of = (id: string, from: string, to: string | null, types: string[] | null = null) =>
    scheduleOf([permitFee()], { id, effective_from: from, effective_to: to, permit_types: types })
  const dates = (...schedules: ReturnType<typeof of>[]) =>
    lintSchedules(schedules, FIELDS).map(({ kind, schedule }) => `${kind} ${schedule}`)
  t.same(dates(of('a', '2020-01-01', '2021-01-01'), of('b', '2021-01-01', null)), [])
  t.same(dates(of('b', '2021-02-01', null), of('a', '2020-01-01', '2021-01-01')), ['dates_gap b'])
  t.same(dates(of('a', '2020-01-01', null), of('b', '2021-01-01', null)), ['dates_overlap b'])
  t.same(dates(of('a', '2020-01-01', null), of('b', '2021-01-01', null, ['ROOF'])), [])
  t.same(dates(of('a', '2020-01-01', null, ['Roof', 'Fence']), of('b', '2021-01-01', null, ['ROOF'])), [
    'dates_overlap b'
  ])
})

t.test('a signature stands for the findings it names and for no others', async t => {
  const broken = (base: string) => [bracket('0', '500', '10'), bracket('500', null, base)]
  const first = [scheduleOf([permitFee(broken('12'))])]
  const findings = lintSchedules(first, FIELDS)
  t.equal(unsigned(first, findings).length, 1)
  const signed = signOff(first, findings, 'A. Clerk')
  t.match(signed, [{ signed_off: { by: 'A. Clerk', findings: ['permit_fee at 500: 12.00 printed, 10.00 implied'] } }])
  t.same(unsigned(signed, lintSchedules(signed, FIELDS)), [])
  // The table was edited after it was signed.
  const edited = signed.map(schedule => ({ ...schedule, lines: scheduleOf([permitFee(broken('13'))]).lines }))
  t.equal(unsigned(edited, lintSchedules(edited, FIELDS)).length, 1)
})
