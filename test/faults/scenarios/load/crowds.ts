import { startSystem } from '../../harness/system.ts'
import { waitFor } from '../../harness/wait.ts'
import { sendOnce, submit } from '../../load/client.ts'
import { permits } from '../../load/content.ts'
import { History } from '../../load/history.ts'
import { expecting, finish, round, type Scenario } from '../scenario.ts'

const told = (statuses: ReadonlyMap<number, number>): string =>
  [...statuses]
    .toSorted(([a], [b]) => a - b)
    .map(([status, n]) => `${status || 'none'}: ${n}`)
    .join(', ')

/** L-5. */
export const oneKey: Scenario = {
  id: 'L-5',
  title: 'identical submissions at one moment, all under one Idempotency-Key',
  short: { requests: 100 },
  full: { requests: 500 },
  async run(context) {
    const { world, chance, size } = context
    const { requests = 0 } = size
    const system = await startSystem(world)
    const history = new History()
    try {
      const operation = history.operation('one', permits(chance, `${chance.seed}`, 50))
      const answers = await Promise.all(
        Array.from({ length: requests }, (_, i) => {
          history.invoke(`client-${i}`, operation)
          return sendOnce(system.address(), 'one', operation.submission, { timeoutMs: 60_000 })
        })
      )
      for (const answer of answers) history.complete('client', operation, answer)
      const ids = new Set(answers.flatMap(({ batchId }) => batchId ?? []))
      const verdict = await finish(context, system, history)
      const expect = expecting()
      expect.is(ids.size === 1, `${ids.size} batches were answered`)
      expect.is(
        [...history.statuses.keys()].every(status => status === 202 || status === 409),
        `answers were ${told(history.statuses)}`
      )
      expect.is(
        answers.filter(({ replayed, status }) => status === 202 && !replayed).length === 1,
        'one was not a repetition'
      )
      return {
        figures: { requests, answers: told(history.statuses), batches: ids.size },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}

/** L-8. */
export const retryStorm: Scenario = {
  id: 'L-8',
  title: 'clients that were all refused come back at once after an outage',
  short: { clients: 100, seconds: 5 },
  full: { clients: 2000, seconds: 60 },
  async run(context) {
    const { world, chance, size } = context
    const { clients = 0, seconds = 5 } = size
    const system = await startSystem(world, { proxies: ['api'] })
    const history = new History()
    try {
      system.proxies.api?.set({ kind: 'reset' })
      system.proxies.api?.resetAll()
      const healAt = performance.now() + seconds * 1000
      const sending = Promise.all(
        Array.from({ length: clients }, (_, i) => {
          const own = chance.fork(`storm-${i}`)
          const options = {
            name: `client-${i}`,
            address: system.address,
            history,
            chance: own,
            tries: 60,
            timeoutMs: 60_000
          }
          return submit(options, `${chance.seed}-${i}`, permits(own, `${chance.seed}N${i}`, 1, 'json'))
        })
      )
      await waitFor('the end of the outage', seconds + 5, async () => performance.now() >= healAt)
      system.proxies.api?.heal()
      const healed = performance.now()
      await sending
      const normal = (performance.now() - healed) / 1000
      const verdict = await finish(context, system, history)
      const expect = expecting()
      expect.is(history.of('ok').length === clients, `${history.of('ok').length} of ${clients} were taken`)
      expect.is(normal <= 60, `all were taken ${normal.toFixed(1)} s after the outage`)
      return {
        figures: { clients, 'outage s': seconds, answers: told(history.statuses), 'all taken after s': round(normal) },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}

/** L-7. */
export const fairness: Scenario = {
  id: 'L-7',
  title: 'one jurisdiction floods, another sends a little',
  short: { flood: 12, rows: 3000, small: 5 },
  full: { flood: 170, rows: 6000, small: 10 },
  async run(context) {
    const { world, chance, size } = context
    const { flood = 0, rows = 0, small = 0 } = size
    const system = await startSystem(world, { env: { DOCKET_CHUNK_RECORDS: '200' } })
    const history = new History()
    const one = async (tag: string): Promise<number> => {
      const begun = performance.now()
      const options = { name: 'small', address: system.address, history, chance, tries: 5, jurisdiction: '17031' }
      const { batchIds } = await submit(options, tag, permits(chance, tag, 20))
      await waitFor(
        'a small batch',
        300,
        async () => {
          const { rowCount } = await system.pool.query(
            `select 1 from batch where id = any($1) and state = 'completed'`,
            [[...batchIds]]
          )
          return rowCount === 1
        },
        20
      )
      return (performance.now() - begun) / 1000
    }
    const some = async (name: string): Promise<number> => {
      const took: number[] = []
      for (let i = 0; i < small; i += 1) took.push(await one(`${chance.seed}${name}${i}`))
      return took.toSorted((a, b) => a - b)[Math.ceil(0.95 * took.length) - 1] ?? 0
    }
    try {
      const alone = await some('alone')
      await Promise.all(
        Array.from({ length: flood }, (_, i) =>
          submit(
            { name: 'flood', address: system.address, history, chance, tries: 5, timeoutMs: 60_000 },
            `${chance.seed}F${i}`,
            permits(chance.fork(`${i}`), `${chance.seed}F${i}`, rows)
          )
        )
      )
      const beside = await some('beside')
      const { rows: left } = await system.pool.query<{ n: number }>(
        `select count(*)::int as n from chunk where state = 'pending'`
      )
      const verdict = await finish(context, system, history, { seconds: 1800 })
      const expect = expecting()
      expect.is((left[0]?.n ?? 0) > 0, 'the flood was still being worked')
      expect.is(beside <= 3 * alone, `p95 was ${(beside / alone).toFixed(1)} times what it is alone, 3 at most`)
      return {
        figures: {
          'flood rows': flood * rows,
          'p95 alone s': round(alone, 2),
          'p95 beside s': round(beside, 2),
          ratio: round(beside / alone),
          'flood chunks left': left[0]?.n ?? 0
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}
