import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { startEmbeddedPostgres } from '../../../src/cli/embedded-postgres.ts'
import { tryLogIn } from '../../../src/cli/postgres/log-in.ts'

const log = (): void => undefined

test('an embedded database that runs and lets nobody log in ends the start, saying why', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'docket-log-in-'))
  chmodSync(folder, 0o711)
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  const start = () => startEmbeddedPostgres({ dataDir, persistent: true, log })
  const first = await start()
  t.equal(await tryLogIn(first.url), undefined)
  t.equal(await tryLogIn(first.url.replace(/:[^:@]+@/, ':other@')), '28P01')
  await first.stop()
  t.equal(await tryLogIn(first.url), 'ECONNREFUSED')

  const passwordPath = join(dataDir, 'postgres-password')
  const password = readFileSync(passwordPath, 'utf8')
  writeFileSync(passwordPath, 'that-of-another-folder')
  await t.rejects(start(), { code: 'CONFIG_INVALID', message: /lets nobody log in \(28P01\).*postgres-password/ })
  t.notOk(existsSync(join(dataDir, 'postgres/postmaster.pid')), 'the server was ended again')
  writeFileSync(passwordPath, password)

  const rules = join(dataDir, 'postgres/pg_hba.conf')
  const before = readFileSync(rules, 'utf8')
  writeFileSync(rules, 'host all all 10.0.0.0/8 scram-sha-256\n')
  await t.rejects(start(), { code: 'CONFIG_INVALID', message: /\(28000\).*pg_hba\.conf/ })
  writeFileSync(rules, before)

  const again = await start()
  t.equal(await tryLogIn(again.url), undefined, 'put right, it starts')
  await again.stop()
})
