import { setTimeout as delay } from 'node:timers/promises'
import { startSystem } from '../../harness/system.ts'
import { signal } from '../../harness/victims.ts'
import { waitFor } from '../../harness/wait.ts'
import { History } from '../../load/history.ts'
import { expecting, finish, Longest, round, type Scenario, secondsUntilTaken, startLoad } from '../scenario.ts'

/** D-1. */
export const restarts: Scenario = {
  id: 'D-1',
  title: 'the database ends at once, by SIGQUIT or SIGKILL, and comes back, under load',
  short: { restarts: 4, clients: 2, rows: 400 },
  full: { restarts: 100, clients: 4, rows: 3000 },
  async run(context) {
    const { world, chance, size } = context
    const { restarts: wanted = 0, clients = 2, rows = 400 } = size
    const system = await startSystem(world, { workers: 2 })
    const history = new History()
    const loading = startLoad(context, system, { history, clients, rows })
    const back = new Longest()
    const up = new Longest()
    const took: number[] = []
    try {
      for (let at = 0; at < wanted; at += 1) {
        await delay(chance.between(500, 3000))
        const before = await world.postmaster()
        const begun = performance.now()
        signal(before, at % 2 === 0 ? 'SIGQUIT' : 'SIGKILL')
        await waitFor('the server', 60, async () => {
          const now = await world.postmaster()
          if (now === 0 || now === before) return false
          return world.sql('select 1').then(
            () => true,
            () => false
          )
        })
        up.take((performance.now() - begun) / 1000)
        const seconds = await secondsUntilTaken(context, system, history)
        back.take(seconds)
        took.push(seconds)
      }
      await loading.stop()
      const deaths = [system.api, ...system.workers].reduce((sum, one) => sum + one.deaths, 0)
      const verdict = await finish(context, system, history, { seconds: 600 })
      const expect = expecting()
      expect.is(deaths === 0, `${deaths} processes ended with the database`)
      expect.is(back.most <= 15, `taken again ${back.most.toFixed(1)} s after the database was up`)
      expect.is(verdict.wronglyHeld === 0, `${verdict.wronglyHeld} records were held for it`)
      const mean = took.reduce((sum, seconds) => sum + seconds, 0) / took.length
      return {
        figures: {
          restarts: wanted,
          'database up s': round(up.most),
          'MTTR s': round(mean),
          'longest s': round(back.most),
          'processes ended': deaths
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}
