import { test } from 'tap'
import { json, testApi } from '../../helpers/app.ts'
import { CASE_TYPE, CSV, END, filePart, fixture, formOf, sendRaw } from '../bodies.ts'

const PATH = '/v1/batches?profile=permit&jurisdiction=53033'

test('repeated submissions', async t => {
  const api = await testApi(t)
  let unique = 0
  const content = (): string => `${CSV}I-${(unique += 1)},roof,1,1\n`
  const post = (body: string, headers: Record<string, string> = {}, path = PATH) =>
    api.fetch(path, { method: 'POST', body: formOf({ 'a.csv': body }), headers })
  const batches = async (): Promise<number> => {
    const { rows } = await api.pool.query<{ n: number }>('select count(*)::int as n from batch')
    return rows[0]?.n ?? -1
  }

  await t.test('the same key and content get the first answer, whatever the boundary', async t => {
    const body = content()
    const first = await post(body, { 'idempotency-key': 'k1' })
    const again = await post(body, { 'idempotency-key': '"k1"' })
    t.equal(first.headers.get('idempotent-replayed'), null)
    t.equal(again.status, 202)
    t.equal(again.headers.get('idempotent-replayed'), 'true')
    t.equal(again.headers.get('location'), first.headers.get('location'))
    t.strictSame(await json(again), await json(first))
    t.equal(await batches(), 1)
    t.equal((await api.files()).length, 1, 'the repeated bytes are gone')
  })

  await t.test('the same key with other content, name or options is refused', async t => {
    const others = [
      post(content(), { 'idempotency-key': 'k1' }),
      post(`${CSV}I-1,roof,1,1\n`, { 'idempotency-key': 'k1' }, `${PATH}&lane=critical`)
    ]
    for (const response of await Promise.all(others)) {
      t.equal(response.status, 422)
      t.equal((await json(response)).code, 'IDEMPOTENCY_MISMATCH')
    }
    t.equal(await batches(), 1)
  })

  await t.test('the key of another principal is another key', async t => {
    const before = await batches()
    const token = await api.keyFor({ scopes: ['submit'], jurisdictions: ['53033'] })
    const response = await post(content(), { 'idempotency-key': 'k1', authorization: `Bearer ${token}` })
    t.equal(response.status, 202)
    t.equal(await batches(), before + 1)
  })

  await t.test('a key in use is refused before the body is read', async t => {
    const token = await api.keyFor({})
    await api.pool.query(
      `insert into submission_key (scope, key, jurisdiction, state, owner, lease_until, expires_at)
       values ($1, 'busy', '', 'running', gen_random_uuid(), now() + interval '1 minute', now() + interval '1 minute')`,
      [`key:${token.split('_')[1]}`]
    )
    // Of the body only a beginning is sent: the answer can only come from what stands in the head.
    const response = await sendRaw(
      { port: api.port, key: token, length: 1000, headers: { 'idempotency-key': 'busy' } },
      filePart().slice(0, 20)
    )
    t.equal(response.status, 409)
    const { code, retry_after_seconds: wait } = JSON.parse(response.body)
    t.equal(code, 'IDEMPOTENCY_RUNNING')
    t.ok(wait > 50 && wait <= 60, 'what is left of the lease')
    await api.pool.query(
      `update submission_key set expires_at = now() - interval '1 second', lease_until = now() - interval '1 second' where key = 'busy'`
    )
    const later = await post(content(), { 'idempotency-key': 'busy', authorization: `Bearer ${token}` })
    t.equal(later.status, 202, 'a lease that has run out frees the key')
  })

  await t.test('a request that fails gives its key back', async t => {
    const broken = { port: api.port, key: api.admin, headers: { 'idempotency-key': 'k2' } }
    t.equal((await sendRaw(broken, filePart())).status, 400)
    t.equal((await post(content(), { 'idempotency-key': 'k2' })).status, 202)
  })

  await t.test('keys that are none are refused', async t => {
    for (const key of ['', 'x'.repeat(256), '\u00e9']) {
      const response = await post(CSV, { 'idempotency-key': key })
      t.equal(response.status, 400, JSON.stringify(key))
    }
  })

  await t.test('the same content without a key is answered from the first batch', async t => {
    const body = content()
    const first = await json(await post(body))
    const again = await post(body)
    t.equal(again.headers.get('idempotent-replayed'), 'true')
    t.equal((await json(again)).id, first.id)
    const forced = await json(await post(body, {}, `${PATH}&force=true`))
    t.not(forced.id, first.id)
    t.equal((await json(await post(body))).id, forced.id, 'the newest answers')
    const elsewhere = await json(await post(body, {}, PATH.replace('53033', '36061')))
    t.not(elsewhere.id, forced.id, 'another jurisdiction is another batch')
    const source = await json(await post(body, {}, `${PATH}&source=portal`))
    t.not(source.id, forced.id, 'another source is another batch')
  })

  await t.test('a cancelled batch answers for no other', async t => {
    const body = content()
    const first = await json(await post(body))
    await api.pool.query(`update batch set state = 'cancelled', finished_at = now() where id = $1`, [first.id])
    const second = await json(await post(body))
    t.not(second.id, first.id)
    t.equal((await json(await post(body))).id, second.id)
  })

  await t.test('after the window the content makes a new batch', async t => {
    const body = content()
    const first = await json(await post(body, { 'idempotency-key': 'k3' }))
    await api.pool.query(`update submission_key set expires_at = now() - interval '1 second'`)
    t.not((await json(await post(body, { 'idempotency-key': 'k3' }))).id, first.id)
  })

  await t.test('twenty identical requests at once make one batch', async t => {
    const before = await batches()
    const files = (await api.files()).length
    const body = await fixture('up09.bin')
    const send = () => sendRaw({ port: api.port, key: api.admin, contentType: CASE_TYPE }, body)
    const answers = await Promise.all(Array.from({ length: 20 }, send))
    t.strictSame([...new Set(answers.map(answer => answer.status))], [202])
    t.equal(new Set(answers.map(answer => JSON.parse(answer.body).id)).size, 1)
    t.equal((await send()).status, 202)
    t.equal(await batches(), before + 1)
    t.equal((await api.files()).length, files + 1, 'one payload is kept')
    const { rows } = await api.pool.query(
      `select count(*)::int as n from chunk c where not exists (select 1 from batch b where b.id = c.batch_id)`
    )
    t.strictSame(rows, [{ n: 0 }])
  })

  await t.test('twenty requests under one key at once: one batch, the others wait their turn', async t => {
    const before = await batches()
    const body = filePart(content()) + END
    const send = () => sendRaw({ port: api.port, key: api.admin, headers: { 'idempotency-key': 'k4' } }, body)
    const answers = await Promise.all(Array.from({ length: 20 }, send))
    const statuses = new Set(answers.map(answer => answer.status))
    t.ok(statuses.has(202))
    statuses.delete(202)
    statuses.delete(409)
    t.strictSame([...statuses], [])
    t.equal(await batches(), before + 1)
  })
})
