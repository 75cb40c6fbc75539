import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { startSystem } from '../../harness/system.ts'
import { submit } from '../../load/client.ts'
import { permits } from '../../load/content.ts'
import { History } from '../../load/history.ts'
import { secondsFor } from '../crash/rolling.ts'
import { expecting, finish, Longest, round, type Scenario, startLoad } from '../scenario.ts'

/** D-10. */
export const longTransaction: Scenario = {
  id: 'D-10',
  title: 'somebody reads in one long transaction while work goes on',
  short: { batches: 6, rows: 2000 },
  full: { batches: 100, rows: 6000 },
  async run(context) {
    const { world } = context
    const system = await startSystem(world)
    const history = new History()
    const reader = new Client({ connectionString: system.url })
    reader.on('error', () => undefined)
    try {
      const before = await secondsFor(context, system, history, 'A')
      await reader.connect()
      await reader.query('begin isolation level repeatable read; select count(*) from record')
      const beside = await secondsFor(context, system, history, 'B')
      await reader.query('rollback')
      const verdict = await finish(context, system, history)
      const lossPercent = 100 * (1 - before / beside)
      const expect = expecting()
      expect.is(verdict.wronglyHeld === 0, 'nothing is held for it')
      return {
        figures: { 'alone s': round(before), 'beside s': round(beside), 'loss %': round(lossPercent) },
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
    const posts = new Longest()
    const state = { over: false, done: 0, gaveUp: 0 }
    const probing = (async () => {
      for (let at = 0; !state.over; at += 1) {
        const begun = performance.now()
        const key = `${chance.seed}-ddl-${at}`
        await submit(
          { name: 'probe', address: system.address, history, chance, tries: 10 },
          key,
          permits(chance, key, 1)
        )
        posts.take((performance.now() - begun) / 1000)
        await delay(50)
      }
    })()
    try {
      await changer.connect()
      await changer.query(`set lock_timeout = '1s'`)
      for (let at = 0; at < changes; at += 1) {
        for (const table of ['record', 'chunk', 'batch']) {
          const added = changer.query(`alter table ${table} add column added_${at} integer`)
          state[(await added.catch(() => undefined)) ? 'done' : 'gaveUp'] += 1
        }
        await delay(200)
      }
      state.over = true
      await probing
      await loading.stop()
      const verdict = await finish(context, system, history, { seconds: 600 })
      const expect = expecting()
      expect.is(state.done > 0, 'some changes were made')
      expect.is(verdict.wronglyHeld === 0, `${verdict.wronglyHeld} records were held for it`)
      expect.is(!history.statuses.has(500), 'nothing was answered 500')
      return {
        figures: { 'changes made': state.done, 'given up': state.gaveUp, 'longest submission s': round(posts.most, 2) },
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
