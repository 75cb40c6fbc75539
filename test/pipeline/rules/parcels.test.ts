import t from 'tap'
import { testPipeline } from '../../helpers/pipeline.ts'

const COOK = '17031'

t.test('a parcel is found by the form its registry keeps, and contradictions are told with both values', async t => {
  const p = await testPipeline(t)
  // One parcel as a tax bill prints it, one without separators, and one that is not there.
  await p.pool.query(
    `insert into registry_parcel (jurisdiction, parcel_id, zoning_code, owner_name, site_address) values
       ($1, '17-03-123-045-0000', 'RS-3', 'DOE JANE A', '233 S WACKER DR'),
       ($1, '17031230460000', 'B1-2', 'MAPLE GROVE LLC', '14 OAK ST')`,
    [COOK]
  )
  p.work()
  const bytes =
    'permit_number,parcel_id,permit_type,applied_date,valuation,owner,address\n' +
    'K-1,17-03-123-045-0000,roof,2024-03-01,8400,Jane Doe,"233 South Wacker Drive, Chicago, IL 60606"\n' +
    'K-2,17-03-123-046,roof,2024-03-01,8400,"Oak Grove, L.L.C.",12 Oak Street\n' +
    'K-3,17-03-999-046-0000,roof,2024-03-01,8400,Jane Doe,12 Oak Street\n'
  const { id } = await p.submit([{ name: 'k.csv', bytes, type: 'text/csv' }], { jurisdiction: COOK })
  await p.finished(id)
  const records = await p.records(id)
  t.match(records, [
    { state: 'accepted', codes: [], content: { parcel_id: '17031230450000', zoning_code: 'RS-3' } },
    {
      state: 'accepted',
      codes: ['OWNER_DIFFERS', 'ADDRESS_DIFFERS'],
      content: { parcel_id: '17031230460000', zoning_code: 'B1-2', owner_name: 'Oak Grove, L.L.C.' },
      fields: {
        parcel_id: { raw: '17-03-123-046', flags: ['SUFFIX_DEFAULTED'] },
        owner_name: { flags: ['OWNER_DIFFERS'], readings: ['Oak Grove, L.L.C.', 'MAPLE GROVE LLC'] },
        site_address: { flags: ['ADDRESS_DIFFERS'], readings: ['12 Oak Street', '14 OAK ST'] }
      }
    },
    { state: 'quarantined', codes: ['PARCEL_NO_MATCH'] }
  ])
  const { rows } = await p.pool.query(`select reasons::text as text from record where batch_id = $1`, [id])
  t.notMatch(rows.map(row => row.text).join(), /Oak|Grove/i, 'reasons hold no value')
})

t.test('a parcel that the registry has more than once is held with its candidates', async t => {
  const p = await testPipeline(t)
  await p.pool.query(
    `insert into registry_parcel (jurisdiction, parcel_id, zoning_code, equivalents) values
       ($1, '17031230450001', 'RS-3', '{17031230450000}'), ($1, '17031230450002', 'RS-3', '{17031230450000}')`,
    [COOK]
  )
  p.work()
  const bytes =
    'permit_number,parcel_id,permit_type,applied_date,valuation\nK-1,17-03-123-045-0000,roof,2024-03-01,8400\n'
  const { id } = await p.submit([{ name: 'k.csv', bytes, type: 'text/csv' }], { jurisdiction: COOK })
  await p.finished(id)
  t.match(await p.records(id), [
    {
      state: 'quarantined',
      codes: ['PARCEL_MULTIPLE'],
      fields: { parcel_id: { readings: [{ parcelId: '17031230450001' }, { parcelId: '17031230450002' }] } }
    }
  ])
})
