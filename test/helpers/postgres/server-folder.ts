import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { claimFile, isRunning, type ProcessName, releaseFile } from '../../../src/cli/postgres/claim-file.ts'

/** A folder of the machine's temporary folder, one per checkout: all test processes of a checkout share a server. */
const CHECKOUT = createHash('sha256')
  .update(import.meta.dirname)
  .digest('hex')
  .slice(0, 12)
export const SHARED = join(tmpdir(), `docket-test-${process.getuid?.() ?? 0}-${CHECKOUT}`)

/** Every process that uses the server leaves a file here named after its pid. */
export const USERS = join(SHARED, 'users')

export interface ServerNote {
  readonly url: string
  readonly keeper: ProcessName
}

/** Runs `work` while no other process of this checkout runs any under the same name. */
export async function alone<T>(name: string, work: () => Promise<T>): Promise<T> {
  // The account Postgres runs as under root must pass through.
  await mkdir(USERS, { recursive: true, mode: 0o711 })
  const path = join(SHARED, `${name}.lock`)
  while ((await claimFile(path)) !== undefined) await delay(20)
  try {
    return await work()
  } finally {
    await releaseFile(path)
  }
}

/** The running server, if there is one. */
export async function runningServer(): Promise<ServerNote | undefined> {
  const text = await readFile(join(SHARED, 'server.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const note: ServerNote = JSON.parse(text)
  return isRunning(note.keeper) ? note : undefined
}
