import { test } from 'tap'
import { json, testApi } from '../../../helpers/app.ts'
import { CSV } from '../../bodies.ts'
import { makeRecords } from '../../factory.ts'

test('the errors file of a batch, for those who may read it', async t => {
  const api = await testApi(t)
  const form = new FormData()
  form.set('profile', 'permit')
  form.set('jurisdiction', '53033')
  for (const name of ['a.csv', 'b.csv']) form.append('file', new File([CSV.replaceAll('P-', name)], name))
  const { id } = await json(await api.fetch('/v1/batches', { method: 'POST', body: form }))
  const path = `/v1/batches/${id}/errors.csv`

  await t.test('of a batch without held records it is a header alone', async t => {
    const response = await api.fetch(path)
    t.equal(response.status, 200)
    t.match(await response.text(), /^submission_id,.*,_record_id,_line,_codes,_messages\r\n$/)
  })

  const [held = ''] = await makeRecords(api.pool, id, [{ item: 1 }])
  await t.test('it has the columns of its source, and the record with its reasons', async t => {
    const response = await api.fetch(path)
    t.equal(response.headers.get('content-type'), 'text/csv')
    t.match(response.headers.get('content-disposition'), /^attachment; filename="errors-/)
    const [header, row, end] = (await response.text()).split('\n')
    t.equal(header, `${CSV.split('\n')[0]},_record_id,_line,_codes,_messages`)
    t.ok(row?.includes(`,${held},2,FIELD_MISSING,`), row ?? 'no row')
    t.equal(end, '')
  })

  await t.test('of several data files one is named', async t => {
    await api.pool.query(`update chunk set quarantined = record_count, state = 'committed' where batch_id = $1`, [id])
    const refused = await api.fetch(path)
    t.equal(refused.status, 422)
    t.match(await json(refused), { code: 'FIELD_INVALID', detail: /Name one/, files: ['a.csv', 'b.csv'] })
    t.equal((await api.fetch(`${path}?file=b.csv`)).status, 200)
    t.equal((await api.fetch(`${path}?file=c.csv`)).status, 404)
  })

  await t.test('it is noted in the audit trail, and shown to nobody else', async t => {
    const { rows } = await api.pool.query(
      `select 1 from audit_entry where subject_id = $1 and convert_from(entry, 'UTF8') like '%errors.csv%'`,
      [id]
    )
    t.ok(rows.length > 0)
    const other = await api.keyFor({ scopes: ['read'], jurisdictions: ['other'] })
    const response = await api.fetch(path, { headers: { authorization: `Bearer ${other}` } })
    t.equal(response.status, 404)
    const submitter = await api.keyFor({ scopes: ['submit'] })
    t.equal((await api.fetch(path, { headers: { authorization: `Bearer ${submitter}` } })).status, 403)
  })
})
