import { access } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { migrate } from '../../db/migrate.ts'
import { createPool, type Pool } from '../../db/pool.ts'
import { replaceViews } from '../../db/views.ts'
import { AppError } from '../../errors.ts'
import { createLogger } from '../../logger.ts'
import { loadProfiles } from '../../profiles/load-profiles.ts'
import { viewSql } from '../../profiles/schema/view-sql.ts'
import { createBoss } from '../../queue/boss.ts'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  runningEmbedded,
  startEmbeddedPostgres
} from '../embedded-postgres.ts'
import { clusterPathOf } from '../postgres/cluster.ts'
import { refusalOf, tryLogIn } from '../postgres/log-in.ts'

export interface Database {
  readonly url: string
  stop(): Promise<void>
}

const RESTART_PAUSE_MS = 1000
const LOOK_MS = 15_000

/**
 * The database of the configuration: `DATABASE_URL` as it is, else the embedded one, started here and started again on
 * the same port whenever it ends unasked. While it runs and lets nobody log in, that is told.
 */
export async function openDatabase(config: Config, log: (message: string) => void): Promise<Database> {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, stop: async () => undefined }
  const settings = { dataDir: config.data, persistent: true, log }
  let server = await startEmbeddedPostgres(settings)
  const quit = new AbortController()
  const watch = async (): Promise<void> => {
    for (;;) {
      const how = await server.exited
      // Gives up the claim on the folder, which the next start takes anew.
      await server.stop()
      if (quit.signal.aborted) return
      log(`the database server ended (${how}) and is started again`)
      server = (await restart({ ...settings, port: server.port }, quit.signal)) ?? server
      if (quit.signal.aborted) await server.stop()
    }
  }
  const watching = Promise.all([watch(), watchLogIns(() => server.url, config.data, { log, quit: quit.signal })])
  return {
    url: server.url,
    async stop() {
      quit.abort()
      await server.stop()
      await watching
    }
  }
}

/** Says when nobody can log in to a server that runs, and when one can again: all else that is seen of it is 503. */
async function watchLogIns(
  urlOf: () => string,
  dataDir: string,
  { log, quit }: { log: (message: string) => void; quit: AbortSignal }
): Promise<void> {
  let known: string | undefined
  while (!quit.aborted) {
    await delay(LOOK_MS, undefined, { signal: quit, ref: false }).catch(() => undefined)
    if (quit.aborted) return
    const code = await tryLogIn(urlOf())
    if (code === known) continue
    known = code
    log(code === undefined ? 'one can log in to the embedded database again' : refusalOf(code, dataDir).message)
  }
}

/** Tries until it works or `quit` says that nobody wants it any more. */
async function restart(settings: EmbeddedPostgresOptions, quit: AbortSignal): Promise<EmbeddedPostgres | undefined> {
  while (!quit.aborted) {
    try {
      return await startEmbeddedPostgres(settings)
    } catch (error) {
      settings.log(error instanceof Error ? error.message : String(error))
      await delay(RESTART_PAUSE_MS, undefined, { signal: quit }).catch(() => undefined)
    }
  }
  return undefined
}

/** Brings tables, queues and the views of all profiles to this version; answers the names of the migrations applied. */
export async function migrateAll(url: string, config: Config): Promise<string[]> {
  return withPool(url, async pool => {
    const names = await migrate(pool)
    const logger = createLogger({ component: 'migrate', level: 'warn' })
    const boss = await createBoss({ url, role: 'api', heartbeatSeconds: config.heartbeatSeconds, logger })
    await boss.stop({ graceful: false })
    const profiles = await loadProfiles(config.profileFolder)
    await replaceViews(
      pool,
      [...profiles.values()].map(profile => ({ name: profile.name, statement: viewSql(profile) }))
    )
    return names
  })
}

/**
 * Runs `work` on the configured database; with the embedded one, on the server that `docket start` runs for this data
 * folder, or on one started for this moment.
 */
export async function withDatabase<T>(
  config: Config,
  log: (message: string) => void,
  work: (pool: Pool, url: string) => Promise<T>
): Promise<T> {
  const running = config.databaseUrl ?? (await runningEmbedded(config.data))
  if (running !== undefined) return withPool(running, pool => work(pool, running))
  const server = await startEmbeddedPostgres({ dataDir: config.data, persistent: true, log })
  try {
    return await withPool(server.url, pool => work(pool, server.url))
  } finally {
    await server.stop()
  }
}

/**
 * Throws CONFIG_INVALID when the configuration names neither a database nor a folder that `docket start` or
 * `docket migrate` has used: in the wrong folder an empty deployment would be made and asked in place of the right one.
 */
export async function checkDeployed(config: Config): Promise<void> {
  if (config.databaseUrl !== undefined) return
  const found = await access(clusterPathOf(config.data)).then(
    () => true,
    () => false
  )
  if (found) return
  throw new AppError(
    'CONFIG_INVALID',
    `There is no deployment in ${config.data}. Set DOCKET_DATA to its folder, or DATABASE_URL to its database; docket start makes a new one.`
  )
}

/** Runs `work` on a small pool of its own, closed afterwards. */
export async function withPool<T>(url: string, work: (pool: Pool) => Promise<T>): Promise<T> {
  const pool = createPool({ url, max: 4, applicationName: 'docket-cli', onError: () => undefined })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}
