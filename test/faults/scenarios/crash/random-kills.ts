import { setTimeout as delay } from 'node:timers/promises'
import type { Chance } from '../../harness/random.ts'
import { type System, startSystem } from '../../harness/system.ts'
import { descendantsOf, signal } from '../../harness/victims.ts'
import { timed } from '../../harness/wait.ts'
import type { World } from '../../harness/world.ts'
import { History } from '../../load/history.ts'
import { expecting, finish, round, type Scenario, startLoad } from '../scenario.ts'

type Kills = Record<'worker' | 'api' | 'reader' | 'postgres', number>

/** Kills one of what there is: mostly workers, a tenth each the API, the database and a process that reads documents. */
async function killOne(world: World, system: System, chance: Chance, kills: Kills): Promise<void> {
  const draw = chance.next()
  if (draw < 0.1) {
    if (signal(await world.postmaster(), 'SIGKILL')) kills.postgres += 1
  } else if (draw < 0.2) {
    if (system.api.kill()) kills.api += 1
  } else if (draw < 0.3) {
    const readers = system.workers.flatMap(({ pid }) => descendantsOf(pid).filter(one => /extract/.test(one.command)))
    if (readers.length > 0 && signal(chance.pick(readers).pid, 'SIGKILL')) kills.reader += 1
  } else if (chance.pick(system.workers).kill()) kills.worker += 1
}

/** C-1. */
export const randomKills: Scenario = {
  id: 'C-1',
  title: 'random SIGKILLs of workers, API, reading processes and Postgres under load',
  short: { kills: 12, records: 5_000, workers: 2, clients: 3, rows: 800 },
  full: { kills: 1000, records: 1_000_000, workers: 3, clients: 6, rows: 500 },
  async run(context) {
    const { world, chance, size } = context
    const { kills: wanted = 0, records = 0, workers = 2, clients = 3, rows = 800 } = size
    const started = await timed(() => startSystem(world, { workers, env: { DOCKET_CHUNK_RECORDS: '200' } }))
    const system = started.answer
    // On a machine that takes seconds to start a process, processes must live as many times longer to do anything.
    const slower = Math.max(1, started.seconds / 2)
    const history = new History()
    const kills: Kills = { worker: 0, api: 0, reader: 0, postgres: 0 }
    const total = (): number => Object.values(kills).reduce((sum, n) => sum + n, 0)
    // Records and kills keep step, so that the last kill meets work as the first one does.
    const waits = (sent: number): boolean => sent / records > (total() + 1) / wanted && total() < wanted
    const loading = startLoad(context, system, { history, clients, rows, waits })
    const killer = chance.fork('killer')
    const begun = performance.now()
    try {
      while (total() < wanted || loading.sent.records < records) {
        await delay(killer.between(300, 1500) * slower)
        if (total() < wanted) await killOne(world, system, killer, kills)
      }
      const { records: sent, documents } = await loading.stop()
      const minutes = (performance.now() - begun) / 60_000
      const verdict = await finish(context, system, history, { seconds: 1800 })
      const expect = expecting()
      expect.is(total() >= wanted, `${total()} of ${wanted} kills`)
      expect.is(sent >= records, `${sent} of ${records} records were sent`)
      // By chance none of a kind may be hit in a short run.
      const spared = Object.entries(kills).filter(([, n]) => n === 0)
      expect.is(wanted < 60 || spared.length === 0, `never killed: ${spared.map(([name]) => name).join(', ')}`)
      expect.is(verdict.wronglyHeld === 0, `${verdict.wronglyHeld} records were held for crashes that were not theirs`)
      return {
        figures: {
          kills: total(),
          ...kills,
          records: sent,
          documents,
          minutes: round(minutes),
          spacing: round(slower)
        },
        verdict,
        faults: expect.faults
      }
    } finally {
      await system.stop()
    }
  }
}
