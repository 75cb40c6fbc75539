import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MAIN } from '../../harness/managed.ts'
import { JURISDICTION, type System, startSystem } from '../../harness/system.ts'
import { waitFor } from '../../harness/wait.ts'
import { HEADERS } from '../../load/client.ts'
import { History } from '../../load/history.ts'
import { type Context, expecting, finish, type Scenario, startLoad } from '../scenario.ts'

const ROOT = join(import.meta.dirname, '../../../..')

const git = (...args: string[]): string =>
  execFileSync('git', ['-C', ROOT, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** Another build beside this one: the files of a revision, on the packages of this one. */
interface Build {
  readonly revision: string
  readonly main: string
}

/** The revision asked for, or the one before so many of the newest migrations came; nothing without their history. */
function buildOf({ world, old, size }: Context): Build | undefined {
  try {
    const came = git('log', '--diff-filter=A', '--format=%H', '--', 'migrations').split('\n')
    const revision = git('rev-parse', '--short', old ?? `${came[(size['migrations'] ?? 1) - 1]}^`)
    const folder = join(world.folder, `build-${revision}`)
    mkdirSync(folder, { recursive: true })
    execFileSync('sh', ['-c', `git -C "$1" archive "$2" | tar -x -C "$3"`, 'sh', ROOT, revision, folder])
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
    return { revision, main: join(folder, 'src/cli/main.ts') }
  } catch {
    return undefined
  }
}

/** `docket migrate` of a build; answers its status and what it said. */
async function migrate(main: string, url: string, folder: string): Promise<{ status: number | null; text: string }> {
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: url, DOCKET_DATA: folder, DOCKET_OCR_ENGINE: 'none' }
  const child = spawn(process.execPath, [main, 'migrate'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => (text += part.toString('utf8')))
  await once(child, 'close')
  return { status: child.exitCode, text }
}

/** A profile that this build's processes have and the other's do not. */
function newProfile(folder: string): string {
  const place = join(folder, 'profiles')
  mkdirSync(place, { recursive: true })
  writeFileSync(
    join(place, 'notice.mjs'),
    `export const profile = {
      name: 'notice', version: 1, title: 'Notice',
      fields: { number: { type: 'identifier', title: 'Number', pii: 'P0', required: true } },
      naturalKey: ['number'], rules: [], gate: { threshold: 0.8 }
    }`
  )
  return place
}

const committedBy = (log: string): number => log.split('"msg":"chunk committed"').length - 1

/** Sends files of a profile that only one of the two builds knows; answers how many there were and how many were worked. */
async function sendUnknown(system: System, files: number): Promise<{ sent: number; done: number }> {
  const ids: string[] = []
  for (let at = 0; at < files; at += 1) {
    const response = await fetch(`${system.address()}/v1/batches?profile=notice&jurisdiction=${JURISDICTION}`, {
      method: 'POST',
      headers: { ...HEADERS, 'content-type': 'text/csv', 'idempotency-key': `notice-${at}` },
      body: `number,note\nN-${at},a\n`
    })
    ids.push(((await response.json()) as { id: string }).id)
  }
  const done = async (): Promise<number> =>
    (await system.pool.query(`select 1 from record where batch_id = any($1) and state = 'accepted'`, [ids])).rowCount ??
    0
  await waitFor('what one of them does not know', 120, async () => (await done()) === files).catch(() => undefined)
  return { sent: files, done: await done() }
}

/** C-10. */
export const twoBuilds: Scenario = {
  id: 'C-10',
  title: 'an earlier build and this one work side by side while the schema moves on under load',
  short: { migrations: 3, seconds: 8, clients: 2, rows: 400, unknown: 6 },
  full: { migrations: 8, seconds: 120, clients: 4, rows: 2000, unknown: 100 },
  async run(context) {
    const { world, chance, size } = context
    const { seconds = 0, clients = 2, rows = 400, unknown = 0 } = size
    const build = buildOf(context)
    if (!build)
      return { figures: {}, faults: [], impossible: 'the history of this repository, or the revision, is not here' }
    const folder = join(world.folder, `two-${chance.seed}`)
    const url = await world.emptyDatabase()
    const first = await migrate(build.main, url, folder)
    if (first.status !== 0) throw new Error(`the earlier build did not migrate: ${first.text}`)
    const old = await startSystem(world, { url, folder, main: build.main })
    const history = new History()
    let fresh: System | undefined
    try {
      const loading = startLoad(context, old, { history, clients, rows })
      await delay((seconds * 1000) / 4)
      const second = await migrate(MAIN, url, folder)
      const added = second.text.match(/\d{4}_[a-z_]+/g)?.length ?? 0
      await delay((seconds * 1000) / 4)
      const [worker] = old.workers
      const soFar = committedBy(worker?.log() ?? '')
      fresh = await startSystem(world, { url, folder, env: { DOCKET_PROFILES: newProfile(folder) } })
      const beside = startLoad({ ...context, chance: chance.fork('fresh') }, fresh, { history, clients, rows })
      await delay((seconds * 1000) / 2)
      await Promise.all([loading.stop(), beside.stop()])
      const { sent, done } = await sendUnknown(fresh, unknown)
      const backwards = await migrate(build.main, url, folder)
      await fresh.drained(300)
      const { rows: failed } = await fresh.pool.query<{ n: number }>(
        `select count(*)::int as n from pgboss.job where state = 'failed'`
      )
      const [byOld, byNew] = [committedBy(worker?.log() ?? '') - soFar, committedBy(fresh.workers[0]?.log() ?? '')]
      const refused = (worker?.log() ?? '').split('PROFILE_UNKNOWN').length - 1
      const deaths = [old.api, ...old.workers, fresh.api, ...fresh.workers].flatMap(one => one.ends)
      await Promise.all([old.api, ...old.workers].map(one => one.stop()))
      const verdict = await finish(context, fresh, history, { ignoreUnknown: true, seconds: 600 })
      const expect = expecting()
      expect.is(second.status === 0, `the schema did not move on under load: ${second.text.slice(0, 300)}`)
      expect.is(deaths.length === 0, `${deaths.length} processes ended, the first: ${deaths[0]}`)
      expect.is(failed[0]?.n === 0, `${failed[0]?.n} jobs failed`)
      expect.is(byOld > 0 && byNew > 0, `chunks committed beside each other: ${byOld} and ${byNew}`)
      expect.is(done === sent, `${done} of ${sent} files that only this build knows were worked`)
      expect.is(refused > 0, 'the earlier worker was never given what it does not know')
      expect.is(
        backwards.status === 1 && /SCHEMA_TOO_NEW/.test(backwards.text),
        'the earlier build migrates no newer schema'
      )
      expect.is(verdict.wronglyHeld === 0, `${verdict.wronglyHeld} records were held for it`)
      return {
        figures: {
          'earlier build': build.revision,
          'migrations under load': added,
          'chunks by it afterwards': byOld,
          'by this one': byNew,
          'jobs failed': failed[0]?.n ?? 0,
          'refused by it': refused
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await fresh?.stop()
      await old.stop()
    }
  }
}
