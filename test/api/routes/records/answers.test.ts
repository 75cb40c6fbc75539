import t from 'tap'
import { json, testApi } from '../../../helpers/app.ts'
import { JURISDICTION } from '../../../helpers/factory.ts'
import { testPipeline } from '../../../helpers/pipeline.ts'

t.test('what a record was judged by is shown, also where few of the kinds of registry are kept', async t => {
  const p = await testPipeline(t)
  const api = await testApi(t, { on: p })
  await p.pool.query(`insert into registry_parcel (jurisdiction, parcel_id, zoning_code) values ($1, '22-1', 'R-1')`, [
    JURISDICTION
  ])
  p.work()
  const rows = ['A-1,22-1,roof,2024-03-01,8400', 'A-2,22-9,roof,2024-03-01,8400']
  const bytes = ['permit_number,parcel_id,permit_type,applied_date,valuation', ...rows, ''].join('\n')
  const { id } = await p.submit([{ name: 'a.csv', bytes, type: 'text/csv' }])
  await p.finished(id)
  const [known, unknown] = await p.records(id)
  const answersOf = async (record: string) => json(await api.fetch(`/v1/records/${record}/answers`))
  t.match(await answersOf(known?.id ?? ''), {
    digest: /^[0-9a-f]{64}$/,
    data: [{ registry: 'parcel', value: '22-1', answer: { kind: 'match', value: { zoningCode: 'R-1' } } }]
  })
  t.match((await answersOf(unknown?.id ?? '')).data, [
    { registry: 'parcel', value: '22-9', answer: { kind: 'no_match' } }
  ])
})
