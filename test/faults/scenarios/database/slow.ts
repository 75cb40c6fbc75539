import { spawnSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { readServerFacts } from '../../../../src/db/operations/server-facts.ts'
import { MAIN } from '../../harness/managed.ts'
import { type System, startSystem } from '../../harness/system.ts'
import { waitFor } from '../../harness/wait.ts'
import { submit } from '../../load/client.ts'
import { permits } from '../../load/content.ts'
import { History } from '../../load/history.ts'
import { secondsFor } from '../crash/rolling.ts'
import { expecting, finish, Longest, round, type Scenario, startLoad } from '../scenario.ts'

/** What `docket doctor` says of the database, by its codes. */
async function doctorSays({ url, folder }: System): Promise<string[]> {
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: url, DOCKET_DATA: folder, DOCKET_OCR_ENGINE: 'none' }
  const child = spawnSync(process.execPath, [MAIN, 'doctor', '--json'], { env, encoding: 'utf8', timeout: 120_000 })
  const { findings } = JSON.parse(child.stdout) as { readonly findings: readonly { readonly code: string }[] }
  return findings.map(({ code }) => code)
}

/** D-10. */
export const longTransaction: Scenario = {
  id: 'D-10',
  title: 'somebody reads in one long transaction while work goes on',
  short: { batches: 4, rows: 2000, seconds: 0 },
  // The doctor calls a transaction long after ten minutes.
  full: { batches: 50, rows: 6000, seconds: 605 },
  async run(context) {
    const { world, size } = context
    const { seconds = 0 } = size
    const system = await startSystem(world)
    const history = new History()
    const reader = new Client({ connectionString: system.url })
    reader.on('error', () => undefined)
    const beside = async (name: string): Promise<number> => {
      await reader.query('begin isolation level repeatable read; select count(*) from record')
      return secondsFor(context, system, history, name)
    }
    try {
      await reader.connect()
      await secondsFor(context, system, history, 'warm')
      // In an order that does not favour either, since tables grow and machines get busier.
      const first = await secondsFor(context, system, history, 'A')
      const second = await beside('B')
      await reader.query('rollback')
      const opened = performance.now()
      const third = await beside('C')
      await waitFor('the transaction to be long', seconds + 60, async () => performance.now() - opened > seconds * 1000)
      const { longestTransactionSeconds: seen } = await readServerFacts(system.pool)
      const open = (performance.now() - opened) / 1000
      const codes = seconds > 600 ? await doctorSays(system) : []
      await reader.query('rollback')
      const fourth = await secondsFor(context, system, history, 'D')
      const after = seconds > 600 ? await doctorSays(system) : []
      const verdict = await finish(context, system, history)
      const [alone, besides] = [first + fourth, second + third]
      const lossPercent = 100 * (1 - alone / besides)
      const expect = expecting()
      expect.is(lossPercent <= 20, `${lossPercent.toFixed(0)} % of the rate is lost, 20 at most`)
      expect.is(Math.abs(seen - open) < 5, `open for ${open.toFixed(0)} s, and ${seen.toFixed(0)} s are seen`)
      expect.is(seconds <= 600 || codes.includes('TRANSACTION_LONG'), 'the doctor tells of it')
      expect.is(!after.includes('TRANSACTION_LONG'), 'and no more once it is over')
      expect.is(verdict.wronglyHeld === 0, 'nothing is held for it')
      return {
        figures: {
          'alone s': round(alone),
          'beside s': round(besides),
          'loss %': round(lossPercent),
          alarm: seconds > 600 ? codes.join(' ') : 'not waited for'
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await reader.end().catch(() => undefined)
      await system.stop()
    }
  }
}

/** D-11. */
export const schemaChange: Scenario = {
  id: 'D-11',
  title: 'columns are added under load, by statements that give up after a second',
  short: { changes: 8, clients: 2, rows: 400 },
  full: { changes: 100, clients: 4, rows: 3000 },
  async run(context) {
    const { world, chance, size } = context
    const { changes = 0, clients = 2, rows = 400 } = size
    const system = await startSystem(world)
    const history = new History()
    const loading = startLoad(context, system, { history, clients, rows })
    const changer = new Client({ connectionString: system.url })
    changer.on('error', () => undefined)
    const [usual, posts] = [new Longest(), new Longest()]
    const state = { over: false, changing: false, done: 0, gaveUp: 0 }
    let waited = 0
    const probing = (async () => {
      for (let at = 0; !state.over; at += 1) {
        const begun = performance.now()
        const key = `${chance.seed}-ddl-${at}`
        await submit(
          { name: 'probe', address: system.address, history, chance, tries: 10 },
          key,
          permits(chance, key, 1)
        )
        ;(state.changing ? posts : usual).take((performance.now() - begun) / 1000)
        await delay(50)
      }
    })()
    try {
      await changer.connect()
      await changer.query(`set lock_timeout = '1s'`)
      await waitFor('some submissions without a change', 120, async () => usual.count >= 10)
      state.changing = true
      for (let at = 0; at < changes; at += 1) {
        for (const table of ['record', 'chunk', 'batch']) {
          const begun = performance.now()
          const added = changer.query(`alter table ${table} add column added_${at} integer`)
          state[(await added.catch(() => undefined)) ? 'done' : 'gaveUp'] += 1
          waited = Math.max(waited, (performance.now() - begun) / 1000)
        }
        await delay(200)
      }
      state.over = true
      await probing
      await loading.stop()
      const verdict = await finish(context, system, history, { seconds: 600 })
      const expect = expecting()
      expect.is(state.done > 0, 'some changes were made')
      // What waits behind a statement that waits for its lock waits for a second at most, each time.
      expect.is(waited <= 1.5, `a change held others up for ${waited.toFixed(2)} s`)
      expect.is(
        posts.most <= usual.most + 2,
        `a submission took ${posts.most.toFixed(2)} s, without changes ${usual.most.toFixed(2)} s at most`
      )
      expect.is(verdict.wronglyHeld === 0, `${verdict.wronglyHeld} records were held for it`)
      expect.is(!history.statuses.has(500), 'nothing was answered 500')
      return {
        figures: {
          'changes made': state.done,
          'given up': state.gaveUp,
          'longest change s': round(waited, 2),
          'longest submission s': round(posts.most, 2),
          'without changes s': round(usual.most, 2)
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      state.over = true
      await changer.end().catch(() => undefined)
      await system.stop()
    }
  }
}
