import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { startApi } from '../../src/api/main.ts'
import { loadConfig } from '../../src/config.ts'
import { testDatabase } from '../helpers/database.ts'

test('the API starts from a configuration and ends in order', async t => {
  const { url } = await testDatabase(t)
  const folder = mkdtempSync(join(tmpdir(), 'docket-main-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const environment = {
    DOCKET_DATA: folder,
    DOCKET_PORT: '0',
    DOCKET_LOG_LEVEL: 'silent',
    DOCKET_BOOTSTRAP_KEY: 'a-bootstrap-key-of-a-test'
  }
  await t.rejects(startApi(loadConfig(environment)), { code: 'CONFIG_INVALID' })

  const api = await startApi(loadConfig({ ...environment, DATABASE_URL: url }))
  t.match(api.address, /^http:\/\/127\.0\.0\.1:\d+$/)
  const get = (path: string, key: string) =>
    fetch(new URL(path, api.address), { headers: { authorization: `Bearer ${key}` } })
  t.equal((await get('/readyz', '')).status, 200)
  t.equal((await get('/v1/batches', environment.DOCKET_BOOTSTRAP_KEY)).status, 200)
  t.equal((await get('/v1/batches', 'another-key-of-a-test')).status, 401)

  const submitted = await fetch(new URL('/v1/batches?profile=permit&jurisdiction=53033', api.address), {
    method: 'POST',
    body: '{"submission_id":"M-1"}',
    headers: { authorization: `Bearer ${environment.DOCKET_BOOTSTRAP_KEY}`, 'content-type': 'application/json' }
  })
  t.equal(submitted.status, 202)
  const { links } = (await submitted.json()) as { links: { progress: string } }
  const watching = await get(links.progress, environment.DOCKET_BOOTSTRAP_KEY)
  const closed = api.close()
  t.equal(api.close(), closed, 'closing twice is closing once')
  await closed
  await t.rejects(watching.text(), 'a stream does not keep the process from ending')
  await t.rejects(get('/healthz', ''), 'nobody listens any more')
})
