import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { open, readFile, rm, stat, truncate } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { AppError } from '../errors.ts'
import { type Account, postgresAccount } from './postgres/account.ts'
import { findBinaries } from './postgres/binaries.ts'
import { claimFile, isRunning, processName, releaseFile } from './postgres/claim-file.ts'
import { asAccount, type Cluster, checkReachable, openCluster } from './postgres/cluster.ts'
import { postgresFlags } from './postgres/settings.ts'

const run = promisify(execFile)

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

const START_LIMIT_MS = 120_000
const STOP_LIMIT_MS = 60_000
const POLL_MS = 25
const LOG_LIMIT_BYTES = 20 * 1024 * 1024
/** A port may be taken between the look and the start, and memory of a killed server is freed a moment after it. */
const ATTEMPTS = 8
const ATTEMPT_PAUSE_MS = 500

/**
 * Starts the Postgres that comes with the package, on loopback and a free port, and answers when it takes
 * connections. A second start finds the data of the first; a server left by a killed parent is ended first.
 * Throws CONFIG_INVALID for a folder that cannot be used, for one that another docket uses and for a platform
 * without programs; DATABASE_UNAVAILABLE, with the end of its log, when the server does not come up.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const account = await postgresAccount()
  await checkReachable(dataDir, account)
  const ownerPath = join(dataDir, 'postgres-owner')
  await claimFolder(ownerPath, dataDir)
  try {
    const binaries = await findBinaries(dataDir, account)
    const cluster = await openCluster(dataDir, account, binaries)
    await endOrphan(cluster, options.log)
    const launched = await launchWithRetries(cluster, { ...options, account, program: binaries.postgres })
    return handle(launched, { dataDir, cluster, ownerPath, persistent: options.persistent })
  } catch (error) {
    await releaseFile(ownerPath)
    throw error
  }
}

async function claimFolder(ownerPath: string, dataDir: string): Promise<void> {
  const holder = await claimFile(ownerPath)
  if (holder === undefined) return
  throw new AppError(
    'CONFIG_INVALID',
    `Another docket (process ${holder.pid}) uses ${dataDir}. Stop it, or set DOCKET_DATA to another folder.`
  )
}

/** A parent killed outright leaves its server running: nobody owns it, so it is shut down before the next start. */
async function endOrphan(cluster: Cluster, log: (message: string) => void): Promise<void> {
  const pid = Number((await postmasterLines(cluster))[0])
  if (!Number.isInteger(pid) || pid <= 0) return
  const name = processName(pid)
  // Postgres refuses to start while the pid in this file runs, whoever it is now; orphaned sessions it finds otherwise.
  if (name === undefined || !(await servesFolder(pid, cluster.folder)))
    return rm(join(cluster.folder, 'postmaster.pid'), { force: true })
  log(`ending the database server ${pid} that an earlier start left behind`)
  process.kill(pid, 'SIGINT')
  const deadline = Date.now() + STOP_LIMIT_MS
  while (isRunning(name)) {
    if (Date.now() > deadline) process.kill(pid, 'SIGQUIT')
    await delay(POLL_MS)
  }
}

/** The pid in a stale file may belong to somebody else by now (a container gives the same few out at each start). */
async function servesFolder(pid: number, folder: string): Promise<boolean> {
  const command = await commandOf(pid)
  return command.includes('postgres') && `${command} `.includes(`-D ${folder} `)
}

async function commandOf(pid: number): Promise<string> {
  const listed = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  if (listed !== undefined) return listed.replaceAll('\0', ' ')
  const { stdout } = await run('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.trimEnd()
}

interface Launch extends EmbeddedPostgresOptions {
  readonly account: Account | undefined
  readonly program: string
}

interface Launched {
  readonly child: ChildProcess
  readonly port: number
  readonly exited: Promise<string>
}

async function launchWithRetries(cluster: Cluster, launch: Launch): Promise<Launched> {
  for (let attempt = 1; ; attempt += 1) {
    const launched = await launchOnce(cluster, launch)
    if (launched !== undefined) return launched
    if (attempt === ATTEMPTS) break
    await delay(ATTEMPT_PAUSE_MS)
  }
  const log = await readFile(cluster.logPath, 'utf8').catch(() => '')
  throw new AppError(
    'DATABASE_UNAVAILABLE',
    `The embedded database did not start. The end of ${cluster.logPath}:\n${log.trimEnd().split('\n').slice(-8).join('\n')}`
  )
}

/** undefined when the server ended before it was ready. */
async function launchOnce(cluster: Cluster, launch: Launch): Promise<Launched | undefined> {
  const port = launch.port ?? (await freePort())
  await keepLogShort(cluster.logPath)
  const logFile = await open(cluster.logPath, 'a', 0o600)
  const child = spawn(launch.program, ['-D', cluster.folder, ...postgresFlags(port, launch.persistent)], {
    ...asAccount(launch.account, cluster.folder),
    // A file and not a pipe: it stays good when this process is killed and the server lives on.
    stdio: ['ignore', logFile.fd, logFile.fd]
  })
  let ended = false
  const exited = new Promise<string>(settle => {
    const end = (how: string): void => {
      ended = true
      settle(how)
    }
    child.on('error', error => end(error.message))
    child.on('exit', (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`))
  })
  await logFile.close()
  const deadline = Date.now() + START_LIMIT_MS
  while (!(await isReady(cluster, child.pid))) {
    if (ended) return undefined
    if (Date.now() > deadline) child.kill('SIGQUIT')
    await delay(POLL_MS)
  }
  return { child, port, exited }
}

/** Postgres writes its pid on line 1 and, when it takes connections, "ready" on line 8; pg_ctl waits for the same. */
async function isReady(cluster: Cluster, pid: number | undefined): Promise<boolean> {
  const lines = await postmasterLines(cluster)
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready'
}

async function postmasterLines(cluster: Cluster): Promise<string[]> {
  const text = await readFile(join(cluster.folder, 'postmaster.pid'), 'utf8').catch(() => '')
  return text.split('\n')
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
    url: `postgres://postgres:${of.cluster.password}@127.0.0.1:${port}/postgres`,
    port,
    pid: child.pid ?? 0,
    exited,
    stop: () => (stopping ??= stop())
  }
}

async function keepLogShort(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found !== undefined && found.size > LOG_LIMIT_BYTES) await truncate(path)
}

function freePort(): Promise<number> {
  return new Promise((settle, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => settle(port))
    })
  })
}
