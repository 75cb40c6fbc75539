import { test } from 'tap'
import { json, testApi } from '../../helpers/app.ts'
import { CSV, formOf } from '../bodies.ts'
import { makeRecords } from '../factory.ts'

test('held records are decided about by clerks who saw their present state', async t => {
  const api = await testApi(t)
  const answer = await json(await api.fetch('/v1/batches', { method: 'POST', body: formOf({ 'a.csv': CSV }) }))
  const [first = '', second = '', third = ''] = await makeRecords(api.pool, answer.id, [
    { item: 1 },
    { item: 2 },
    { item: 3, state: 'rejected' }
  ])
  const act = (id: string, action: string, body: unknown, ifMatch?: string) =>
    api.fetch(`/v1/quarantine/${id}/${action}`, {
      method: 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch })
      }
    })
  const CORRECTIONS = { permit_type_code: 'roof', parcel_id: '66-001', project_valuation: '1500.00' }

  await t.test('without If-Match, or with an old one, nothing is done', async t => {
    const missing = await act(first, 'release', {})
    t.equal(missing.status, 428)
    t.match(await json(missing), { code: 'REVISION_REQUIRED', current_revision: 1 })
    for (const old of ['"7"', '1', '*', 'W/"1"']) {
      const stale = await act(first, 'release', {}, old)
      t.equal(stale.status, 412, old)
      t.match(await json(stale), { code: 'REVISION_STALE', current_revision: 1 })
    }
  })

  await t.test('texts that cannot be stored are refused, in a body and in a query', async t => {
    for (const text of ['a\0b', '\ud800', 'x\udc00y']) {
      const bodies: [string, unknown][] = [
        ['release', { corrections: { ...CORRECTIONS, applicant_name: text } }],
        ['corrections', { corrections: { [text]: 'x' } }],
        ['reject', { reason: 'FIELD_MISSING', comment: text }]
      ]
      for (const [action, body] of bodies) {
        const refused = await act(first, action, body, '"1"')
        t.equal(refused.status, 400, `${action} ${JSON.stringify(text)}`)
        t.equal((await json(refused)).code, 'REQUEST_INVALID')
      }
    }
    for (const query of ['source=%00', 'profile=a%00', 'batch_id=%00', 'jurisdiction=%00']) {
      t.equal((await api.fetch(`/v1/quarantine?${query}`)).status, 400, query)
    }
    for (const query of ['profile=%00', 'source=%00']) t.equal((await api.fetch(`/v1/batches?${query}`)).status, 400)
    t.equal((await api.fetch(`/v1/batches/${answer.id}/records?file=%00`)).status, 400)
  })

  await t.test('bodies that are not as described are refused without repeating them', async t => {
    const wrong: [string, unknown][] = [
      ['release', { corrections: { parcel_id: 66001 } }],
      ['release', { corrections: 'secret-text' }],
      ['reject', { reason: 'secret-text', comment: 'x' }],
      ['reject', { reason: 'CANCELLED_BY_CLERK', comment: ' ' }],
      ['reject', {}],
      ['corrections', {}]
    ]
    for (const [action, body] of wrong) {
      const response = await act(first, action, body, '"1"')
      t.equal(response.status, 400, `${action} ${JSON.stringify(body)}`)
      t.notMatch(await response.text(), 'secret-text')
    }
    const broken = await api.fetch(`/v1/quarantine/${first}/release`, {
      method: 'POST',
      body: '{"corrections": {"parcel_id": "secret',
      headers: { 'content-type': 'application/json', 'if-match': '"1"' }
    })
    t.equal(broken.status, 400)
    t.match(await json(broken), { code: 'BODY_MALFORMED', detail: /valid JSON/ })
  })

  await t.test('what is still wrong is not released; what is put right is', async t => {
    const blocked = await act(first, 'release', undefined, '"1"')
    t.equal(blocked.status, 409)
    t.equal((await json(blocked)).code, 'RECORD_STILL_BLOCKED')
    const unknown = await act(first, 'release', { corrections: { no_such_field: 'x' } }, '"1"')
    t.equal(unknown.status, 422)
    const released = await act(first, 'release', { corrections: CORRECTIONS }, '"1"')
    const body = await json(released)
    t.equal(released.status, 200, JSON.stringify(body))
    t.match(body, { id: first, state: 'accepted', revision: 2, fields: { parcel_id: { status: 'human' } } })
    t.equal(released.headers.get('etag'), '"2"')
    const again = await act(first, 'release', {}, '"2"')
    t.equal((await json(again)).code, 'RECORD_NOT_HELD')
    t.match((await json(await api.fetch(answer.links.self))).counts, {
      total: 3,
      accepted: 1,
      quarantined: 1,
      rejected: 1
    })
  })

  await t.test('corrections are kept without a release, and a rejection has its reason', async t => {
    const corrected = await json(await act(second, 'corrections', { corrections: { parcel_id: '77-001' } }, '"1"'))
    t.match(corrected, { state: 'quarantined', revision: 2, fields: { parcel_id: { value: '77-001' } } })
    const rejected = await act(second, 'reject', { reason: 'CANCELLED_BY_CLERK', comment: 'sent by mistake' }, '"2"')
    t.match(await json(rejected), { state: 'rejected', revision: 3, reasons: [{ code: 'CANCELLED_BY_CLERK' }] })
    const decision = { action: 'reject', reason: 'CANCELLED_BY_CLERK', comment: 'sent by mistake', at: /^20.*Z$/ }
    const seenBy = async (scope: 'review' | 'read') => {
      const headers = { authorization: `Bearer ${await api.keyFor({ scopes: [scope] })}` }
      return (await json(await api.fetch(`/v1/records/${second}`, { headers }))).decision
    }
    t.match(await seenBy('review'), { ...decision, actor: /^key:/ }, 'clerks see who decided')
    t.match(await seenBy('read'), decision)
    t.notOk('actor' in ((await seenBy('read')) ?? {}), 'others see what and why')
    t.match(await json(await api.fetch(`/v1/records/${first}`)), { decision: { action: 'release', comment: null } })
    t.match(await json(await api.fetch(`/v1/records/${third}`)), { decision: null })
    t.equal((await act(third, 'retry', undefined, '"1"')).status, 409)
    t.strictSame((await json(await api.fetch('/v1/quarantine'))).data, [])
    t.notMatch(api.lines.join(), /mistake|77-001/, 'nothing of it is logged')
  })

  await t.test('two clerks at once: one decides', async t => {
    const other = await json(
      await api.fetch('/v1/batches?force=true', { method: 'POST', body: formOf({ 'a.csv': CSV }) })
    )
    const [id = ''] = await makeRecords(api.pool, other.id, [{ item: 1 }])
    const reject = () => act(id, 'reject', { reason: 'CANCELLED_BY_CLERK', comment: 'x' }, '"1"')
    const statuses = (await Promise.all([reject(), reject(), reject()])).map(response => response.status)
    t.strictSame(
      statuses.toSorted((a, b) => a - b),
      [200, 412, 412]
    )
  })

  await t.test('a batch is cancelled once', async t => {
    const open = await json(
      await api.fetch('/v1/batches', { method: 'POST', body: formOf({ 'a.csv': `${CSV}P-9,r,1,1\n` }) })
    )
    const cancelled = await api.fetch(`/v1/batches/${open.id}/cancel`, { method: 'POST' })
    t.match(await json(cancelled), { state: 'cancelled', progress: 1, counts: { total: 3, cancelled: 3, pending: 0 } })
    const again = await api.fetch(`/v1/batches/${open.id}/cancel`, { method: 'POST' })
    t.equal((await json(again)).code, 'BATCH_FINISHED')
    t.match(await json(await api.fetch(`/v1/batches/${open.id}/records`)), {
      data: [],
      cancelled: [{ filename: 'a.csv', first_row: 1, records: 3 }]
    })
    const retried = await api.fetch(`/v1/batches/${answer.id}/retry?codes=FIELD_MISSING,ENRICH_UNAVAILABLE`, {
      method: 'POST'
    })
    t.equal(retried.status, 200)
    t.equal((await api.fetch(`/v1/batches/${answer.id}/retry?codes=odd`, { method: 'POST' })).status, 400)
  })
})
