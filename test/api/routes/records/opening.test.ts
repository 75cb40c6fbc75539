import { createHash } from 'node:crypto'
import t from 'tap'
import { testApi } from '../../../helpers/app.ts'
import { JURISDICTION } from '../../../helpers/factory.ts'
import { testPipeline } from '../../../helpers/pipeline.ts'

const CSV = [
  'submission_id,permit_type_code,parcel_id,project_valuation,applicant_name,remarks',
  'P-1,BLDG,1234567890,1000.00,"Ann ""A"" Öhm\t","a\\b"',
  'P-2,BLDG,,1000.00,Bob,',
  'P-1,BLDG,1234567890,1000.00,"Ann ""A"" Öhm\t","a\\b"'
].join('\n')

interface Opening {
  readonly salt: string
  readonly text: string
  readonly content: string
  readonly revision: number
}

t.test('what an entry committed to is opened, for every way a record can go', async t => {
  const pipeline = await testPipeline(t)
  const api = await testApi(t, { on: pipeline })
  const call = async (path: string, key = api.admin, options: Record<string, unknown> = {}) => {
    const answer = await api.fetch(path, {
      ...options,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'if-match': '"1"' }
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  pipeline.work()
  const batch = await pipeline.submit([{ name: 'a.csv', bytes: CSV, type: 'text/csv' }])
  await pipeline.finished(batch.id)
  const check = async (id: string, revision: number): Promise<Record<string, unknown>> => {
    const { body } = await call(`/v1/records/${id}/opening`)
    const { salt, text, content, revision: told } = body as unknown as Opening
    t.equal(
      createHash('sha256')
        .update(salt + text)
        .digest('hex'),
      content
    )
    t.equal(told, revision)
    const { body: chain } = await call(`/v1/records/${id}/audit`)
    const entries = (chain['data'] as { entry: string }[]).map(({ entry }) => JSON.parse(entry) as { content?: string })
    t.equal(entries.findLast(entry => entry.content !== undefined)?.content, content, 'the newest entry has it')
    return JSON.parse(text) as Record<string, unknown>
  }
  const [accepted, held, duplicate] = await pipeline.records(batch.id)
  t.match(await check(accepted?.id ?? '', 1), { state: 'accepted', content: { submission_id: 'P-1' }, line: 2 })
  t.match(await check(duplicate?.id ?? '', 1), { state: 'accepted', content: null })
  t.match(await check(held?.id ?? '', 1), { state: 'quarantined', reasons: [{ code: 'FIELD_MISSING' }] })
  const id = held?.id ?? ''
  const released = await call(`/v1/quarantine/${id}/release`, api.admin, {
    method: 'POST',
    body: JSON.stringify({ corrections: { parcel_id: '9999999999' } })
  })
  t.equal(released.status, 200, JSON.stringify(released.body))
  t.match(await check(id, 2), { state: 'accepted', content: { parcel_id: '9999999999' }, decision: {} })

  const other = await api.keyFor({ jurisdictions: ['99999'], scopes: ['read'] })
  t.match(await call(`/v1/records/${id}/opening`, other), { status: 404 })
  const auditor = await api.keyFor({ jurisdictions: [JURISDICTION], scopes: ['audit'] })
  t.match(await call(`/v1/records/${id}/opening`, auditor), { status: 403 }, 'values are not for auditors')
  await pipeline.pool.query('update record set salt = null where id = $1', [id])
  t.match(await call(`/v1/records/${id}/opening`), { status: 404 }, 'without a salt there is nothing to open')
})
