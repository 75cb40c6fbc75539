import { type Test, test } from 'tap'
import { startApi } from '../../../src/api/main.ts'
import { loadConfig } from '../../../src/config.ts'
import { json } from '../../helpers/app.ts'
import { testDatabase } from '../../helpers/database.ts'
import { until } from '../../helpers/worker-process.ts'
import { CSV, formOf } from '../bodies.ts'
import { makeRecords } from '../factory.ts'

const KEY = 'a-bootstrap-key-of-a-test'
const PATH = '/v1/batches?profile=permit&jurisdiction=53033'

/** Clerks that act at the same moment. */
const CLERKS = 30

/** A submission that waits for nobody takes far less; one that waits for a connection takes ten seconds. */
const QUICK_MS = 2000

/** The API as it is started in use, with a batch that has held records. */
async function startedApi(t: Test) {
  const { pool, url } = await testDatabase(t)
  const environment = { DOCKET_DATA: t.testdir({}), DOCKET_PORT: '0', DOCKET_LOG_LEVEL: 'silent', DATABASE_URL: url }
  const api = await startApi(loadConfig({ ...environment, DOCKET_BOOTSTRAP_KEY: KEY }))
  t.teardown(() => api.close())
  const send = (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${KEY}`)
    return fetch(new URL(path, api.address), { ...init, headers })
  }
  let unique = 0
  const submit = async () => {
    const begun = performance.now()
    unique += 1
    const response = await send(PATH, { method: 'POST', body: formOf({ 'a.csv': `${CSV}U-${unique},x,1,1\n` }) })
    return { status: response.status, ms: performance.now() - begun, body: await json(response) }
  }
  const { body: batch } = await submit()
  const ids = await makeRecords(
    pool,
    batch.id,
    Array.from({ length: CLERKS }, (_, i) => ({ item: i + 1 }))
  )
  return { pool, send, submit, batchId: batch.id, ids }
}

type Started = Awaited<ReturnType<typeof startedApi>>

const decide = ({ send, ids, batchId }: Started, clerk: number): Promise<Response> => {
  const id = ids[clerk] ?? ''
  const act = (action: string, body: object): Promise<Response> =>
    send(`/v1/quarantine/${id}/${action}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'if-match': '"1"' }
    })
  const actions = [
    () => act('release', { corrections: { project_valuation: '5.00' } }),
    () => act('reject', { reason: 'FIELD_MISSING', comment: 'not ours' }),
    () => act('corrections', { corrections: { project_valuation: '5.00' } }),
    () => act('retry', {}),
    () => send(`/v1/batches/${batchId}/retry?codes=FIELD_MISSING`, { method: 'POST' }),
    () => send(`/v1/records/${id}/payload`)
  ]
  return (actions[clerk % actions.length] ?? actions[0])?.() as Promise<Response>
}

/** Holds what clerks need; answers how to let go. */
const LOCKS = {
  'the records': 'select 1 from record where batch_id = $1 for update',
  'their chunk and records': `select 1 from chunk c join record r on r.chunk_id = c.id where c.batch_id = $1 for update`
}

for (const [name, lock] of Object.entries(LOCKS)) {
  test(`clerks who wait for ${name} leave the intake its connections, and are told what to do`, async t => {
    const api = await startedApi(t)
    const holder = await api.pool.connect()
    await holder.query('begin')
    await holder.query(lock, [api.batchId])
    const asked = Array.from({ length: CLERKS }, (_, clerk) => decide(api, clerk))
    const waits = async (): Promise<boolean> =>
      (
        await api.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        )
      ).rowCount !== 0
    await until(waits)
    for (let i = 0; i < 3; i += 1) {
      const { status, ms } = await api.submit()
      t.equal(status, 202)
      t.ok(ms < QUICK_MS, `taken in ${Math.round(ms)} ms`)
    }
    const listed = await api.send('/v1/quarantine')
    t.equal(listed.status, 200, 'reading goes on too')

    for (const response of await Promise.all(asked)) {
      if (response.status === 200) continue
      t.equal(response.status, 409)
      t.ok(Number(response.headers.get('retry-after')) > 0)
      t.match(await json(response), { code: 'CHANGE_IN_PROGRESS', detail: /Nothing was changed.*again/ })
    }
    await holder.query('rollback')
    holder.release()
    t.equal((await decide(api, 1)).status, 200, 'the same request again is carried out')
  })
}
