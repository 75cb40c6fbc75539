import { type SpawnOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../../errors.ts'
import { type Account, firstUnreachable } from './account.ts'
import type { Binaries } from './binaries.ts'

/** Everything the embedded Postgres keeps under the data folder. */
export interface Cluster {
  readonly folder: string
  readonly password: string
  readonly logPath: string
}

/** The claim of the docket whose server runs on this folder. */
export const ownerPathOf = (dataDir: string): string => join(dataDir, 'postgres-owner')

export const clusterPathOf = (dataDir: string): string => join(dataDir, 'postgres')

export const passwordPathOf = (dataDir: string): string => join(dataDir, 'postgres-password')

/**
 * The cluster under `dataDir`, made on first use: data in `postgres/` (checksums on, UTF-8, byte order), a random
 * password in `postgres-password`, readable by its owner alone. Reusing it changes nothing.
 * Throws CONFIG_INVALID when `account` cannot reach the folder.
 */
export async function openCluster(dataDir: string, account: Account | undefined, binaries: Binaries): Promise<Cluster> {
  const folder = clusterPathOf(dataDir)
  const password = await readOrMakePassword(passwordPathOf(dataDir))
  if (!(await exists(join(folder, 'PG_VERSION')))) await initialise(folder, password, { account, binaries })
  return { folder, password, logPath: join(dataDir, 'postgres.log') }
}

/** Refuses a folder the account cannot reach, before anything is written there. */
export async function checkReachable(dataDir: string, account: Account | undefined): Promise<void> {
  await mkdir(dataDir, { recursive: true })
  if (account === undefined) return
  const blocked = await firstUnreachable(dataDir, account)
  if (blocked === undefined) return
  throw new AppError(
    'CONFIG_INVALID',
    `Postgres runs as user "${account.name}" because docket runs as root, and that user cannot enter ${blocked}. ` +
      `Set DOCKET_DATA to a folder it can reach (for example /var/lib/docket), let it pass (chmod o+x '${blocked}'), ` +
      'run docket as an ordinary user, or set DATABASE_URL to a Postgres of your own.'
  )
}

/** Spawn options that run a program of Postgres as `account`, in a process group of its own. */
export function asAccount(account: Account | undefined, cwd: string): SpawnOptions {
  const environment = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' }
  const base: SpawnOptions = { cwd, detached: true, env: environment }
  return account === undefined ? base : { ...base, uid: account.uid, gid: account.gid }
}

async function readOrMakePassword(path: string): Promise<string> {
  const known = await readFile(path, 'utf8').catch(() => undefined)
  if (known !== undefined && known !== '') return known
  const password = randomBytes(24).toString('base64url')
  const unfinished = `${path}-new`
  const file = await open(unfinished, 'w', 0o600)
  try {
    await file.chmod(0o600)
    await file.writeFile(password)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
  await syncFolder(dirname(path))
  return password
}

/** Makes what was made in a folder, or renamed into it, survive a power cut: a cluster whose password is lost is lost. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Made in a folder aside and then renamed, so that a kill in the middle of it leaves nothing that looks whole. */
async function initialise(
  target: string,
  password: string,
  by: { account: Account | undefined; binaries: Binaries }
): Promise<void> {
  const folder = `${target}-new`
  const passwordFile = `${target}-password-once`
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (by.account !== undefined) {
    await chown(folder, by.account.uid, by.account.gid)
    await chown(passwordFile, by.account.uid, by.account.gid)
  }
  try {
    await runInitdb(folder, passwordFile, by)
    await rename(folder, target)
    await syncFolder(dirname(target))
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  } finally {
    await rm(passwordFile, { force: true })
  }
}

function runInitdb(
  folder: string,
  passwordFile: string,
  by: { account: Account | undefined; binaries: Binaries }
): Promise<void> {
  const flags = [
    `--pgdata=${folder}`,
    `--pwfile=${passwordFile}`,
    '--username=postgres',
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8'
  ]
  return new Promise((resolve, reject) => {
    const child = spawn(by.binaries.initdb, flags, {
      ...asAccount(by.account, folder),
      stdio: ['ignore', 'ignore', 'pipe']
    })
    let output = ''
    child.stderr?.on('data', (part: Buffer) => {
      output = (output + part.toString('utf8')).slice(-2000)
    })
    child.on('error', reject)
    child.on('close', code => {
      if (code === 0) resolve()
      else reject(new AppError('DATABASE_UNAVAILABLE', `initdb failed with exit code ${code}: ${output.trim()}`))
    })
  })
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false
  )
}
