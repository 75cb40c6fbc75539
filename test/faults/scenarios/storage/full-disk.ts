import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { mayMount, smallDisk } from '../../harness/disks.ts'
import { startSystem } from '../../harness/system.ts'
import { waitFor } from '../../harness/wait.ts'
import { startWorld } from '../../harness/world.ts'
import { sendOnce } from '../../load/client.ts'
import { permits } from '../../load/content.ts'
import { History } from '../../load/history.ts'
import { expecting, finish, round, type Scenario, secondsUntilTaken } from '../scenario.ts'

const IMPOSSIBLE = { figures: {}, faults: [], impossible: 'only root may mount a small disk, on Linux' }

/** S-1. */
export const fullStore: Scenario = {
  id: 'S-1',
  title: 'the disk of payloads fills while uploads arrive, and has room again',
  short: { uploads: 12 },
  full: { uploads: 500 },
  async run(context) {
    if (!mayMount()) return IMPOSSIBLE
    const { world, chance, size } = context
    const { uploads = 0 } = size
    const disk = smallDisk(join(world.folder, `store-${chance.seed}`), 64)
    const system = await startSystem(world, { env: { DOCKET_PAYLOADS: `file:${disk.folder}` } })
    const checked = { ...system, payloads: disk.folder }
    const history = new History()
    const statuses = new Map<number, number>()
    try {
      disk.fill(300_000)
      for (let at = 0; at < uploads; at += 1) {
        const key = `${chance.seed}-${at}`
        // About half a megabyte: more than there is room for.
        const operation = history.operation(key, permits(chance, `${chance.seed}N${at}`, 9000))
        const answer = await sendOnce(system.address(), key, operation.submission)
        history.complete('client', operation, answer)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      }
      const left = readdirSync(join(disk.folder, 'spool')).length
      const { rows } = await system.pool.query('select 1 from batch')
      const ready = (await fetch(`${system.address()}/readyz`)).status
      disk.free()
      const back = await secondsUntilTaken(context, system, history)
      const deaths = system.api.deaths
      const verdict = await finish(context, checked, history)
      const expect = expecting()
      expect.is(
        [...statuses.keys()].every(status => status === 503 || status === 507),
        `answers were ${[...statuses.keys()].join(', ')}`
      )
      expect.is(left === 0, `${left} partial files stayed`)
      expect.is(rows.length === 0, `${rows.length} batches were made without room`)
      expect.is(deaths === 0, 'the API ended')
      return {
        figures: {
          uploads,
          'answered 503': statuses.get(503) ?? 0,
          'partial files left': left,
          readyz: ready,
          'taken again s': round(back),
          'acked but missing': verdict.findings.filter(({ guarantee }) => guarantee === 'G1').length
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
      disk.unmount()
    }
  }
}

/** S-2 and S-3: with its last bytes gone the server cannot write ahead either, and ends. */
export const fullDatabase: Scenario = {
  id: 'S-2',
  title: 'the disk of the database fills, up to the write-ahead log, and has room again',
  short: { uploads: 8 },
  full: { uploads: 200 },
  async run(context) {
    if (!mayMount()) return IMPOSSIBLE
    const { chance, size } = context
    const { uploads = 0 } = size
    const disk = smallDisk(join(context.world.folder, `database-${chance.seed}`), 400)
    const world = await startWorld(disk.folder)
    const system = await startSystem(world, { folder: join(context.world.folder, `files-${chance.seed}`) })
    const history = new History()
    const statuses = new Map<number, number>()
    try {
      await secondsUntilTaken(context, system, history)
      disk.fill(200_000)
      for (let at = 0; at < uploads; at += 1) {
        const key = `${chance.seed}-${at}`
        const operation = history.operation(key, permits(chance, `${chance.seed}N${at}`, 3000))
        const answer = await sendOnce(system.address(), key, operation.submission, { timeoutMs: 60_000 })
        history.complete('client', operation, answer)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        if (at === Math.floor(uploads / 2)) disk.fill(0)
      }
      const panics = (await world.log()).split('PANIC').length - 1
      disk.free()
      await waitFor('the server', 120, async () =>
        world.sql('select 1').then(
          () => true,
          () => false
        )
      )
      const back = await secondsUntilTaken(context, system, history)
      const verdict = await finish({ ...context, world }, system, history, { seconds: 600 })
      const expect = expecting()
      expect.is(!statuses.has(500), 'nothing was answered 500')
      expect.is(verdict.wronglyHeld === 0, `${verdict.wronglyHeld} records were held for it`)
      const told = [...statuses].map(([status, n]) => `${status}: ${n}`).join(', ')
      return {
        figures: { uploads, answers: told, PANICs: panics, 'taken again s': round(back) },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
      await world.stop().catch(() => undefined)
      disk.unmount()
    }
  }
}
