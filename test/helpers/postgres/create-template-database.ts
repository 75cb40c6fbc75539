import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { openSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { processName } from '../../../src/cli/postgres/claim-file.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { createPool } from '../../../src/db/pool.ts'
import { createLogger } from '../../../src/logger.ts'
import { createBoss } from '../../../src/queue/boss.ts'
import { alone, runningServer, SHARED, USERS } from './server-folder.ts'

const ROOT = join(import.meta.dirname, '../../..')
const QUIET = { component: 'test', level: 'silent' }
const START_LIMIT_MS = 60_000

/**
 * The address of the shared test server, started if none runs. This process is entered as its user first, so that the
 * server stays until it ends.
 */
export async function testServer(): Promise<string> {
  return alone('server', async () => {
    await writeFile(join(USERS, String(process.pid)), JSON.stringify(processName(process.pid)))
    const running = await runningServer()
    if (running !== undefined) return running.url
    return startKeeper()
  })
}

async function startKeeper(): Promise<string> {
  const path = join(SHARED, 'keeper.log')
  const log = openSync(path, 'w')
  const keeper = spawn(process.execPath, [join(import.meta.dirname, 'keep-server.ts')], {
    detached: true,
    stdio: ['ignore', log, log],
    // A keeper must not inherit the runner's hooks: it outlives the run.
    env: { PATH: process.env['PATH'] ?? '', TMPDIR: process.env['TMPDIR'] ?? '' }
  })
  keeper.unref()
  const deadline = Date.now() + START_LIMIT_MS
  while (Date.now() < deadline && keeper.exitCode === null) {
    const note = await runningServer()
    if (note !== undefined) return note.url
    await delay(20)
  }
  throw new Error(`The test database did not start:\n${await readFile(path, 'utf8')}`)
}

/** What makes a template out of date: anything that could change the schema it holds. */
async function schemaDigest(): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of ['migrations', 'src/queue']) {
    const names = await readdir(join(ROOT, folder), { recursive: true })
    for (const name of names.filter(entry => /\.(sql|ts)$/.test(entry)).toSorted())
      hash.update(name).update(await readFile(join(ROOT, folder, name)))
  }
  hash.update(await readFile(join(ROOT, 'package.json')))
  return hash.digest('hex').slice(0, 16)
}

/** The name of a database on the server at `url` that holds the whole schema and no rows; made once per schema. */
export async function templateDatabase(url: string): Promise<string> {
  const name = `template_${await schemaDigest()}`
  await alone(name, async () => {
    const admin = new Client({ connectionString: url })
    await admin.connect()
    try {
      const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
      if (rowCount === 1) return
      await admin.query(`drop database if exists making_${name} with (force)`)
      await admin.query(`create database making_${name}`)
      await fill(databaseUrl(url, `making_${name}`))
      // Under its own name only when whole: a killed run leaves no half-made template.
      await admin.query(`alter database making_${name} rename to ${name}`)
    } finally {
      await admin.end()
    }
  })
  return name
}

async function fill(url: string): Promise<void> {
  const pool = createPool({ url, max: 2, applicationName: 'docket-test-template', onError: () => undefined })
  try {
    await migrate(pool)
    const boss = await createBoss({ url, role: 'api', heartbeatSeconds: 20, logger: createLogger(QUIET) })
    await boss.stop({ graceful: false })
  } finally {
    await pool.end()
  }
}

/** The same server, another database. */
export function databaseUrl(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
