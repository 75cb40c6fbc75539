import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import { supervise } from '../../../../src/cli/deployment/supervise.ts'
import { MAIN } from '../../harness/managed.ts'
import { JURISDICTION, type System, startSystem } from '../../harness/system.ts'
import { signal } from '../../harness/victims.ts'
import { HEADERS, submit } from '../../load/client.ts'
import { permits } from '../../load/content.ts'
import { History } from '../../load/history.ts'
import { type Context, expecting, finish, round, type Scenario, startLoad } from '../scenario.ts'

/**
 * Sends on a connection of its own. Answers the status; 0 when the line was cut, -1 when nobody listened: then nothing was
 * under way.
 */
async function sendAlone({ chance }: Context, system: System, history: History, name: string): Promise<number> {
  const key = `${chance.seed}-rolling-${name}`
  const operation = history.operation(key, permits(chance, key, 400))
  const headers = { ...HEADERS, connection: 'close', 'idempotency-key': key, 'content-type': 'text/csv' }
  history.invoke('rolling', operation)
  try {
    const body = new Uint8Array(operation.submission.bytes)
    const address = `${system.address()}/v1/batches?profile=permit&jurisdiction=${JURISDICTION}`
    const response = await fetch(address, { method: 'POST', headers, body })
    const { id } = (await response.json()) as { readonly id?: string }
    const outcome = response.status === 202 ? 'ok' : 'unknown'
    const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
    const answer = {
      outcome,
      status: response.status,
      retryAfter: Number.isNaN(retryAfter) ? undefined : retryAfter
    } as const
    history.complete('rolling', operation, { ...answer, ...(id ? { batchId: id } : {}) })
    return response.status
  } catch (error) {
    return error instanceof Error && /ECONNREFUSED/.test(inspect(error.cause)) ? -1 : 0
  }
}

/** C-5. */
export const rollingRestarts: Scenario = {
  id: 'C-5',
  title: 'workers and API are asked to end under load, in turn, and started again',
  short: { restarts: 6, clients: 2, rows: 600, requests: 8 },
  full: { restarts: 100, clients: 4, rows: 3000, requests: 20 },
  async run(context) {
    const { world, chance, size } = context
    const { restarts = 0, clients = 2, rows = 600, requests = 8 } = size
    const system = await startSystem(world, { workers: 2 })
    const history = new History()
    const loading = startLoad(context, system, { history, clients, rows })
    const ends: number[] = []
    let claimed = 0
    let broken = 0
    try {
      for (let at = 0; at < restarts; at += 1) {
        await delay(chance.between(200, 1500))
        const isApi = at % 3 === 2
        const one = isApi ? system.api : system.workers[at % 2]
        if (!one) throw new Error('there is no such process')
        const calls = Array.from({ length: isApi ? requests : 0 }, (_, i) =>
          sendAlone(context, system, history, `${at}-${i}`)
        )
        // The requests are under way when the order comes.
        await delay(30)
        const before = one.pid
        ends.push(await one.stop())
        broken += (await Promise.all(calls)).filter(status => status === 0 || status >= 500).length
        if (!isApi) {
          const { rows: left } = await system.pool.query<{ n: number }>(
            `select count(*)::int as n from pgboss.job where state = 'active' and heartbeat_on < now() - interval '5 seconds'`
          )
          claimed += left[0]?.n ?? 0
        }
        await one.start()
        if (one.pid === before) throw new Error('it did not restart')
      }
      await loading.stop()
      const verdict = await finish(context, system, history, { seconds: 600 })
      const expect = expecting()
      const slowest = Math.max(...ends)
      expect.is(broken === 0, `${broken} requests under way were not answered`)
      expect.is(slowest <= 30, `a process took ${slowest.toFixed(1)} s to end`)
      expect.is(claimed === 0, `${claimed} jobs were left to their heartbeat`)
      expect.is(verdict.wronglyHeld === 0, 'nothing is held for it')
      return {
        figures: { restarts, 'slowest end s': round(slowest), 'requests broken': broken, 'jobs left claimed': claimed },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}

/** C-9. */
export const crashLoop: Scenario = {
  id: 'C-9',
  title: 'a worker that ends as soon as it starts is started ever more slowly, takes no claim, and works once it can',
  short: { seconds: 20 },
  full: { seconds: 600 },
  async run(context) {
    const { world, size, chance } = context
    const { seconds = 0 } = size
    const system = await startSystem(world)
    const history = new History()
    const starts: number[] = []
    let isBroken = false
    let begun = 0
    const part = await supervise({
      name: 'looping worker',
      command: [process.execPath, MAIN, 'worker'],
      env: () => {
        if (isBroken) starts.push((performance.now() - begun) / 1000)
        return {
          PATH: process.env['PATH'],
          ...system.workerEnv,
          ...(isBroken ? { DOCKET_PROFILES: '/nowhere/at/all' } : {})
        }
      },
      log: () => undefined
    })
    try {
      // The one that is supervised is the only one; it dies, and cannot start any more.
      await Promise.all(system.workers.map(worker => worker.stop()))
      isBroken = true
      begun = performance.now()
      // It is known by its host and its process id.
      signal(Number((part.ready as { readonly id: string }).id.split('-').at(-1)), 'SIGKILL')
      const key = `${chance.seed}-loop`
      const options = { name: 'client', address: system.address, history, chance, tries: 10 }
      await submit(options, key, permits(chance, key, 500))
      await delay(seconds * 1000)
      const { rows } = await system.pool.query<{ launches: number; tries: number }>(
        `select (select coalesce(max(launches), 0)::int from chunk) as launches,
           (select coalesce(max(retry_count), 0)::int from pgboss.job) as tries`
      )
      const looped = starts.length
      isBroken = false
      const verdict = await finish(context, system, history, { seconds: 120 })
      const pauses = starts.slice(1, looped).map((at, i) => at - (starts[i] ?? 0))
      const expect = expecting()
      // Half a second, doubled each time up to half a minute.
      const most = Math.ceil(Math.log2(seconds + 1)) + 1 + Math.ceil(seconds / 30)
      expect.is(looped >= 2 && looped <= most, `${looped} starts in ${seconds} s, ${most} at most`)
      expect.is(
        pauses.every((pause, i) => i === 0 || pause >= Math.min(30, 1.2 * (pauses[i - 1] ?? 0))),
        `pauses were ${pauses.map(pause => pause.toFixed(1)).join(', ')} s`
      )
      expect.is(seconds < 120 || (pauses.at(-1) ?? 0) >= 30, 'in the end half a minute lies between two starts')
      expect.is(rows[0]?.launches === 0 && rows[0].tries === 0, 'no chunk and no job was claimed by it')
      expect.is(verdict.wronglyHeld === 0, 'nothing is held for it')
      return {
        figures: {
          seconds,
          starts: looped,
          'longest pause s': round(Math.max(0, ...pauses)),
          'claims taken': rows[0]?.launches ?? 0
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await part.stop()
      await system.stop()
    }
  }
}

/** Nothing but work, for figures that are compared. */
export async function secondsFor(context: Context, system: System, history: History, name: string): Promise<number> {
  const { chance, size } = context
  const { batches = 0, rows = 0 } = size
  const begun = performance.now()
  for (let at = 0; at < batches; at += 1) {
    const key = `${chance.seed}${name}${at}`
    await submit(
      { name, address: system.address, history, chance, tries: 10, timeoutMs: 60_000 },
      key,
      permits(chance.fork(key), key, rows)
    )
  }
  await system.drained(900)
  return (performance.now() - begun) / 1000
}
