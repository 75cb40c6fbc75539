import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'tap'
import { createPool } from '../../src/db/pool.ts'
import { withTransaction } from '../../src/db/transaction.ts'
import { startFaultProxy } from '../faults/harness/fault-proxy.ts'
import { testDatabase } from '../helpers/database.ts'

const SIGNS = { idleMs: 20, answerMs: 300 }

test('a connection whose other end went without a word is found before it is used, and replaced', async t => {
  const { url } = await testDatabase(t)
  const server = new URL(url)
  const proxy = await startFaultProxy(() => ({ host: server.hostname, port: Number(server.port) }))
  t.teardown(() => proxy.close())
  const through = new URL(server)
  through.host = `127.0.0.1:${proxy.port}`
  const faults: Error[] = []
  const pool = createPool({
    url: through.href,
    max: 1,
    applicationName: 'docket-test',
    waitMs: 500,
    signs: SIGNS,
    onError: error => faults.push(error)
  })
  t.teardown(() => pool.end())
  const backend = async (): Promise<number> =>
    (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0
  const first = await backend()
  await delay(2 * SIGNS.idleMs)
  t.equal(await backend(), first, 'one that answers is used again')

  await delay(2 * SIGNS.idleMs)
  proxy.halfOpen()
  const begun = performance.now()
  await t.rejects(
    withTransaction(pool, tx => tx.query('select 1')),
    { code: 'DATABASE_UNAVAILABLE' }
  )
  await t.rejects(pool.query('select 1'), 'nor can a new one be had')
  t.ok(performance.now() - begun < 5000, 'both within their times, and not that of a statement')
  proxy.heal()
  const second = await backend()
  t.not(second, first)
  await delay(2 * SIGNS.idleMs)
  proxy.resetAll()
  await delay(2 * SIGNS.idleMs)
  t.not(await backend(), second, 'one that was reset while idle is no longer there to be asked')
  t.equal(pool.totalCount, 1)
})
