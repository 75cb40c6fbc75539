import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDatabase } from '../../../../src/cli/deployment/database.ts'
import { loadConfig } from '../../../../src/config.ts'
import { evidenceOf, findBroken, readBlobs } from '../../checker/check.ts'
import { mayMount } from '../../harness/disks.ts'
import { patientPool, startSystem } from '../../harness/system.ts'
import { descendantsOf, signal } from '../../harness/victims.ts'
import { databaseUrl, startWorld } from '../../harness/world.ts'
import { History } from '../../load/history.ts'
import { expecting, finish, round, type Scenario, startLoad } from '../scenario.ts'

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** What a machine that lost its power would find on its disk, looked at by a server that recovers from it. */
async function lookAt(image: string, folder: string, history: History, database: string): Promise<string[]> {
  mkdirSync(folder, { recursive: true })
  run('mount', '-o', 'loop', image, folder)
  try {
    // The claim of the docket that lives on here: on a machine that lost its power nobody would.
    rmSync(join(folder, 'server/postgres-owner'), { force: true })
    const server = await openDatabase(loadConfig({ DOCKET_DATA: join(folder, 'server') }), () => undefined)
    const url = databaseUrl(server.url, database)
    const pool = patientPool(url)
    try {
      const blobs = await readBlobs(join(folder, 'system/payloads'))
      const findings = await findBroken(pool, evidenceOf(history, blobs))
      // Work goes on after a start, so that what is open or not sealed yet is no loss.
      const lost = findings.filter(({ guarantee }) => !['G2', 'G8', 'G9', 'G11'].includes(guarantee))
      return lost.map(({ guarantee, subject, message }) => `${guarantee}: ${subject} ${message}`)
    } finally {
      await pool.end()
      await server.stop()
    }
  } finally {
    run('umount', folder)
  }
}

/** C-8. */
export const powerCut: Scenario = {
  id: 'C-8',
  title: 'the disk as a power cut would leave it: only what was synced, taken at random moments under load',
  short: { snapshots: 2, clients: 2, rows: 300 },
  full: { snapshots: 100, clients: 3, rows: 2000 },
  async run(context) {
    if (!mayMount()) return { figures: {}, faults: [], impossible: 'only root may mount a disk image, on Linux' }
    const { chance, size } = context
    const { snapshots = 0, clients = 2, rows = 300 } = size
    const base = join(context.world.folder, `power-${chance.seed}`)
    const [image, folder] = [join(base, 'disk.img'), join(base, 'disk')]
    mkdirSync(folder, { recursive: true })
    run('truncate', '-s', '1G', image)
    run('mkfs.ext4', '-q', '-F', image)
    // Written back once a minute: in between, the image holds what was synced and nothing else.
    run('mount', '-o', 'loop,commit=60', image, folder)
    const world = await startWorld(folder)
    const system = await startSystem(world, { folder: join(folder, 'system') })
    const history = new History()
    const faults: string[] = []
    let acked = 0
    try {
      const loading = startLoad({ ...context, world }, system, { history, clients, rows })
      for (let at = 0; at < snapshots; at += 1) {
        await delay(chance.between(1500, 5000))
        const ours = [await world.postmaster(), system.api.pid, ...system.workers.map(({ pid }) => pid)]
        const all = [...new Set(ours.flatMap(pid => [pid, ...descendantsOf(pid).map(one => one.pid)]))]
        for (const pid of all) signal(pid, 'SIGSTOP')
        const then = new History()
        for (const operation of history.of('ok'))
          then.operations.set(operation.key, { ...operation, batchIds: new Set(operation.batchIds) })
        const copy = join(base, `copy-${at}.img`)
        copyFileSync(image, copy)
        for (const pid of all) signal(pid, 'SIGCONT')
        acked += then.operations.size
        const found = await lookAt(copy, join(base, `copy-${at}`), then, new URL(system.url).pathname.slice(1))
        faults.push(...found.slice(0, 5))
        rmSync(copy)
      }
      await loading.stop()
      const verdict = await finish({ ...context, world }, system, history, { seconds: 600 })
      const expect = expecting()
      for (const fault of faults) expect.is(false, fault)
      expect.is(acked > 0, 'something had been acknowledged when the disk was looked at')
      return {
        figures: {
          snapshots,
          'acked in them': acked,
          'not found': faults.length,
          'a snapshot': round(acked / Math.max(1, snapshots))
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
      await world.stop().catch(() => undefined)
      run('umount', '-l', folder)
    }
  }
}
