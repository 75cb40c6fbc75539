import { type Config, loadConfig } from '../../config.ts'
import { pendingMigrations } from '../../db/migrate.ts'
import { toDatabaseError } from '../../db/sqlstate.ts'
import { AppError } from '../../errors.ts'
import type { Io } from '../command.ts'
import { migrateAll, withPool } from './database.ts'

/**
 * The configuration of one process of a deployment, whose database is there and at this version or a newer one: what is
 * missing is migrated. An up to date database is only read, so a rolling restart takes no lock on it.
 * Throws CONFIG_INVALID without DATABASE_URL, and what `migrateAll` throws.
 */
export async function configWithDatabase(io: Io, name: string): Promise<Config> {
  const config = loadConfig(io.env)
  const url = config.databaseUrl
  if (url === undefined)
    throw new AppError(
      'CONFIG_INVALID',
      `docket ${name} needs DATABASE_URL. To run everything on this machine with a database of its own: docket start.`
    )
  const missing = await withPool(url, async pool => {
    // Asked first: a database that is away would look like one without a schema.
    await pool.query('select 1').catch((error: unknown) => {
      throw toDatabaseError(error)
    })
    return pendingMigrations(pool)
  })
  if (missing.length > 0) await migrateAll(url, config)
  return config
}
