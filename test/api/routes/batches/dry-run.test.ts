import { test } from 'tap'
import { json, testApi } from '../../../helpers/app.ts'
import { CSV } from '../../bodies.ts'

const QUERY = '/v1/batches?profile=permit&jurisdiction=53033'

test('a dry run is asked for in the query and stands for no other submission', async t => {
  const api = await testApi(t)
  const post = (query: string, headers: Record<string, string> = {}) =>
    api.fetch(`${QUERY}${query}`, { method: 'POST', body: CSV, headers: { 'content-type': 'text/csv', ...headers } })
  const key = { 'idempotency-key': 'k-1' }

  const dry = await post('&dry_run=true', key)
  t.equal(dry.status, 202)
  const first = await json(dry)
  t.match(first, { dry_run: true })
  t.match(await json(await api.fetch(`/v1/batches/${first.id}`)), { dry_run: true, parent_batch_id: null })
  t.equal((await post('&dry_run=true', key)).headers.get('idempotent-replayed'), 'true')

  const real = await post('', key)
  t.equal(real.status, 202, 'the same key is free for the submission itself')
  t.equal(real.headers.get('idempotent-replayed'), null)
  const made = await json(real)
  t.not(made.id, first.id)
  t.notOk('dry_run' in made)
  t.match(await json(await api.fetch(`/v1/batches/${made.id}`)), { dry_run: false })
  t.equal((await post('')).headers.get('idempotent-replayed'), 'true', 'answered by the real batch')
  t.not((await json(await post('&dry_run=true'))).id, made.id, 'which answers for no dry run')

  const form = new FormData()
  form.set('dry_run', 'true')
  form.append('file', new File([CSV], 'a.csv'))
  const late = await api.fetch(QUERY, { method: 'POST', body: form })
  t.equal(late.status, 422, 'too late to be sure that nothing is committed')
  t.match(await json(late), { code: 'FIELD_INVALID', field: 'dry_run' })
  t.match(await json(await post('&dry_run=perhaps')), { code: 'FIELD_INVALID', field: 'dry_run' })
  t.equal((await json(await api.fetch('/v1/batches'))).data.length, 3)
})
