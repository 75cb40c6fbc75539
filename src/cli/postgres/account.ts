import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../../errors.ts'

const run = promisify(execFile)

/** The account Postgres runs as when we are root; Postgres refuses to run as root itself. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

const NAME = 'postgres'

/**
 * The account to run Postgres as: undefined (our own) unless we are root; then `postgres`, made if it is missing.
 * Throws CONFIG_INVALID naming the ways out when it can be neither found nor made.
 */
export async function postgresAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const found = await lookUp()
  if (found !== undefined) return found
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', NAME])
  } catch (cause) {
    throw new AppError(
      'CONFIG_INVALID',
      `Postgres cannot run as root, there is no user "${NAME}" and it could not be made. Make one (useradd --system ${NAME}), run docket as another user, or set DATABASE_URL.`,
      { cause }
    )
  }
  return lookUp()
}

async function lookUp(): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', NAME]), run('id', ['-g', NAME])])
    return { name: NAME, uid: Number(uid.stdout), gid: Number(gid.stdout) }
  } catch {
    return undefined
  }
}

/**
 * The outermost existing folder on the way to `path` (itself included) that `account` may not enter, or undefined.
 * Reads permission bits alone: the account's further groups do not count, since they are dropped at the start.
 */
export async function firstUnreachable(path: string, account: Account): Promise<string | undefined> {
  const folders: string[] = []
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    folders.unshift(folder)
    if (folder === dirname(folder)) break
  }
  for (const folder of folders) {
    const found = await stat(folder).catch(() => undefined)
    if (found === undefined) return undefined
    if (!mayEnter(found, account)) return folder
  }
  return undefined
}

function mayEnter(found: { mode: number; uid: number; gid: number }, account: Account): boolean {
  if (found.uid === account.uid) return (found.mode & 0o100) !== 0
  if (found.gid === account.gid) return (found.mode & 0o010) !== 0
  return (found.mode & 0o001) !== 0
}
