import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { migrate } from '../src/db/migrate.ts'
import { testDatabase } from './helpers/database.ts'
import { describeSchema } from './helpers/describe-schema.ts'

const PATH = join(import.meta.dirname, 'schema.txt')

test('the migrations make the schema that is checked in', async t => {
  const { pool } = await testDatabase(t)
  const schema = await describeSchema(pool)
  if (process.env['UPDATE_SCHEMA'] === '1') writeFileSync(PATH, schema)
  t.equal(schema, readFileSync(PATH, 'utf8'), 'after a new migration: npm run schema, and read the difference')
  for (const word of ['table batch', 'column record.', 'constraint ', 'index ', 'function ', 'trigger '])
    t.match(schema, new RegExp(`^${word}`, 'm'), `saw a ${word.trim()}`)
})

test('a changed column, index or trigger is seen', async t => {
  const { pool } = await testDatabase(t)
  const before = await describeSchema(pool)
  for (const change of [
    'alter table batch add column planted text',
    'create index planted on batch (source)',
    'alter table batch alter column source set not null',
    `create function planted() returns int language sql as 'select 1'`,
    'grant select on batch to pg_monitor'
  ]) {
    const client = await pool.connect()
    await client.query('begin')
    await client.query(change)
    const after = await describeSchema({ query: client.query.bind(client) })
    await client.query('rollback')
    client.release()
    t.not(after, before, change)
  }
})

test('two migrations of one number are refused before anything is applied', async t => {
  const { pool } = await testDatabase(t)
  const folder = t.testdir({ '0001_one.sql': 'select 1;', '0001_other.sql': 'select 2;' })
  await t.rejects(migrate(pool, folder), { code: 'INTERNAL', message: /0001_other/ })
})
