import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../errors.ts'
import type { Pool, Tx } from './pool.ts'
import { withTransaction } from './transaction.ts'

interface Migration {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly digest: string
}

/** The folder of the migrations that ship with this version. */
export const MIGRATIONS = join(import.meta.dirname, '../../migrations')

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter(name => /^\d{4}_[a-z_]+\.sql$/.test(name)).toSorted()
  if (names.length === 0) throw new AppError('INTERNAL', `No migrations were found in ${folder}.`)
  const twice = names.find((name, i) => i > 0 && name.slice(0, 4) === names[i - 1]?.slice(0, 4))
  if (twice)
    throw new AppError('INTERNAL', `Two migrations have the number of ${twice}. Give one of them the next free number.`)
  return Promise.all(
    names.map(async name => {
      const sql = await readFile(join(folder, name), 'utf8')
      return { number: Number(name.slice(0, 4)), name, sql, digest: createHash('sha256').update(sql).digest('hex') }
    })
  )
}

async function applied(tx: Tx): Promise<Map<number, string>> {
  await tx.query(`create table if not exists schema_migration (
    number integer primary key, name text not null, digest text not null, applied_at timestamptz not null default now())`)
  const { rows } = await tx.query<{ number: number; digest: string }>('select number, digest from schema_migration')
  return new Map(rows.map(row => [row.number, row.digest]))
}

/** Any number of processes may start at once: they queue for this lock, and the later ones find nothing to do. */
const LOCK = 7_301_264

/**
 * Brings the database to this version, all in one transaction, and answers the names applied. Running it again applies
 * nothing. Refuses a migration whose text has changed since it was applied (`MIGRATION_CHANGED`) and a database newer
 * than this code (`SCHEMA_TOO_NEW`).
 */
export async function migrate(pool: Pool, folder: string = MIGRATIONS): Promise<string[]> {
  const migrations = await readMigrations(folder)
  return withTransaction(pool, async tx => {
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK])
    const done = await applied(tx)
    const newest = migrations.at(-1)?.number ?? 0
    if ([...done.keys()].some(number => number > newest)) {
      throw new AppError('SCHEMA_TOO_NEW', 'The database was migrated by a newer version. Start that version.')
    }
    const names: string[] = []
    for (const { number, name, sql, digest } of migrations) {
      const before = done.get(number)
      if (before !== undefined && before !== digest) {
        throw new AppError('MIGRATION_CHANGED', `Migration ${name} differs from the one applied. Restore its text.`)
      }
      if (before !== undefined) continue
      await tx.query('insert into schema_migration (number, name, digest) values ($1, $2, $3)', [number, name, digest])
      await tx.query(sql)
      names.push(name)
    }
    return names
  })
}

/** Names of the migrations the database lacks; empty when it is up to date. */
export async function pendingMigrations(pool: Pool, folder: string = MIGRATIONS): Promise<string[]> {
  const migrations = await readMigrations(folder)
  const { rows } = await pool
    .query<{ number: number }>('select number from schema_migration')
    .catch(() => ({ rows: [] }))
  const done = new Set(rows.map(row => row.number))
  return migrations.filter(migration => !done.has(migration.number)).map(migration => migration.name)
}
