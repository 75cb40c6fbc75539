import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile, stat, truncate } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import type { Account } from './account.ts'
import { asAccount, type Cluster } from './cluster.ts'
import { readPostmaster } from './postmaster-file.ts'
import { postgresFlags } from './settings.ts'

const START_LIMIT_MS = 120_000
const POLL_MS = 25
const LOG_LIMIT_BYTES = 20 * 1024 * 1024
/** A port may be taken between the look and the start, and memory of a killed server is freed a moment after it. */
const ATTEMPTS = 8
const ATTEMPT_PAUSE_MS = 500

export interface Launch {
  /** A free one by default. */
  readonly port?: number
  readonly persistent: boolean
  readonly account: Account | undefined
  readonly program: string
}

export interface Launched {
  readonly child: ChildProcess
  readonly port: number
  readonly exited: Promise<string>
}

/**
 * Starts the server and answers when it takes connections. Throws DATABASE_UNAVAILABLE with the end of its log when
 * it does not come up.
 */
export async function launchWithRetries(cluster: Cluster, launch: Launch): Promise<Launched> {
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

async function isReady(cluster: Cluster, pid: number | undefined): Promise<boolean> {
  const postmaster = await readPostmaster(cluster.folder)
  return postmaster?.pid === pid && postmaster?.isReady === true
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
