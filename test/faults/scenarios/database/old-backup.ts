import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { evidenceOf, findBroken, readBlobs } from '../../checker/check.ts'
import { MAIN } from '../../harness/managed.ts'
import { JURISDICTION, type System, startSystem } from '../../harness/system.ts'
import { waitFor } from '../../harness/wait.ts'
import { HEADERS, submit } from '../../load/client.ts'
import { permits } from '../../load/content.ts'
import { History } from '../../load/history.ts'
import { type Context, expecting, finish, type Scenario } from '../scenario.ts'

const docket = (system: System, ...args: string[]) =>
  spawnSync(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: system.url, DOCKET_DATA: system.folder },
    encoding: 'utf8',
    timeout: 300_000
  })

/** Sends so many submissions under keys of their own, all of which must be taken. */
async function send({ chance, size }: Context, system: System, history: History, name: string): Promise<void> {
  for (let at = 0; at < (size['submissions'] ?? 0); at += 1) {
    const key = `${chance.seed}-${name}-${at}`
    const options = { name, address: system.address, history, chance, tries: 20 }
    await submit(options, key, permits(chance.fork(key), `${chance.seed}${name}${at}`, 20))
  }
}

/** Waits until the newest checkpoint has been brought outside. */
async function published(system: System, folder: string): Promise<void> {
  await system.drained(120)
  await waitFor('checkpoints outside', 60, async () => {
    const { rows } = await system.pool.query<{ size: number }>(
      'select max(size)::int as size from audit_checkpoint where jurisdiction = $1',
      [JURISDICTION]
    )
    return existsSync(join(folder, JURISDICTION, String(rows[0]?.size)))
  })
}

const stopAll = ({ api, workers }: System): Promise<unknown> => Promise.all([api, ...workers].map(one => one.stop()))
const startAll = ({ api, workers }: System): Promise<unknown> => Promise.all([api, ...workers].map(one => one.start()))

/** What the verifier says of an export, given the checkpoints that are kept outside. */
async function verifyHeld(
  system: System,
  folder: string,
  name: string
): Promise<{ status: number | null; text: string }> {
  const [exported, keys] = [join(system.folder, `${name}.ndjson`), join(system.folder, `${name}.keys`)]
  const response = await fetch(`${system.address()}/v1/audit/export?jurisdiction=${JURISDICTION}`, { headers: HEADERS })
  writeFileSync(exported, await response.text())
  writeFileSync(keys, docket(system, 'audit', 'keys', '--jurisdiction', JURISDICTION).stdout)
  const { status, stdout, stderr } = docket(
    system,
    'audit',
    'verify',
    exported,
    '--checkpoints',
    folder,
    '--keys',
    keys
  )
  return { status, text: `${stdout}${stderr}` }
}

/** How many batches that clients were told of the API knows nothing of. */
async function unknownTo(system: System, history: History): Promise<number> {
  const ids = history.of('ok').flatMap(({ batchIds }) => [...batchIds])
  const ask = (id: string): Promise<Response> => fetch(`${system.address()}/v1/batches/${id}`, { headers: HEADERS })
  return (await Promise.all(ids.map(ask))).filter(({ status }) => status === 404).length
}

/** D-8. */
export const oldBackup: Scenario = {
  id: 'D-8',
  title: 'the database is put back to an older backup while clients hold what they were told since',
  short: { rounds: 1, submissions: 5 },
  full: { rounds: 10, submissions: 40 },
  async run(context) {
    const { world, chance, size } = context
    const { rounds = 1 } = size
    const expect = expecting()
    const sums = { detected: 0, lost: 0, found: 0, refused: 0 }
    let verdict: Awaited<ReturnType<typeof finish>> | undefined
    for (let round = 0; round < rounds; round += 1) {
      const own = { ...context, chance: chance.fork(`backup-${round}`) }
      const folder = join(world.folder, `held-${own.chance.seed}`)
      const system = await startSystem(world, { env: { DOCKET_CHECKPOINTS: `file:${folder}` } })
      const name = new URL(system.url).pathname.slice(1)
      const [before, since, again] = [new History(), new History(), new History()]
      const copy = async (from: string, to: string): Promise<void> => {
        await world.sql(`select pg_terminate_backend(pid) from pg_stat_activity where datname in ('${from}', '${to}')`)
        await world.sql(`drop database if exists ${to}`)
        await world.sql(`create database ${to} template ${from}`)
      }
      try {
        await send(own, system, before, 'before')
        await published(system, folder)
        await stopAll(system)
        await copy(name, `${name}_backup`)
        await startAll(system)
        await send(own, system, since, 'since')
        await published(system, folder)
        // What somebody outside holds. An export is told of in the log, so that checkpoints grow while one is read.
        const held = join(world.folder, `copy-${own.chance.seed}`)
        cpSync(join(folder, JURISDICTION), held, { recursive: true })
        const sound = await verifyHeld(system, held, 'sound')
        expect.is(sound.status === 0, `before anything is lost the verifier says: ${sound.text.slice(0, 300)}`)
        await stopAll(system)
        await copy(`${name}_backup`, name)
        await startAll(system)
        // Nothing new has been written: all there is to see is what is missing.
        const restored = await verifyHeld(system, held, 'restored')
        if (restored.status === 1 && /FAILED/.test(restored.text)) sums.detected += 1
        else expect.is(false, `after the restore the verifier says: ${restored.text.slice(0, 300)}`)
        const evidence = evidenceOf(since, await readBlobs(system.payloads))
        const missing = (await findBroken(system.pool, evidence)).filter(({ guarantee }) => guarantee === 'G1')
        sums.lost += since.of('ok').length
        sums.found += missing.length
        sums.refused += await unknownTo(system, since)
        // Clients that hold what they sent have it taken once more, and everything else goes on.
        await send(own, system, again, 'before')
        await send(own, system, again, 'since')
        await published(system, folder).catch(() => undefined)
        const forked = await verifyHeld(system, held, 'forked')
        expect.is(forked.status === 1, 'a log that went on from the backup does not pass for the one that was')
        verdict = await finish(own, system, again, { ignoreUnknown: true })
        if (!verdict.ok) break
      } finally {
        await system.stop()
      }
    }
    expect.is(sums.found === sums.lost, `${sums.found} of ${sums.lost} lost batches were listed`)
    expect.is(sums.refused === sums.lost, `of ${sums.lost} lost batches ${sums.refused} were answered 404`)
    const { detected, lost, found } = sums
    return {
      figures: { restores: rounds, detected, 'acknowledged since': lost, 'listed as lost': found },
      ...(verdict ? { verdict } : {}),
      faults: expect.faults
    }
  }
}
