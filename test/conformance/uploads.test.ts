import t from 'tap'
import { TEST_LIMITS } from '../helpers/app.ts'
import { caseBytes, outcomeOf, sendRawCase } from './case-files.ts'
import { testDeployment } from './deployment.ts'
import { judge } from './judge.ts'

const TYPE = 'multipart/form-data; boundary=caseBoundary7Q'
const PERMIT = { profile: 'permit', jurisdiction: '53033' }

t.test('a file over the limit is refused each time and leaves nothing (up03)', async t => {
  const deployment = await testDeployment(t, {}, { intake: { limits: { ...TEST_LIMITS, fileBytes: 128 } } })
  const body = await caseBytes('upload-up03', 'body.bin')
  for (let time = 1; time <= 2; time += 1) {
    const outcome = await outcomeOf(deployment, await sendRawCase(deployment, PERMIT, { type: TYPE, body }))
    t.strictSame(judge({ http: [413] }, outcome), [], `time ${time}`)
  }
  t.strictSame(await deployment.api.files(), [], 'no payload, nothing in the spool')
  const { rows } = await deployment.api.pool.query('select id from batch')
  t.strictSame(rows, [])
})

t.test('with requests that meet', async t => {
  const deployment = await testDeployment(t)

  await t.test('two identical requests at once and a third later are one batch (up09)', async t => {
    const body = await caseBytes('upload-up09', 'body.bin')
    const send = () => sendRawCase(deployment, PERMIT, { type: TYPE, body })
    const responses = await Promise.all([send(), send()])
    const outcomes = await Promise.all(responses.map(response => outcomeOf(deployment, response)))
    outcomes.push(await outcomeOf(deployment, await send()))
    for (const outcome of outcomes)
      t.strictSame(judge({ http: [200, 202], counts: { total: 1, accepted: 1 } }, outcome), [])
    t.equal(new Set(outcomes.map(({ batch }) => batch?.id)).size, 1)
    const { rows } = await deployment.api.pool.query(
      `select (select count(*)::int from canonical_record) as versions, (select count(*)::int from batch) as batches,
        (select count(*)::int from pgboss.job where state not in ('completed', 'created')) as unfinished`
    )
    t.strictSame(rows, [{ versions: 1, batches: 1, unfinished: 0 }])
  })

  await t.test('a page of HTML under the name of a PDF is not read as one (up11)', async t => {
    const body = await caseBytes('upload-up11', 'fake.bin')
    const outcome = await outcomeOf(
      deployment,
      await sendRawCase(deployment, { ...PERMIT, profile: 'policy' }, { type: TYPE, body })
    )
    const reasons = ['FILE_TYPE_MISMATCH', 'FILE_TYPE_UNSUPPORTED', 'DOC_TYPE_UNKNOWN']
    const every = { state_any: ['quarantined', 'rejected'], reason_any: reasons }
    t.strictSame(judge({ http: [202], counts: { total: 1 }, every }, outcome), [])
  })

  await t.test('a name beyond ASCII is kept as it was meant (up05)', async t => {
    const body = await caseBytes('upload-up05', 'body.bin')
    const outcome = await outcomeOf(deployment, await sendRawCase(deployment, PERMIT, { type: TYPE, body }))
    t.match(outcome.records?.[0]?.filename, /^genehmigungen-März/)
  })
})
