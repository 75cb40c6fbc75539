import { setTimeout as delay } from 'node:timers/promises'
import { residentMb, startSystem } from '../../harness/system.ts'
import { sendOnce } from '../../load/client.ts'
import { permits } from '../../load/content.ts'
import { History } from '../../load/history.ts'
import { secondsFor } from '../crash/rolling.ts'
import { expecting, finish, Longest, round, type Scenario } from '../scenario.ts'

/** A heap of its own limit and what is in hand of uploads; more would grow with the load. */
const MOST_MB = 768

/** L-6. */
export const overload: Scenario = {
  id: 'L-6',
  title: 'submissions come many times as fast as they can be worked, whoever is answered',
  short: { seconds: 10, perSecond: 20, rows: 1500, batches: 6 },
  full: { seconds: 600, perSecond: 60, rows: 3000, batches: 40 },
  async run(context) {
    const { world, chance, size } = context
    const { seconds = 0, perSecond = 10, rows = 0, batches = 1 } = size
    const system = await startSystem(world, { env: { DOCKET_MAX_QUEUE_AGE: '3' } })
    const history = new History()
    const memory = new Longest()
    try {
      const peak = (batches * rows) / (await secondsFor(context, system, history, 'peak'))
      const { rows: before } = await system.pool.query<{ n: number }>('select count(*)::int as n from record')
      const calls: Promise<void>[] = []
      const begun = performance.now()
      for (let at = 0; performance.now() - begun < seconds * 1000; at += 1) {
        const key = `${chance.seed}-over-${at}`
        const operation = history.operation(key, permits(chance, key, rows))
        const call = async (): Promise<void> =>
          history.complete(
            'flood',
            operation,
            await sendOnce(system.address(), key, operation.submission, { timeoutMs: 60_000 })
          )
        calls.push(call())
        memory.take(residentMb(system.api.pid))
        await delay(1000 / perSecond)
      }
      const { rows: after } = await system.pool.query<{ n: number }>('select count(*)::int as n from record')
      const good = ((after[0]?.n ?? 0) - (before[0]?.n ?? 0)) / ((performance.now() - begun) / 1000)
      await Promise.all(calls)
      const shed = history.statuses.get(429) ?? 0
      // What was turned away is not sent again: only what was taken has to be there.
      for (const operation of history.of('unknown')) history.operations.delete(operation.key)
      const deaths = [system.api, ...system.workers].reduce((sum, one) => sum + one.deaths, 0)
      const verdict = await finish(context, system, history, { seconds: 1800 })
      const expect = expecting()
      expect.is(deaths === 0, `${deaths} processes ended`)
      const others = [...history.statuses.keys()].filter(status => ![202, 429, 503].includes(status))
      expect.is(others.length === 0, `answers were ${others.join(', ')} too`)
      expect.is(shed > 0, 'more came than could be worked')
      expect.is(good >= 0.9 * peak, `goodput was ${((100 * good) / peak).toFixed(0)} % of the peak, 90 at least`)
      expect.is(memory.most <= MOST_MB, `the API took ${memory.most} MB`)
      return {
        figures: {
          'peak rows/s': round(peak, 0),
          'goodput rows/s': round(good, 0),
          'goodput %': round((100 * good) / peak, 0),
          offered: calls.length,
          'shed 429': shed,
          'API MB': memory.most
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}
