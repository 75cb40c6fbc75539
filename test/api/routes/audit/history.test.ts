import t from 'tap'
import { sentenceOf } from '../../../../src/audit/history/plain-words.ts'
import { TRANSITIONS } from '../../../../src/model/states.ts'
import { testApi } from '../../../helpers/app.ts'
import { testPipeline } from '../../../helpers/pipeline.ts'

const HEADER = 'submission_id,permit_type_code,parcel_id,jurisdiction_fips,applicant_name'
const CANARY = 'Zebulon Quack'

t.test('the history of a record in plain words', async t => {
  const pipeline = await testPipeline(t)
  const api = await testApi(t, { on: pipeline })
  pipeline.work()
  const rows = [`P-1,BLDG,,53033,${CANARY}`, `P-2,BLDG,1234567,53033,${CANARY}`]
  const batch = await pipeline.submit([{ name: 'a.csv', bytes: [HEADER, ...rows].join('\n'), type: 'text/csv' }])
  await pipeline.finished(batch.id)
  const records = await pipeline.records(batch.id)
  const held = records.find(one => one.state === 'quarantined')
  const url = `/v1/records/${held?.id}/history`
  await api.fetch(`/v1/quarantine/${held?.id}/reject`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'if-match': '"1"' },
    body: JSON.stringify({ reason: 'FIELD_MISSING', comment: `${CANARY} <script>` })
  })
  await api.fetch(`/v1/records/${held?.id}/payload`)

  const get = async (accept?: string) => {
    const answer = await api.fetch(url, { headers: accept ? { accept } : {} })
    return { status: answer.status, type: answer.headers.get('content-type'), answer, text: await answer.text() }
  }
  const json = await get()
  const body = JSON.parse(json.text) as { events: { transition: string; text: string; at: string; actor: string }[] }
  t.match(json, { status: 200, type: /^application\/json/ })
  const told = body.events.map(one => one.transition)
  t.strictSame(
    told.filter(one => ['received', 'quarantined', 'rejected', 'downloaded'].includes(one)),
    ['received', 'quarantined', 'rejected', 'downloaded']
  )
  t.match(
    body.events.find(one => one.transition === 'quarantined')?.text,
    /held for a person to decide\. .*\(FIELD_MISSING\)/
  )
  t.match(body.events.find(one => one.transition === 'downloaded')?.text, 'payload')
  t.ok(body.events.every(one => /^\d{4}-\d\d-\d\dT/.test(one.at) && one.text.endsWith('.') === !one.text.endsWith(')')))

  const plain = await get('text/plain')
  t.match(plain, { status: 200, type: 'text/plain; charset=utf-8' })
  t.equal(plain.text.trim().split('\n').length, 2 + body.events.length, 'a line for each step')
  const html = await get('text/html,application/xhtml+xml;q=0.9,*/*;q=0.8')
  t.match(html, { status: 200, type: 'text/html; charset=utf-8' })
  t.match(html.answer.headers.get('content-security-policy'), /default-src 'none'/)
  for (const { text } of [json, plain, html]) t.notOk(text.includes('Zebulon') || text.includes('<script'), 'no value')

  const cut = JSON.parse(await (await api.fetch(`${url}?limit=1`)).text()) as { next_cursor: string }
  t.type(cut.next_cursor, 'string')
  t.equal((await api.fetch(`${url}?limit=1&cursor=${cut.next_cursor}`)).status, 200)
  const stranger = await api.keyFor({ scopes: ['read'], jurisdictions: ['06037'] })
  t.equal((await api.fetch(url, { headers: { authorization: `Bearer ${stranger}` } })).status, 404)
})

t.test('every transition has a sentence, and what is unknown is named', async t => {
  const step = { batch: 'b', detail: { duplicate_of: 'r', corrected: ['x'] }, reasons: [] }
  const sentences = TRANSITIONS.map(one => sentenceOf(one, step))
  t.equal(new Set(sentences).size, TRANSITIONS.length)
  t.match(sentenceOf('accepted', step), 'repetition')
  t.equal(sentenceOf('something', step), 'something.')
})
