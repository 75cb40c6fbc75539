import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { mayMount, smallDisk } from '../../harness/disks.ts'
import { type System, startSystem } from '../../harness/system.ts'
import { waitFor } from '../../harness/wait.ts'
import { startWorld } from '../../harness/world.ts'
import { HEADERS, sendOnce } from '../../load/client.ts'
import { permits } from '../../load/content.ts'
import { History } from '../../load/history.ts'
import { type Context, expecting, finish, Longest, round, type Scenario, secondsUntilTaken } from '../scenario.ts'

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
    // Room for all of them once it is given back: what was refused is sent again.
    const disk = smallDisk(join(world.folder, `store-${chance.seed}`), 64)
    const system = await startSystem(world, {
      // Without its marks (S-7 is about those), so that the disk fills in the middle of uploads.
      env: { DOCKET_PAYLOADS: `file:${disk.folder}`, DOCKET_DISK_HIGH: '100' }
    })
    const checked = { ...system, payloads: disk.folder }
    const history = new History()
    const statuses = new Map<number, number>()
    try {
      disk.fill(12_000)
      for (let at = 0; at < uploads; at += 1) {
        const key = `${chance.seed}-${at}`
        // More than there is room for.
        const operation = history.operation(key, permits(chance, `${chance.seed}N${at}`, 400))
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
      const verdict = await finish(context, checked, history, { seconds: 900 })
      const expect = expecting()
      expect.is(
        [...statuses.keys()].every(status => status === 503 || status === 507),
        `answers were ${[...statuses.keys()].join(', ')}`
      )
      expect.is(left === 0, `${left} partial files stayed`)
      expect.is(rows.length === 0, `${rows.length} batches were made without room`)
      expect.is(ready === 503, `/readyz answered ${ready}`)
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

/** S-2. */
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
      const [known] = history.of('ok').flatMap(({ batchIds }) => [...batchIds])
      const read = async (): Promise<number> =>
        (await fetch(`${system.address()}/v1/batches/${known}`, { headers: HEADERS })).status
      let reads = 0
      disk.fill(200_000)
      for (let at = 0; at < uploads; at += 1) {
        const key = `${chance.seed}-${at}`
        const operation = history.operation(key, permits(chance, `${chance.seed}N${at}`, 3000))
        const answer = await sendOnce(system.address(), key, operation.submission, { timeoutMs: 60_000 })
        history.complete('client', operation, answer)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        if (at < Math.floor(uploads / 2) && (await read()) === 200) reads += 1
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
      const others = [...statuses.keys()].filter(status => ![0, 202, 503, 507].includes(status))
      expect.is(others.length === 0, `answers were ${others.join(', ')} too`)
      expect.is((statuses.get(503) ?? 0) > 0, 'writing was refused')
      expect.is(reads === Math.floor(uploads / 2), `${reads} of ${Math.floor(uploads / 2)} reads were answered`)
      expect.is(verdict.wronglyHeld === 0, `${verdict.wronglyHeld} records were held for it`)
      const told = [...statuses].map(([status, n]) => `${status}: ${n}`).join(', ')
      return {
        figures: { uploads, answers: told, reads, PANICs: panics, 'taken again s': round(back) },
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

/** Sends small things until the server has written what it can, or `most` are sent; answers what was told by status. */
async function sendUntilPanic({ chance }: Context, system: System, history: History, most: number) {
  const statuses = new Map<number, number>()
  const panics = async (): Promise<number> => (await system.world.log()).split('PANIC').length - 1
  const before = await panics()
  for (let at = 0; at < most && (await panics()) === before; at += 1) {
    const key = `${chance.seed}-wal-${at}`
    const operation = history.operation(key, permits(chance.fork(key), `${chance.seed}P${at}`, 2000))
    const answer = await sendOnce(system.address(), key, operation.submission, { timeoutMs: 60_000 })
    history.complete('client', operation, answer)
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
  }
  return { statuses, panics: await panics() }
}

/** S-3. */
export const fullLog: Scenario = {
  id: 'S-3',
  title: 'the disk of the write-ahead log fills: the server ends by PANIC, and comes back once there is room',
  short: { rounds: 1, uploads: 200 },
  full: { rounds: 10, uploads: 400 },
  async run(context) {
    if (!mayMount()) return IMPOSSIBLE
    const { chance, size } = context
    const { rounds = 1, uploads = 0 } = size
    const disk = smallDisk(join(context.world.folder, `log-${chance.seed}`), 256)
    const world = await startWorld(join(context.world.folder, `apart-${chance.seed}`), disk.folder)
    const system = await startSystem(world, { workers: 2 })
    const history = new History()
    const told = new Map<number, number>()
    const back = new Longest()
    let panics = 0
    try {
      for (let turn = 0; turn < rounds; turn += 1) {
        const apart = { ...context, world, chance: chance.fork(`turn-${turn}`) }
        const before = panics
        // Room for one more segment of the log: what is written after it finds none.
        disk.fill(20 * 1024 * 1024)
        const sent = await sendUntilPanic(apart, system, history, uploads)
        panics = sent.panics
        for (const [status, n] of sent.statuses) told.set(status, (told.get(status) ?? 0) + n)
        if (panics === before) break
        disk.free()
        const begun = performance.now()
        await waitFor('the server', 120, async () =>
          world.sql('select 1').then(
            () => true,
            () => false
          )
        )
        await secondsUntilTaken(apart, system, history)
        back.take((performance.now() - begun) / 1000)
      }
      const deaths = [system.api, ...system.workers].reduce((sum, one) => sum + one.deaths, 0)
      const verdict = await finish({ ...context, world }, system, history, { seconds: 600 })
      const expect = expecting()
      const others = [...told.keys()].filter(status => ![0, 202, 429, 503, 507].includes(status))
      expect.is(panics > 0 && back.count === rounds, `the log filled ${back.count} of ${rounds} times`)
      expect.is(others.length === 0, `answers were ${others.join(', ')} too`)
      expect.is(deaths === 0, `${deaths} processes ended with the database`)
      expect.is(back.most <= 15, `taken again ${back.most.toFixed(1)} s after there was room`)
      expect.is(verdict.wronglyHeld === 0, `${verdict.wronglyHeld} records were held for it`)
      return {
        figures: {
          rounds,
          PANICs: panics,
          answers: [...told].map(([status, n]) => `${status}: ${n}`).join(', '),
          'taken again s': round(back.most)
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      disk.free()
      await system.stop()
      await world.stop().catch(() => undefined)
      disk.unmount()
    }
  }
}
