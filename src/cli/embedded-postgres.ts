import { readFile, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../errors.ts'
import { postgresAccount } from './postgres/account.ts'
import { findBinaries } from './postgres/binaries.ts'
import { claimFile, isRunning, parseName, releaseFile } from './postgres/claim-file.ts'
import {
  type Cluster,
  checkReachable,
  clusterPathOf,
  openCluster,
  ownerPathOf,
  passwordPathOf
} from './postgres/cluster.ts'
import { endOrphan } from './postgres/end-orphan.ts'
import { type Launched, launchWithRetries } from './postgres/launch.ts'
import { waitForLogIn } from './postgres/log-in.ts'
import { readPostmaster } from './postgres/postmaster-file.ts'

export interface EmbeddedPostgresOptions {
  /** Folder that holds the data, the password and the log. */
  readonly dataDir: string
  /** false: not crash-safe, and the data are deleted by `stop` (tests, demonstrations). */
  readonly persistent: boolean
  readonly log: (message: string) => void
  /** Listen here and not on a free port: a restart after a crash keeps the address its clients know. */
  readonly port?: number
}

export interface EmbeddedPostgres {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Settles when the server has ended, asked or not; its value says how. */
  readonly exited: Promise<string>
  /** Ends the server cleanly (sessions are cut, data written out); safe to call twice. */
  stop(): Promise<void>
}

const STOP_LIMIT_MS = 60_000
const LOG_IN_LIMIT_MS = 30_000

/**
 * Starts the Postgres that comes with the package, on loopback and a free port, and answers when it takes
 * connections. A second start finds the data of the first; a server left by a killed parent is ended first.
 * Throws CONFIG_INVALID for a folder that cannot be used, for one that another docket uses and for a platform
 * without programs; DATABASE_UNAVAILABLE, with the end of its log, when the server does not come up; either of the two when
 * it runs and lets nobody log in.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const account = await postgresAccount()
  await checkReachable(dataDir, account)
  const ownerPath = ownerPathOf(dataDir)
  await claimFolder(ownerPath, dataDir)
  try {
    const binaries = await findBinaries(dataDir, account)
    const cluster = await openCluster(dataDir, account, binaries)
    await endOrphan(cluster.folder, options.log)
    const launched = await launchWithRetries(cluster, { ...options, account, program: binaries.postgres })
    const server = handle(launched, { dataDir, cluster, ownerPath, persistent: options.persistent })
    await waitForLogIn(server.url, dataDir, LOG_IN_LIMIT_MS).catch(async (error: unknown) => {
      await server.stop()
      throw error
    })
    return server
  } catch (error) {
    await releaseFile(ownerPath)
    throw error
  }
}

/** The address of the server that another process runs for this folder, or undefined. */
export async function runningEmbedded(dataDir: string): Promise<string | undefined> {
  const owner = parseName(await readFile(ownerPathOf(dataDir), 'utf8').catch(() => ''))
  if (owner === undefined || !isRunning(owner)) return undefined
  const postmaster = await readPostmaster(clusterPathOf(resolve(dataDir)))
  if (postmaster?.isReady !== true) return undefined
  return urlOf(await readFile(passwordPathOf(dataDir), 'utf8'), postmaster.port)
}

function urlOf(password: string, port: number): string {
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
}

async function claimFolder(ownerPath: string, dataDir: string): Promise<void> {
  const holder = await claimFile(ownerPath)
  if (holder === undefined) return
  throw new AppError(
    'CONFIG_INVALID',
    `Another docket (process ${holder.pid}) uses ${dataDir}. Stop it, or set DOCKET_DATA to another folder.`
  )
}

function handle(
  launched: Launched,
  of: { dataDir: string; cluster: Cluster; ownerPath: string; persistent: boolean }
): EmbeddedPostgres {
  const { child, port, exited } = launched
  let stopping: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    child.kill('SIGINT')
    const limit = new AbortController()
    const cut = delay(STOP_LIMIT_MS, undefined, { signal: limit.signal, ref: false })
      .then(() => child.kill('SIGQUIT'))
      .catch(() => undefined)
    await exited
    limit.abort()
    await cut
    if (!of.persistent) await rm(of.dataDir, { recursive: true, force: true })
    await releaseFile(of.ownerPath)
  }
  return {
    url: urlOf(of.cluster.password, port),
    port,
    pid: child.pid ?? 0,
    exited,
    stop: () => (stopping ??= stop())
  }
}
