import t from 'tap'
import { configWithDatabase } from '../../src/cli/deployment/configured.ts'
import { migrateAll } from '../../src/cli/deployment/database.ts'
import { loadConfig } from '../../src/config.ts'
import { pendingMigrations } from '../../src/db/migrate.ts'
import { emptyDatabase } from '../helpers/database.ts'

t.test('an empty database gets tables, queues and a view per profile; a second time changes nothing', async t => {
  const { pool, url } = await emptyDatabase(t)
  const config = loadConfig({ DATABASE_URL: url })
  t.ok((await migrateAll(url, config)).length > 3, 'migrations were applied')
  t.same(await migrateAll(url, config), [])
  for (const view of ['permit', 'policy', 'lease']) t.same((await pool.query(`select * from "${view}"`)).rows, [])
  const { rows } = await pool.query(`select name from pgboss.queue order by name`)
  t.same(
    rows.map(row => row.name),
    ['chunk', 'dead', 'document', 'ocr', 'redrive', 'reread', 'split']
  )
})

t.test('processes that start at the same moment all succeed', async t => {
  const { url } = await emptyDatabase(t)
  const config = loadConfig({ DATABASE_URL: url })
  const applied = await Promise.all([migrateAll(url, config), migrateAll(url, config), migrateAll(url, config)])
  t.equal(applied.filter(names => names.length > 0).length, 1, 'one of them did the work')
})

t.test('an API or a worker alone brings an empty database to this version, also side by side', async t => {
  const { pool, url } = await emptyDatabase(t)
  const io = { out: () => undefined, err: () => undefined, env: { DATABASE_URL: url } }
  await Promise.all([configWithDatabase(io, 'api'), configWithDatabase(io, 'worker'), configWithDatabase(io, 'worker')])
  t.same(await pendingMigrations(pool), [])
  t.same((await pool.query('select * from permit')).rows, [])
})
