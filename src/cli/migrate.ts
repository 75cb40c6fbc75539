import { loadConfig } from '../config.ts'
import { type Io, readArguments } from './command.ts'
import { migrateAll, withDatabase } from './deployment/database.ts'

/** `docket migrate`: tables and queues to this version; says what was applied. */
export async function migrate(args: readonly string[], io: Io): Promise<number> {
  readArguments(args, {})
  const config = loadConfig(io.env)
  const names = await withDatabase(config, io.err, (_pool, url) => migrateAll(url, config))
  io.out(names.length === 0 ? 'The database is up to date.' : `Applied ${names.join(', ')}.`)
  return 0
}
