import t from 'tap'
import { loadConfig } from '../../src/config.ts'
import { createBoss } from '../../src/queue/boss.ts'
import { DEAD_LETTERS, QUEUES, queueOptions } from '../../src/queue/queues.ts'
import { testDatabase } from '../helpers/database.ts'
import { silent } from '../helpers/factory.ts'

t.test('no job expires while its document may still be read', async t => {
  const longest = loadConfig({ DOCKET_DOCUMENT_SECONDS: '3600' }).document.seconds
  t.equal(longest, 3600)
  t.throws(() => loadConfig({ DOCKET_DOCUMENT_SECONDS: '3601' }), { code: 'CONFIG_INVALID' })
  t.ok(queueOptions(20).expireInSeconds >= 2 * longest)
})

t.test('queues that exist take the options of a newer version, dead letters too', async t => {
  const { pool, url } = await testDatabase(t)
  const start = async () => {
    const boss = await createBoss({ url, role: 'api', heartbeatSeconds: 20, logger: silent })
    await boss.stop({ graceful: false })
  }
  await start()
  await pool.query('update pgboss.queue set expire_seconds = 900, retry_limit = 1')
  await start()
  const { rows } = await pool.query<{ name: string; expire_seconds: number; retry_limit: number }>(
    'select name, expire_seconds, retry_limit from pgboss.queue order by name'
  )
  const expire_seconds = queueOptions(20).expireInSeconds
  const expected = [...QUEUES, DEAD_LETTERS]
    .toSorted()
    .map(name => ({ name, expire_seconds, retry_limit: name === DEAD_LETTERS ? 1000 : 8 }))
  t.same(rows, expected)
})
