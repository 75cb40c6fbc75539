import { test } from 'tap'
import { migrate, pendingMigrations } from '../../../src/db/migrate.ts'
import { emptyDatabase, testDatabase } from '../database.ts'

test('each test has a database of its own with the whole schema', async t => {
  const [one, other] = await Promise.all([testDatabase(t), testDatabase(t)])
  t.not(one.url, other.url)
  t.strictSame(await pendingMigrations(one.pool), [])
  await one.pool.query('create table only_here ()')
  await t.rejects(other.pool.query('select from only_here'))
})

test('migrations apply to an empty database, and a second time nothing is left to apply', async t => {
  const { pool } = await emptyDatabase(t)
  t.ok((await migrate(pool)).length > 0)
  t.strictSame(await migrate(pool), [])
  t.strictSame(await pendingMigrations(pool), [])
})
