import t from 'tap'
import { chooseSchedule } from '../../../src/registries/fees/choose-schedule.ts'
import { computeFee } from '../../../src/registries/fees/compute-fee.ts'
import { readFeeSchedule, readScheduleFile } from '../../../src/registries/fees/read-schedule.ts'
import { schedulesOf } from '../../../src/registries/fees/stored-schedules.ts'
import { permitFee, scheduleOf } from './schedules.ts'

const LINES = [permitFee()]
const faultsOf = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    return String(error)
  }
  return 'none'
}

t.test('the schedule is chosen by type and day of application', async t => {
  const all = [
    scheduleOf(LINES, { id: 'general-2020', effective_to: '2024-07-01' }),
    scheduleOf(LINES, { id: 'general-2024', effective_from: '2024-07-01' }),
    scheduleOf(LINES, { id: 'roof', permit_types: ['ROOF', 'Re-Roof'] })
  ]
  const chosen = (permitType: string, appliedDate: string) => {
    const choice = chooseSchedule(all, { permitType, appliedDate })
    return choice.kind === 'one' ? choice.schedule.id : choice.kind
  }
  t.equal(chosen('roof', '2024-01-01'), 'roof')
  t.equal(chosen(' re-roof', '2024-01-01'), 'roof')
  t.equal(chosen('POOL', '2024-06-30'), 'general-2020')
  t.equal(chosen('POOL', '2024-07-01'), 'general-2024')
  t.equal(chosen('POOL', '2019-12-31'), 'none')
  const two = [...all, scheduleOf(LINES, { id: 'general-again' })]
  t.same(chooseSchedule(two, { permitType: 'POOL', appliedDate: '2024-06-30' }), {
    kind: 'several',
    ids: ['general-2020', 'general-again']
  })
})

t.test('a schedule that is not sound is refused with the path of each fault and what was expected', async t => {
  const faults = faultsOf(() =>
    readFeeSchedule({
      id: 'A',
      effective_from: '2024-02-30',
      rounding: { unit: '0.001', mode: 'up' },
      lines: [
        { name: 'x', kind: 'flat', amount: 12.5 },
        { name: 'y', kind: 'flat', amount: '1', surplus: 1 }
      ]
    })
  )
  for (const part of [
    'effective_from: expected a day as YYYY-MM-DD',
    'rounding.unit: expected whole cents',
    'rounding.mode: ',
    'lines[0].amount: ',
    'lines[1]: '
  ]) {
    t.match(faults, part)
  }
})

t.test('lines that name nothing, each other or themselves are refused', async t => {
  const percent = (name: string, ...of: string[]) => ({ name, kind: 'percent', of, percent: '10' })
  const refusal = (...lines: object[]) =>
    faultsOf(() => readFeeSchedule({ id: 'A', effective_from: '2024-01-01', lines: [permitFee(), ...lines] }))
  t.equal(refusal(percent('a', 'permit_fee'), percent('b', 'a', 'permit_fee')), 'none')
  t.match(refusal(percent('a', 'nothing')), 'lines[1].of: expected names of other lines; there is no nothing')
  t.match(refusal(percent('a', 'a')), 'lines[1].of: the line is a percentage of itself')
  t.match(refusal(percent('a', 'b'), percent('b', 'c'), percent('c', 'a')), /lines\[1\].*lines\[2\].*lines\[3\]/)
  t.match(refusal(percent('permit_fee', 'permit_fee')), 'stands twice')
  t.match(refusal(percent('a', 'permit_fee', 'permit_fee')), 'lines[1].of: "permit_fee" stands twice')
  const factors = (values: object) => ({
    name: 'f',
    kind: 'flat',
    amount: '1',
    multipliers: [{ field: 'permit_class', values }]
  })
  t.equal(refusal(factors({ Residential: '1', Commercial: '2' })), 'none')
  t.match(
    refusal(factors({ 'Two Family': '1', 'two  family ': '2' })),
    'lines[1].multipliers[0].values: "two family" stands twice'
  )
  t.match(
    faultsOf(() => scheduleOf(LINES, { effective_to: '2020-01-01' })),
    'effective_to: expected a day after effective_from'
  )
})

t.test('a file names its jurisdiction and each schedule once', async t => {
  const schedule = { id: 'A', effective_from: '2024-01-01', lines: LINES }
  t.match(readScheduleFile({ jurisdiction: '53033', schedules: [schedule] }), { schedules: [{ id: 'A' }] })
  t.match(
    faultsOf(() => readScheduleFile({ jurisdiction: '53033', schedules: [schedule, schedule] })),
    'the schedule A twice'
  )
  t.match(
    faultsOf(() => readScheduleFile({ jurisdiction: 'King County', schedules: [] })),
    'jurisdiction: expected'
  )
})

t.test('tables of brackets stored before schedules had lines still work', async t => {
  const rows = [
    {
      id: 'FS-2024',
      permitTypeCode: 'ROOF',
      effectiveFrom: '2020-01-01',
      effectiveTo: null,
      definition: null,
      brackets: [{ over: '0', upTo: null, base: '50.00', rate: '1.00', unit: '1000' }]
    }
  ]
  const [schedule] = schedulesOf(rows)
  if (!schedule) throw new Error('no schedule')
  t.match(schedule, { id: 'FS-2024', permit_types: ['ROOF'] })
  t.match(computeFee(schedule, { project_valuation: '8400' }), { feeCents: 59_00 })
  t.equal(schedulesOf(rows)[0], schedule, 'read once')
})
