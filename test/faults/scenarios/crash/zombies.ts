import { setTimeout as delay } from 'node:timers/promises'
import { startSystem } from '../../harness/system.ts'
import { waitFor } from '../../harness/wait.ts'
import { submit } from '../../load/client.ts'
import { permits } from '../../load/content.ts'
import { History } from '../../load/history.ts'
import { expecting, finish, type Scenario } from '../scenario.ts'

/** A thawed worker's late writes are told of in the log by one of these. */
const FENCED = /claim lost|chunk was settled elsewhere|"code":"CLAIM_LOST"/g

/** C-4. */
export const zombies: Scenario = {
  id: 'C-4',
  title: 'a worker sleeps past its heartbeat, others take its jobs, and it wakes',
  short: { cycles: 6 },
  full: { cycles: 200 },
  async run(context) {
    const { world, chance, size } = context
    const { cycles = 0 } = size
    const system = await startSystem(world, { workers: 2 })
    const history = new History()
    let asleepWithWork = 0
    try {
      for (let at = 0; at < cycles; at += 1) {
        const [zombie, other] = at % 2 === 0 ? system.workers : system.workers.toReversed()
        const options = { name: 'client', address: system.address, history, chance, tries: 20 }
        // While the other sleeps, this one has whatever is sent.
        other?.kill('SIGSTOP')
        const { batchIds } = await submit(
          options,
          `${chance.seed}-${at}`,
          permits(chance, `${chance.seed}N${at}`, 1400)
        )
        const active = async (): Promise<boolean> =>
          ((await system.pool.query(`select 1 from pgboss.job where state = 'active'`)).rowCount ?? 0) > 0
        await waitFor('a job in hand', 20, active, 5).catch(() => undefined)
        await delay(chance.between(0, 60))
        zombie?.kill('SIGSTOP')
        if (await active()) asleepWithWork += 1
        other?.kill('SIGCONT')
        // Its heartbeat runs out, and the server has given up on sessions of a host that does not answer.
        await system.pool.query(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`)
        await waitFor('the other to do its work', 90, async () => {
          await system.pool.query(
            `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
             and application_name like 'docket-worker%' and state like 'idle in transaction%'
             and state_change < now() - interval '2 seconds'`
          )
          const done = await system.pool.query(`select 1 from batch where id = any($1) and state = 'completed'`, [
            [...batchIds]
          ])
          return done.rowCount === batchIds.size
        })
        zombie?.kill('SIGCONT')
      }
      const verdict = await finish(context, system, history)
      const fenced = (await system.logs()).match(FENCED)?.length ?? 0
      const expect = expecting()
      expect.is(verdict.wronglyHeld === 0, 'nothing is held for it')
      expect.is(asleepWithWork > 0, 'some slept with a job in hand')
      expect.is(fenced > 0, 'those that woke were told that their claim was lost')
      return {
        figures: { cycles, 'slept with work': asleepWithWork, fenced, 'stale writes': verdict.findings.length },
        verdict,
        faults: expect.faults
      }
    } finally {
      for (const worker of system.workers) worker.kill('SIGCONT')
      await system.stop()
    }
  }
}
