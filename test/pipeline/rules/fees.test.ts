import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { main } from '../../../src/cli/main.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { testPipeline } from '../../helpers/pipeline.ts'
import { bracket, permitFee, UBC } from '../../registries/fees/schedules.ts'

const SCHEDULE = {
  id: 'building-2025',
  effective_from: '2025-01-01',
  lines: [
    permitFee(),
    { name: 'plan_check', kind: 'percent', of: ['permit_fee'], percent: '65' },
    {
      name: 'area',
      kind: 'per_unit',
      of: 'total_sqft',
      rate: '0.10',
      when: { field: 'permit_class', in: ['Commercial'], absent: 'skip' }
    }
  ]
}

async function office(t: Test) {
  const p = await testPipeline(t)
  const folder = await mkdtemp(join(tmpdir(), 'docket-fees-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'fees.json')
  const run = async (...args: string[]) => {
    const out: string[] = []
    const say = (line: string) => out.push(line)
    const status = await main(['registry', ...args], { out: say, err: say, env: { DATABASE_URL: p.url } })
    return { status, out: out.join('\n') }
  }
  return {
    ...p,
    path,
    run,
    async load(schedules: readonly object[], ...args: string[]) {
      await writeFile(path, JSON.stringify({ jurisdiction: JURISDICTION, schedules }))
      return run('load', 'fees', path, ...args)
    },
    async judged(...rows: readonly string[]) {
      const bytes = `permit_number,parcel_id,permit_type,applied_date,valuation,permit_class,total_sqft\n${rows.join('\n')}\n`
      const { id } = await p.submit([{ name: 'f.csv', bytes, type: 'text/csv' }], { force: true })
      await p.finished(id)
      return p.records(id)
    }
  }
}

t.test('a record gets its fee, the lines of it and the schedule; one that lacks what is asked for is held', async t => {
  const p = await office(t)
  t.match(await p.load([SCHEDULE]), { status: 0, out: /added +building-2025\nLoaded 1 of 1/ })
  p.work()
  const records = await p.judged(
    'F-1,22-1,roof,2025-03-01,1234567.89,Residential,',
    'F-2,22-2,roof,2025-03-01,31600,commercial,2140',
    'F-3,22-3,roof,2025-03-01,31600,Commercial,',
    'F-4,22-4,roof,2024-12-31,31600,,',
    'F-5,22-5,roof,2025-03-01,0,,'
  )
  t.match(records, [
    {
      state: 'accepted',
      content: {
        fee_cents: 646650 + 420323,
        fee_schedule_id: 'building-2025',
        fee_lines: [
          { name: 'permit_fee', amount: '6466.50' },
          { name: 'plan_check', amount: '4203.23' }
        ]
      }
    },
    { state: 'accepted', content: { fee_cents: 46195 + 30027 + 21400 } },
    { state: 'quarantined', codes: ['FEE_INPUT_MISSING'] },
    { state: 'quarantined', codes: ['FEE_SCHEDULE_MISSING'] },
    { state: 'quarantined', codes: ['FEE_NOT_COVERED', 'VALUATION_ZERO'] }
  ])
})

t.test('a table that does not meet is loaded only once somebody has signed it off', async t => {
  const p = await office(t)
  const broken = UBC.map(row => (row.over === '25000' ? { ...row, base: '391.75' } : row))
  const schedule = { ...SCHEDULE, lines: [permitFee(broken)] }
  const stored = async () =>
    (await p.pool.query('select id, definition -> $1 as signed from registry_fee_schedule', ['signed_off'])).rows
  t.match(await p.load([schedule]), { status: 1, out: /unsigned.*391\.75 printed, 391\.25 implied/ })
  t.same(await stored(), [])
  t.match(await p.run('lint', p.path), { status: 1, out: /1 schedules, 2 findings, 2 of them open/ })
  t.match(await p.load([schedule], '--sign-off', 'A. Clerk', '--dry-run'), { status: 0, out: /dry run/ })
  t.same(await stored(), [])
  t.match(await p.load([schedule], '--sign-off', 'A. Clerk'), { status: 0 })
  t.match(await stored(), [{ id: 'building-2025', signed: { by: 'A. Clerk' } }])
  t.match(await p.run('lint', '--jurisdiction', JURISDICTION), { status: 0, out: /signed .* 0 of them open/s })
  t.match(await p.load([{ ...schedule, lines: [permitFee([bracket('0', '500', '1'), bracket('600', null, '1')])] }]), {
    status: 1,
    out: /error.*gap/
  })
})

t.test('a load tells what changes and keeps what was before', async t => {
  const p = await office(t)
  await p.pool.query(
    `insert into registry_fee_schedule (jurisdiction, id, effective_from, brackets) values ($1, 'building-2025', '2025-01-01', $2)`,
    [JURISDICTION, JSON.stringify([{ over: '0', upTo: null, base: '50.00', rate: '1.00', unit: '1000' }])]
  )
  const ended = { ...SCHEDULE, effective_to: '2026-01-01' }
  t.match(await p.load([ended], '--dry-run'), { out: /changed +building-2025\n +effective_to: null → "2026-01-01"/ })
  t.match(await p.load([ended]), { out: /Loaded 1 of 1/ })
  t.match(await p.load([ended]), { out: /unchanged +building-2025\nThere was nothing to load/ })
  const next = { ...SCHEDULE, id: 'building-2026', effective_from: '2025-12-01' }
  t.match(await p.load([next]), { status: 1, out: /error +building-2026 +dates_overlap/ })
  t.match(await p.load([{ ...next, effective_from: '2026-01-01' }]), { status: 0, out: /added +building-2026/ })
  const { rows } = await p.pool.query(
    'select id, version, brackets is not null as old from registry_fee_schedule_version order by id, version'
  )
  t.same(rows, [
    { id: 'building-2025', version: 1, old: true },
    { id: 'building-2025', version: 2, old: false },
    { id: 'building-2026', version: 1, old: false }
  ])
})
