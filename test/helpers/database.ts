import { Client } from 'pg'
import type { Test } from 'tap'
import { createPool, type Pool } from '../../src/db/pool.ts'
import { databaseUrl, templateDatabase, testServer } from './postgres/create-template-database.ts'

export interface TestDatabase {
  readonly url: string
  readonly pool: Pool
}

let made = 0

/**
 * A database of its own for one test: the whole schema, no rows. Dropped, its sessions cut, when the test is over.
 * Give `url` to child processes. The pool has 8 connections.
 */
export async function testDatabase(t: Test): Promise<TestDatabase> {
  const server = await testServer()
  return create(t, server, `template ${await templateDatabase(server)}`)
}

/** An empty database without any schema, for tests of the migrator. */
export async function emptyDatabase(t: Test): Promise<TestDatabase> {
  return create(t, await testServer(), '')
}

async function create(t: Test, server: string, from: string): Promise<TestDatabase> {
  made += 1
  const name = `test_${process.pid}_${made}`
  await administer(server, `create database ${name} ${from}`)
  const url = databaseUrl(server, name)
  const pool = createPool({ url, max: 8, applicationName: 'docket-test', onError: () => undefined })
  t.teardown(async () => {
    await pool.end()
    await administer(server, `drop database ${name} with (force)`)
  })
  return { url, pool }
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
