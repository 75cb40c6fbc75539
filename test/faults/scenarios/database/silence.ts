import { setTimeout as delay } from 'node:timers/promises'
import { type System, startSystem } from '../../harness/system.ts'
import { signalServer } from '../../harness/victims.ts'
import { waitFor } from '../../harness/wait.ts'
import { sendOnce } from '../../load/client.ts'
import { permits } from '../../load/content.ts'
import { History, type Operation } from '../../load/history.ts'
import { type Context, expecting, finish, Longest, type Result, round, type Scenario, startLoad } from '../scenario.ts'

/** A request is answered within this though the database says nothing: the wait for a connection. */
const LONGEST_SECONDS = 10
/** Connections of ours that are open once all is over: the pools' most, the queue's and the listener's. */
const MOST_OPEN = 80

/** Sessions that hold a transaction open and do nothing, once nothing is left to do. */
async function leaked({ pool }: System): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where datname = current_database()
     and application_name like 'docket-%' and state like 'idle in transaction%' and state_change < now() - interval '5 seconds'`
  )
  return rows[0]?.n ?? 0
}

async function probe(system: System, path: string): Promise<{ status: number; seconds: number }> {
  const begun = performance.now()
  const response = await fetch(`${system.address()}${path}`, { signal: AbortSignal.timeout(90_000) }).catch(
    () => undefined
  )
  await response?.arrayBuffer().catch(() => undefined)
  return { status: response?.status ?? 0, seconds: (performance.now() - begun) / 1000 }
}

interface Silence {
  begin(system: System): Promise<void>
  end(system: System): Promise<void>
}

/** Asks for health and sends things while the database is silent, then sees that all of it comes back. */
async function throughSilence(context: Context, silence: Silence): Promise<Result> {
  const { world, chance, size } = context
  const { seconds = 5, clients = 2, rows = 300 } = size
  const system = await startSystem(world, { workers: 1, proxies: ['api', 'worker'] })
  const history = new History()
  const loading = startLoad(context, system, { history, clients, rows })
  const [alive, ready, sent] = [new Longest(), new Longest(), new Longest()]
  const wrong: string[] = []
  const own = chance.fork('probes')
  const send = async (key: string, operation: Operation): Promise<void> => {
    const answer = await sendOnce(system.address(), key, operation.submission, { timeoutMs: 90_000 })
    history.complete('silent', operation, answer)
    sent.take(answer.ms / 1000)
  }
  try {
    await delay(2000)
    await silence.begin(system)
    const until = performance.now() + seconds * 1000
    const posts: Promise<void>[] = []
    const unacked = history.operations.size
    for (let at = 0; performance.now() < until; at += 1) {
      const health = await probe(system, '/healthz')
      alive.take(health.seconds)
      if (health.status !== 200) wrong.push(`/healthz answered ${health.status}`)
      const readiness = await probe(system, '/readyz')
      ready.take(readiness.seconds)
      if (readiness.status !== 503) wrong.push(`/readyz answered ${readiness.status}`)
      if (at < 3) {
        const key = `${chance.seed}-silent-${at}`
        const operation = history.operation(key, permits(own, `${chance.seed}S${at}`, 2))
        history.invoke('silent', operation)
        posts.push(send(key, operation))
      }
      await delay(300)
    }
    await silence.end(system)
    const healed = performance.now()
    await waitFor('readiness', 60, async () => (await probe(system, '/readyz')).status === 200)
    const recovery = (performance.now() - healed) / 1000
    await Promise.all(posts)
    await loading.stop()
    await system.drained(600)
    const left = await waitFor('open transactions to end', 90, async () =>
      (await leaked(system)) === 0 ? 1 : undefined
    )
      .then(() => 0)
      .catch(() => leaked(system))
    const open = (system.proxies.api?.open ?? 0) + (system.proxies.worker?.open ?? 0)
    const deaths = [system.api, ...system.workers].reduce((sum, one) => sum + one.deaths, 0)
    const verdict = await finish(context, system, history, { seconds: 600 })
    const expect = expecting()
    for (const what of new Set(wrong)) expect.is(false, what)
    expect.is(sent.most <= LONGEST_SECONDS, `a request took ${sent.most.toFixed(1)} s`)
    const [firstEnd = ''] = system.workers.flatMap(one => one.ends).concat(system.api.ends)
    expect.is(posts.length > 0, 'requests were sent meanwhile')
    expect.is(left === 0, `${left} sessions hold a transaction for nobody`)
    expect.is(open <= MOST_OPEN, `${open} connections are open afterwards`)
    expect.is(deaths === 0, `${deaths} processes ended, the first: ${firstEnd}`)
    expect.is(verdict.wronglyHeld === 0, `${verdict.wronglyHeld} records were held for it`)
    return {
      figures: {
        'silent s': seconds,
        'longest request s': round(sent.most),
        '/healthz s': round(alive.most, 2),
        '/readyz s': round(ready.most, 2),
        'ready again s': round(recovery),
        'connections afterwards': open,
        'sent before': unacked
      },
      verdict,
      faults: expect.faults
    }
  } finally {
    await system.stop()
  }
}

/** D-2. */
export const frozen: Scenario = {
  id: 'D-2',
  title: 'the database sleeps: all of its processes are stopped, then go on',
  short: { seconds: 8, clients: 2, rows: 300 },
  full: { seconds: 60, clients: 4, rows: 2000 },
  run: context => {
    const { world } = context
    return throughSilence(context, {
      begin: async () => signalServer(await world.postmaster(), 'SIGSTOP'),
      end: async () => signalServer(await world.postmaster(), 'SIGCONT')
    })
  }
}

/** D-3. */
export const partition: Scenario = {
  id: 'D-3',
  title: 'the line to the database swallows everything, and heals',
  short: { seconds: 8, clients: 2, rows: 300 },
  full: { seconds: 60, clients: 4, rows: 2000 },
  run: context =>
    throughSilence(context, {
      begin: async ({ proxies }) => {
        proxies.api?.set({ kind: 'drop' })
        proxies.worker?.set({ kind: 'drop' })
      },
      end: async ({ proxies }) => {
        proxies.api?.heal()
        proxies.worker?.heal()
      }
    })
}

/** D-3, the other way: the peer is gone and nobody was told. */
export const halfOpen: Scenario = {
  id: 'D-3b',
  title: 'half-open lines to the database: its end of them is gone, ours does not know',
  short: { seconds: 8, clients: 2, rows: 300 },
  full: { seconds: 60, clients: 4, rows: 2000 },
  run: context =>
    throughSilence(context, {
      begin: async ({ proxies }) => {
        proxies.api?.halfOpen()
        proxies.worker?.halfOpen()
      },
      end: async ({ proxies }) => {
        proxies.api?.heal()
        proxies.worker?.heal()
      }
    })
}
