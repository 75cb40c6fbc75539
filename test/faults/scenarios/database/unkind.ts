import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { type System, startSystem } from '../../harness/system.ts'
import { sendOnce } from '../../load/client.ts'
import { permits } from '../../load/content.ts'
import { History } from '../../load/history.ts'
import { expecting, finish, Longest, round, type Scenario, secondsUntilTaken, startLoad } from '../scenario.ts'

const OURS = `datname = current_database() and application_name like 'docket-%' and application_name <> 'docket-faults'`

async function attempts(system: System): Promise<{ most: number; retried: number }> {
  const { rows } = await system.pool.query<{ most: number; retried: number }>(
    `select coalesce(max(retry_count), 0)::int as most, count(*) filter (where retry_count > 0)::int as retried from pgboss.job`
  )
  return rows[0] ?? { most: 0, retried: 0 }
}

/** D-4. */
export const cutSessions: Scenario = {
  id: 'D-4',
  title: 'sessions of the database are ended at random, ten a second',
  short: { seconds: 8, clients: 2, rows: 400 },
  full: { seconds: 300, clients: 4, rows: 2000 },
  async run(context) {
    const { world, size } = context
    const { seconds = 0, clients = 2, rows = 400 } = size
    const system = await startSystem(world, { workers: 2 })
    const history = new History()
    const loading = startLoad(context, system, { history, clients, rows })
    let ended = 0
    try {
      for (const until = performance.now() + seconds * 1000; performance.now() < until; await delay(100)) {
        const { rows: cut } = await system.pool.query<{ done: boolean }>(
          `select pg_terminate_backend(pid) as done from (select pid from pg_stat_activity where ${OURS} order by random() limit 1) s`
        )
        if (cut[0]?.done) ended += 1
      }
      await loading.stop()
      const deaths = [system.api, ...system.workers].reduce((sum, one) => sum + one.deaths, 0)
      const { most, retried } = await attempts(system)
      const verdict = await finish(context, system, history, { seconds: 600 })
      const expect = expecting()
      expect.is(deaths === 0, `${deaths} processes ended`)
      expect.is(ended > 0, 'sessions were ended')
      expect.is(most <= 8, `a job was tried ${most} times again`)
      expect.is(verdict.wronglyHeld === 0, `${verdict.wronglyHeld} records were held for it`)
      return {
        figures: {
          'sessions ended': ended,
          'jobs tried again': retried,
          'most tries': most + 1,
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

/** D-5. */
export const noConnections: Scenario = {
  id: 'D-5',
  title: 'all connections of the server are taken by others',
  short: { seconds: 6 },
  full: { seconds: 60 },
  async run(context) {
    const { world, chance, size } = context
    const { seconds = 0 } = size
    const system = await startSystem(world)
    const history = new History()
    const holders: Client[] = []
    const taken = new Longest()
    try {
      const hold = async (): Promise<boolean> => {
        const client = new Client({ connectionString: world.url })
        client.on('error', () => undefined)
        return client.connect().then(
          () => holders.push(client) > 0,
          () => false
        )
      }
      while (await hold()) continue
      await system.pool
        .query(`select pg_terminate_backend(pid) from pg_stat_activity where ${OURS}`)
        .catch(() => undefined)
      while (await hold()) continue
      const statuses = new Map<number, number>()
      for (const until = performance.now() + seconds * 1000; performance.now() < until; await delay(200)) {
        const key = `${chance.seed}-full-${history.operations.size}`
        const operation = history.operation(key, permits(chance, key, 1))
        const answer = await sendOnce(system.address(), key, operation.submission, { timeoutMs: 60_000 })
        history.complete('client', operation, answer)
        taken.take(answer.ms / 1000)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      }
      const ready = (await fetch(`${system.address()}/readyz`)).status
      await Promise.all(holders.map(holder => holder.end().catch(() => undefined)))
      const back = await secondsUntilTaken(context, system, history)
      const verdict = await finish(context, system, history)
      const expect = expecting()
      expect.is(
        [...statuses.keys()].every(status => status === 503 || status === 202),
        `answers were ${[...statuses.keys()].join(', ')}`
      )
      expect.is((statuses.get(503) ?? 0) > 0, 'nothing was to be had')
      expect.is(ready === 503, `/readyz answered ${ready}`)
      expect.is(taken.most <= 15, `a request waited ${taken.most.toFixed(1)} s`)
      expect.is(verdict.wronglyHeld === 0, 'nothing is held for it')
      return {
        figures: {
          held: holders.length,
          'answered 503': statuses.get(503) ?? 0,
          'longest wait s': round(taken.most),
          readyz: ready,
          'taken again s': round(back)
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await Promise.all(holders.map(holder => holder.end().catch(() => undefined)))
      await system.stop()
    }
  }
}

/** D-7. */
export const readOnly: Scenario = {
  id: 'D-7',
  title: 'the database is read-only for a while, as behind a failover',
  short: { seconds: 8, clients: 2, rows: 300 },
  full: { seconds: 60, clients: 4, rows: 2000 },
  async run(context) {
    const { world, size } = context
    const { seconds = 0, clients = 2, rows = 300 } = size
    const system = await startSystem(world, { workers: 2 })
    const history = new History()
    const loading = startLoad(context, system, { history, clients, rows })
    try {
      await delay(2000)
      await world.sql('alter system set default_transaction_read_only = on')
      await world.sql('select pg_reload_conf()')
      await delay(seconds * 1000)
      await world.sql('alter system reset default_transaction_read_only')
      await world.sql('select pg_reload_conf()')
      const back = await secondsUntilTaken(context, system, history)
      await loading.stop()
      const verdict = await finish(context, system, history, { seconds: 600 })
      const refused = history.statuses.get(503) ?? 0
      const expect = expecting()
      expect.is(refused > 0, 'submissions were answered 503 meanwhile')
      expect.is(verdict.wronglyHeld === 0, `${verdict.wronglyHeld} records were held for it`)
      expect.is(!history.statuses.has(500), 'nothing was answered 500')
      return {
        figures: {
          'read-only s': seconds,
          'answered 503': refused,
          'answered 500': history.statuses.get(500) ?? 0,
          'taken again s': round(back),
          'wrong quarantines': verdict.wronglyHeld
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await world.sql('alter system reset default_transaction_read_only').catch(() => undefined)
      await world.sql('select pg_reload_conf()').catch(() => undefined)
      await system.stop()
    }
  }
}

/** D-9, as far as Node's clocks go. */
export const wrongClocks: Scenario = {
  id: 'D-9',
  title: 'two workers whose clocks are two hours fast and slow',
  short: { seconds: 6, clients: 2, rows: 400 },
  full: { seconds: 300, clients: 4, rows: 2000 },
  async run(context) {
    const { world, size } = context
    const { seconds = 0, clients = 2, rows = 400 } = size
    const shim = (hours: number): string =>
      `data:text/javascript,const D=Date;const by=${hours * 3_600_000};globalThis.Date=class extends D{constructor(...a){a.length===0?super(D.now()+by):super(...a)}static now(){return D.now()+by}}`
    const system = await startSystem(world, {
      workers: 2,
      workerEnv: n => ({ NODE_OPTIONS: `--import="${shim(n === 0 ? 2 : -2)}"` })
    })
    const history = new History()
    try {
      const loading = startLoad(context, system, { history, clients, rows })
      await delay(seconds * 1000)
      await loading.stop()
      await system.drained(300)
      const { retried } = await attempts(system)
      const verdict = await finish(context, system, history)
      const expect = expecting()
      expect.is(history.of('ok').length > 0, 'there was work')
      expect.is(retried === 0, `${retried} jobs expired early`)
      expect.is(verdict.wronglyHeld === 0, 'nothing is held for it')
      return {
        figures: { hours: '+2 and -2', batches: history.of('ok').length, 'jobs expired early': retried },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}
