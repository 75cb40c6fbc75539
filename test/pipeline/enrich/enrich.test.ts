import t from 'tap'
import { JURISDICTION } from '../../helpers/factory.ts'
import { testPipeline } from '../../helpers/pipeline.ts'

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
  t.match(await p.records(id), [
    {
      state: 'accepted',
      content: { zoning_code: 'R-1', fee_cents: 5900, fee_schedule_id: 'FS-2024' },
      fields: { zoning_code: { origin: { registry: 'parcel', key: '22-1' } } }
    },
    { state: 'quarantined', codes: ['PARCEL_NO_MATCH'] },
    { state: 'quarantined', codes: ['FEE_SCHEDULE_MISSING'] }
  ])
})
