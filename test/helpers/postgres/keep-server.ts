/**
 * Runs in a process of its own: keeps one throw-away Postgres for all test processes of this checkout and ends it,
 * with its data, when none of them has run for a while.
 */
import { chmod, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startEmbeddedPostgres } from '../../../src/cli/embedded-postgres.ts'
import { isRunning, processName } from '../../../src/cli/postgres/claim-file.ts'
import { clusterPathOf } from '../../../src/cli/postgres/cluster.ts'
import { endOrphan } from '../../../src/cli/postgres/end-orphan.ts'
import { alone, SHARED, USERS } from './server-folder.ts'

const IDLE_MS = 15_000
const LOOK_EVERY_MS = 1_000
const NOTE = join(SHARED, 'server.json')

async function hasUsers(): Promise<boolean> {
  let found = false
  for (const name of await readdir(USERS)) {
    const path = join(USERS, name)
    const text = await readFile(path, 'utf8').catch(() => '')
    if (text !== '' && isRunning(JSON.parse(text))) found = true
    else await rm(path, { force: true })
  }
  return found
}

async function waitUntilIdle(stopped: () => boolean): Promise<void> {
  let idleSince = Date.now()
  while (Date.now() - idleSince < IDLE_MS && !stopped()) {
    await delay(LOOK_EVERY_MS)
    if (await hasUsers()) idleSince = Date.now()
  }
}

/** What a killed keeper left: its server runs on and its data stay. */
async function clearLeftovers(): Promise<void> {
  for (const name of await readdir(SHARED)) {
    if (!name.startsWith('data-')) continue
    const folder = join(SHARED, name)
    await endOrphan(clusterPathOf(folder), () => undefined)
    await rm(folder, { recursive: true, force: true })
  }
}

await clearLeftovers()
const dataDir = await mkdtemp(join(SHARED, 'data-'))
await chmod(dataDir, 0o711)
const server = await startEmbeddedPostgres({ dataDir, persistent: false, log: () => undefined })
let over = false
const noteEnd = async (): Promise<void> => {
  await server.exited
  over = true
}
void noteEnd()
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.on(signal, () => {
    over = true
  })
await writeFile(`${NOTE}.new`, JSON.stringify({ url: server.url, keeper: processName(process.pid) }))
await rename(`${NOTE}.new`, NOTE)

for (let ended = false; !ended; ) {
  await waitUntilIdle(() => over)
  // A test process registers itself under the same lock, so it cannot be missed here.
  ended = await alone('server', async () => {
    if (!over && (await hasUsers())) return false
    await rm(NOTE, { force: true })
    return true
  })
}
await server.stop()
