import { createHash } from 'node:crypto'
import { test } from 'tap'
import { json, testApi } from '../helpers/app.ts'

const CSV =
  'submission_id,permit_type_code,parcel_id,project_valuation\nP-1,roof,66-001,1500.00\nP-2,deck,66-002,900.00\n'

function form(
  files: Record<string, string>,
  fields: Record<string, string>,
  order: 'first' | 'last' = 'first'
): FormData {
  const body = new FormData()
  const addFields = (): void => {
    for (const [name, value] of Object.entries(fields)) body.append(name, value)
  }
  if (order === 'first') addFields()
  for (const [name, text] of Object.entries(files)) body.append('file', new Blob([text], { type: 'text/csv' }), name)
  if (order === 'last') addFields()
  return body
}

test('a submission is answered when it is durable: batch, files, chunks, audit entries, jobs', async t => {
  const api = await testApi(t)
  const body = form({ 'june.csv': CSV }, { profile: 'permit', jurisdiction: '53033' })
  const response = await api.fetch('/v1/batches', { method: 'POST', body })
  const answer = await json(response)
  t.equal(response.status, 202, JSON.stringify(answer))
  t.equal(response.headers.get('location'), `/v1/batches/${answer.id}`)
  t.match(answer, {
    state: 'queued',
    profile: 'permit',
    jurisdiction: '53033',
    lane: 'standard',
    files: [{ filename: 'june.csv', media_type: 'text/csv', size: CSV.length }],
    links: { self: `/v1/batches/${answer.id}` }
  })
  t.equal(answer.files[0].sha256, createHash('sha256').update(CSV).digest('hex'))
  const { rows: chunks } = await api.pool.query('select kind, state, record_count, generation from chunk')
  t.strictSame(chunks, [{ kind: 'rows', state: 'pending', record_count: 2, generation: 1 }])
  const { rows: jobs } = await api.pool.query(`select name, priority from pgboss.job where name = 'chunk'`)
  t.strictSame(jobs, [{ name: 'chunk', priority: 10 }])
  const { rows: audit } = await api.pool.query(`select kind, transition from audit_transition order by kind, step`)
  t.strictSame(
    audit.map(row => `${row.kind} ${row.transition}`),
    ['batch received', 'file received', 'file chunked']
  )
  const status = await json(await api.fetch(answer.links.self))
  t.match(status, { state: 'queued', total_final: true, progress: 0, counts: { total: 2, pending: 2, accepted: 0 } })
})
