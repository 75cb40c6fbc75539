import t from 'tap'
import { computeFee } from '../../../src/registries/fees/compute-fee.ts'
import { permitFee, scheduleOf } from './schedules.ts'

const centsOf = (schedule: Parameters<typeof computeFee>[0], inputs: Parameters<typeof computeFee>[1]) => {
  const fee = computeFee(schedule, inputs)
  return fee.kind === 'fee' ? fee.feeCents : fee
}

t.test('the vectors of the valuation table are exact to the cent', async t => {
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
  const schedule = scheduleOf([permitFee()])
  for (const [valuation, cents] of vectors) {
    t.equal(centsOf(schedule, { project_valuation: valuation }), cents, valuation)
  }
})

t.test('plan check of 65 % pins the mode of rounding', async t => {
  const planCheck = { name: 'plan_check', kind: 'percent', of: ['permit_fee'], percent: '65' }
  const vectors: [string, string, string][] = [
    ['31600', '300.27', '300.27'],
    ['250000', '1191.94', '1191.94'],
    ['1234567.89', '4203.23', '4203.22']
  ]
  for (const [valuation, halfUp, halfEven] of vectors) {
    for (const [mode, expected] of [
      ['half_up', halfUp],
      ['half_even', halfEven]
    ] as const) {
      const schedule = scheduleOf([permitFee(), planCheck], { rounding: { mode } })
      t.match(computeFee(schedule, { project_valuation: valuation }), {
        lines: [{}, { name: 'plan_check', amount: expected }]
      })
    }
  }
})

t.test('rounding at the total differs from rounding each line, and whole dollars from cents', async t => {
  const lines = [
    { name: 'a', kind: 'flat', amount: '10.004' },
    { name: 'b', kind: 'flat', amount: '10.004' },
    { name: 'c', kind: 'percent', of: ['a', 'b'], percent: '10' }
  ]
  t.equal(centsOf(scheduleOf(lines), {}), 22_00)
  t.equal(centsOf(scheduleOf(lines, { rounding: { stage: 'total' } }), {}), 22_01)
  const dollars = (mode: string, amount: string) =>
    centsOf(scheduleOf([{ name: 'a', kind: 'flat', amount }], { rounding: { unit: '1.00', mode } }), {})
  t.same(
    ['10.49', '10.50', '11.50', '11.51'].map(amount => dollars('half_up', amount)),
    [10_00, 11_00, 12_00, 12_00]
  )
  t.same(
    ['10.49', '10.50', '11.50', '11.51'].map(amount => dollars('half_even', amount)),
    [10_00, 10_00, 12_00, 12_00]
  )
  t.same([dollars('ceil', '10.01'), dollars('ceil', '10.00')], [11_00, 10_00])
  t.same([dollars('floor', '10.99'), dollars('floor', '11.00')], [10_00, 11_00])
})

t.test('per unit, with a minimum, what is included, and a unit that was begun', async t => {
  const hours = { name: 'hours', kind: 'per_unit', of: 'hours', rate: '47.00', minimum: '94.00' }
  t.same(
    ['1', '2', '2.5', '3'].map(n => centsOf(scheduleOf([hours]), { hours: n })),
    [94_00, 94_00, 141_00, 141_00]
  )
  const units = { name: 'units', kind: 'per_unit', of: 'housing_units', rate: '12.50', included: '2' }
  t.same(
    [0, 2, 3, 72].map(n => centsOf(scheduleOf([units]), { housing_units: n })),
    [0, 0, 12_50, 875_00]
  )
  const area = { name: 'area', kind: 'per_unit', of: 'total_sqft', rate: '4', unit: '100', maximum: '40.00' }
  t.same(
    ['1', '100', '100.5', '5000'].map(n => centsOf(scheduleOf([area]), { total_sqft: n })),
    [4_00, 4_00, 8_00, 40_00]
  )
})

t.test(
  'a surcharge by tiers without a unit is of exactly what is above, as the state of Minnesota takes it',
  async t => {
    const tier = (over: string, to: string | null, base: string, rate: string) => ({ over, to, base, rate })
    const surcharge = {
      name: 'state_surcharge',
      kind: 'brackets',
      of: 'project_valuation',
      brackets: [
        tier('0', '1000000', '0', '0.0005'),
        tier('1000000', '2000000', '500', '0.0004'),
        tier('2000000', '3000000', '900', '0.0003'),
        tier('3000000', null, '1200', '0.0002')
      ]
    }
    t.same(
      ['31600', '999.99', '1000000', '1000001', '2500000', '4000000'].map(valuation =>
        centsOf(scheduleOf([surcharge]), { project_valuation: valuation })
      ),
      [15_80, 50, 500_00, 500_00, 1050_00, 1400_00]
    )
  }
)

t.test('multipliers by class, and doubled for work begun before the permit', async t => {
  const line = {
    name: 'permit_fee',
    kind: 'flat',
    amount: '100.00',
    multipliers: [
      { field: 'permit_class', values: { Residential: '1', Commercial: '1.5' } },
      { field: 'work_begun', values: { true: '2', false: '1' }, absent: '1' }
    ]
  }
  const cents = (inputs: Parameters<typeof computeFee>[1]) => centsOf(scheduleOf([line]), inputs)
  t.equal(cents({ permit_class: ' COMMERCIAL ' }), 150_00)
  t.equal(cents({ permit_class: 'Residential', work_begun: true }), 200_00)
  t.equal(cents({ permit_class: 'Commercial', work_begun: false }), 150_00)
  t.same(cents({}), { kind: 'missing', fields: ['permit_class'] })
  t.same(cents({ permit_class: 'Mixed use' }), { kind: 'not_covered', field: 'permit_class' })
})

t.test('a line with a condition is charged when it holds, and a record that does not tell is held', async t => {
  const lines = (absent?: string) => [
    { name: 'permit_fee', kind: 'flat', amount: '100.00' },
    {
      name: 'technology',
      kind: 'percent',
      of: ['permit_fee'],
      percent: '3',
      when: { field: 'permit_class', in: ['Commercial'], ...(absent ? { absent } : {}) }
    }
  ]
  t.equal(centsOf(scheduleOf(lines()), { permit_class: 'commercial' }), 103_00)
  t.equal(centsOf(scheduleOf(lines()), { permit_class: 'Residential' }), 100_00)
  t.same(centsOf(scheduleOf(lines()), {}), { kind: 'missing', fields: ['permit_class'] })
  t.equal(centsOf(scheduleOf(lines('skip')), {}), 100_00)
  t.equal(centsOf(scheduleOf(lines('apply')), {}), 103_00)
})

t.test('everything a record lacks is named at once; a value the schedule does not cover is not guessed', async t => {
  const schedule = scheduleOf([
    permitFee(),
    { name: 'area', kind: 'per_unit', of: 'total_sqft', rate: '1' },
    { name: 'units', kind: 'per_unit', of: 'housing_units', rate: '1' }
  ])
  t.same(computeFee(schedule, { project_valuation: '10.00', total_sqft: null }), {
    kind: 'missing',
    fields: ['total_sqft', 'housing_units']
  })
  const inputs = { total_sqft: '1', housing_units: 1 }
  for (const value of ['0.00', '-5.00', 'about ten', 1.5, '1e3', '12,5']) {
    t.same(computeFee(schedule, { ...inputs, project_valuation: value }), {
      kind: 'not_covered',
      field: 'project_valuation'
    })
  }
})

t.test('minimum and maximum of the whole, and a sum no number holds', async t => {
  const flat = (amount: string) => [{ name: 'a', kind: 'flat', amount }]
  t.equal(centsOf(scheduleOf(flat('3'), { minimum: '50.00' }), {}), 50_00)
  t.equal(centsOf(scheduleOf(flat('300'), { maximum: '50.00', rounding: { stage: 'total' } }), {}), 50_00)
  t.same(centsOf(scheduleOf(flat('999999999999999')), {}), { kind: 'not_covered', field: 'fee_cents' })
})
