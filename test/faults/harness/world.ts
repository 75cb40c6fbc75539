import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { type Database, migrateAll, openDatabase } from '../../../src/cli/deployment/database.ts'
import { loadConfig } from '../../../src/config.ts'

const BASE = 'docket_base'

/** A Postgres of its own, with every crash-safety setting on and checksums, started again whenever it dies. */
export interface World {
  readonly folder: string
  /** Address of the server's own database. */
  readonly url: string
  readonly port: number
  /** Runs a statement as the superuser. */
  sql(statement: string): Promise<Record<string, unknown>[]>
  /** An empty database with the whole schema; answers its address. */
  newDatabase(): Promise<string>
  /** A database without anything in it. */
  emptyDatabase(): Promise<string>
  /** Process id of the postmaster at this moment; 0 while there is none. */
  postmaster(): Promise<number>
  log(): Promise<string>
  stop(): Promise<void>
}

export function databaseUrl(url: string, name: string, port?: number): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  if (port !== undefined) changed.port = String(port)
  return changed.href
}

async function run(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    // Also while a test has made everything read-only.
    options: '-c default_transaction_read_only=off'
  })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function makeBase(url: string): Promise<void> {
  await run(url, `create database ${BASE}`)
  await migrateAll(databaseUrl(url, BASE), loadConfig({ DATABASE_URL: databaseUrl(url, BASE) }))
}

/** Moves the write-ahead log of a server that is stopped to another folder, and leaves a link to it. */
function moveLog(data: string, folder: string): void {
  const own = join(data, 'postgres/pg_wal')
  // With owner and modes, as the server insists on both.
  execFileSync('cp', ['-a', own, folder])
  rmSync(own, { recursive: true })
  symlinkSync(join(folder, 'pg_wal'), own)
}

/**
 * Starts the server on a folder of its own, at `at` or under the temporary folder; its write-ahead log lies in `logFolder`
 * where that is given.
 */
export async function startWorld(at?: string, logFolder?: string): Promise<World> {
  const folder = at ?? (await mkdtemp(join(tmpdir(), 'docket-faults-')))
  await mkdir(folder, { recursive: true })
  // The account that Postgres runs as under root must pass through.
  await chmod(folder, 0o711)
  const data = join(folder, 'server')
  await mkdir(data, { recursive: true, mode: 0o711 })
  const open = (): Promise<Database> => openDatabase(loadConfig({ DOCKET_DATA: data }), () => undefined)
  let database = await open()
  if (logFolder !== undefined) {
    await database.stop()
    moveLog(data, logFolder)
    database = await open()
  }
  const { url } = database
  await makeBase(url)
  let made = 0
  return {
    folder,
    url,
    port: Number(new URL(url).port),
    sql: statement => run(url, statement),
    async newDatabase() {
      made += 1
      await run(url, `create database faults_${made} template ${BASE}`)
      return databaseUrl(url, `faults_${made}`)
    },
    async emptyDatabase() {
      made += 1
      await run(url, `create database faults_${made} template template0`)
      return databaseUrl(url, `faults_${made}`)
    },
    async postmaster() {
      const text = await readFile(join(data, 'postgres/postmaster.pid'), 'utf8').catch(() => '')
      return Number(text.split('\n')[0] ?? 0)
    },
    log: () => readFile(join(data, 'postgres.log'), 'utf8'),
    async stop() {
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}
