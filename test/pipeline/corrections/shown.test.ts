import t from 'tap'
import { json, testApi } from '../../helpers/app.ts'
import { testPipeline } from '../../helpers/pipeline.ts'
import { errorsOf, fates, send } from './round-trip.ts'

const CSV =
  'permit_number,parcel_id,permit_type,issued_date,valuation\nA,22-1,roof,2024-02-30,1.00\nB,22-1,roof,2024-02-30,1.00\n'

t.test('records that were corrected in a file are shown with what replaced them', async t => {
  const p = await testPipeline(t)
  const api = await testApi(t, { on: p })
  p.work()
  const first = await send(p, { name: 'a.csv', bytes: CSV })
  const mended = (await errorsOf(p, first)).toString('utf8').replace('2024-02-30', '2024-02-29')
  const second = await send(p, { name: 'a.csv', bytes: mended })
  const [old] = await fates(p, first)
  const [replacement] = await fates(p, second)
  const corrected = {
    state: 'rejected',
    reasons: [{ code: 'CORRECTED' }, { code: 'INVALID_DATE' }],
    replaced_by: replacement?.id,
    decision: { action: 'replace', reason: null, comment: null, actor: /^key:/ }
  }

  const one = await api.fetch(`/v1/records/${old?.id}`)
  t.equal(one.status, 200)
  t.match(await json(one), corrected)
  const page = await api.fetch(`/v1/batches/${first}/records`)
  t.equal(page.status, 200)
  t.match(await json(page), { data: [corrected, { state: 'quarantined', decision: null }] })
  const revisions = await api.fetch(`/v1/records/${old?.id}/revisions`)
  t.equal(revisions.status, 200)
  t.match(await json(revisions), { data: [{ state: 'quarantined', decision: null }] })
  t.equal((await api.fetch(`/v1/batches/${first}/results.ndjson`)).status, 200)
})
