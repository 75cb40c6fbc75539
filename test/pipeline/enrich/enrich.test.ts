import t from 'tap'
import type { Json } from '../../../src/model/json.ts'
import { expandFields, type StoredEnvelope } from '../../../src/profiles/judge/compact-fields.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { type StoredRow, testPipeline } from '../../helpers/pipeline.ts'

const BRACKETS = [{ over: '0', upTo: null, base: '50.00', rate: '1.00', unit: '1000' }]
const csv =
  'permit_number,parcel_id,permit_type,applied_date,valuation\n' +
  'E-1,22-1,roof,2024-03-01,8400\n' +
  'E-2,22-999,roof,2024-03-01,8400\n' +
  'E-3,22-1,roof,2019-03-01,8400\n'

t.test('without a registry a record is judged without it', async t => {
  const p = await testPipeline(t)
  p.work()
  const { id } = await p.submit([{ name: 'e.csv', bytes: csv, type: 'text/csv' }])
  await p.finished(id)
  t.same(
    (await p.records(id)).map(record => record.state),
    ['accepted', 'accepted', 'accepted']
  )
})

t.test('zoning and fee come from the registry with their origin; what it does not know is held', async t => {
  const p = await testPipeline(t)
  await p.pool.query(`insert into registry_parcel (jurisdiction, parcel_id, zoning_code) values ($1, '22-1', 'R-1')`, [
    JURISDICTION
  ])
  await p.pool.query(
    `insert into registry_fee_schedule (jurisdiction, id, effective_from, brackets) values ($1, 'FS-2024', '2020-01-01', $2)`,
    [JURISDICTION, JSON.stringify(BRACKETS)]
  )
  p.work()
  const { id } = await p.submit([{ name: 'e.csv', bytes: csv, type: 'text/csv' }])
  await p.finished(id)
  const records = await p.records(id)
  t.match(records, [
    { state: 'accepted', content: { zoning_code: 'R-1', fee_cents: 5900, fee_schedule_id: 'FS-2024' } },
    { state: 'quarantined', codes: ['PARCEL_NO_MATCH'] },
    { state: 'quarantined', codes: ['FEE_SCHEDULE_MISSING'] }
  ])
  const [{ fields, content }] = records as [StoredRow]
  t.notOk(Object.hasOwn(fields, 'zoning_code'), 'what a registry usually tells is not stored beside its value')
  const place = { jurisdiction: JURISDICTION, row: 1, line: 2, columnOf: () => undefined }
  const shown = expandFields(permit, fields as Record<string, StoredEnvelope>, content as Record<string, Json>, place)
  t.match(shown, {
    zoning_code: { value: 'R-1', raw: null, status: 'found', origin: { registry: 'parcel', key: '22-1' } },
    fee_cents: { value: 5900, origin: { registry: 'fee_schedule', key: 'FS-2024' } },
    fee_lines: { origin: { registry: 'fee_schedule', key: 'FS-2024' } }
  })
})

t.test('a stated fee that is not the computed one is told', async t => {
  const p = await testPipeline(t)
  await p.pool.query(
    `insert into registry_fee_schedule (jurisdiction, id, effective_from, brackets) values ($1, 'FS-2024', '2020-01-01', $2)`,
    [JURISDICTION, JSON.stringify(BRACKETS)]
  )
  const rows = ['59.00', '$59', '10.00', ''].map((fee, i) => `F-${i},22-1,roof,2024-03-01,8400,${fee}`)
  const bytes = `permit_number,parcel_id,permit_type,applied_date,valuation,total_fee\n${rows.join('\n')}\n`
  p.work()
  const { id } = await p.submit([{ name: 'f.csv', bytes, type: 'text/csv' }])
  await p.finished(id)
  t.match(await p.records(id), [
    { state: 'accepted', codes: [] },
    { state: 'accepted', codes: [] },
    { state: 'accepted', codes: ['FEE_MISMATCH'], content: { fee_cents: 5900, stated_fee: '10.00' } },
    { state: 'accepted', codes: [] }
  ])
})

t.test('a permit without a day of application is charged by the day it was received, whenever it runs', async t => {
  const p = await testPipeline(t)
  const schedules = [
    ['FS-OLD', '2020-01-01', '2024-07-01', '50.00'],
    ['FS-NEW', '2024-07-01', null, '90.00']
  ]
  for (const [id, from, to, base] of schedules) {
    await p.pool.query(
      `insert into registry_fee_schedule (jurisdiction, id, effective_from, effective_to, brackets) values ($1, $2, $3, $4, $5)`,
      [JURISDICTION, id, from, to, JSON.stringify([{ over: '0', upTo: null, base, rate: '0', unit: '1' }])]
    )
  }
  const bytes = 'permit_number,parcel_id,permit_type,valuation\nR-1,22-1,roof,8400\n'
  const { id } = await p.submit([{ name: 'r.csv', bytes, type: 'text/csv' }])
  await p.pool.query(`update batch set received_at = '2024-06-30T23:59:00Z' where id = $1`, [id])
  p.work()
  await p.finished(id)
  t.match(await p.records(id), [{ state: 'accepted', content: { fee_cents: 5000, fee_schedule_id: 'FS-OLD' } }])
})
