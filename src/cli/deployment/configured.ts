import { type Config, loadConfig } from '../../config.ts'
import { AppError } from '../../errors.ts'
import type { Io } from '../command.ts'

/** The configuration of one process of a deployment, which needs a database that is already there. */
export function configWithDatabase(io: Io, name: string): Config {
  const config = loadConfig(io.env)
  if (config.databaseUrl !== undefined) return config
  throw new AppError(
    'CONFIG_INVALID',
    `docket ${name} needs DATABASE_URL. To run everything on this machine with a database of its own: docket start.`
  )
}
