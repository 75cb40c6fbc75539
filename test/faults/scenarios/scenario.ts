import { setTimeout as delay } from 'node:timers/promises'
import { type CheckOptions, check, type Verdict } from '../checker/check.ts'
import type { Chance } from '../harness/random.ts'
import type { System } from '../harness/system.ts'
import { timed } from '../harness/wait.ts'
import type { World } from '../harness/world.ts'
import { resolveUnknown, submit } from '../load/client.ts'
import { document, permits, type Submission } from '../load/content.ts'
import type { History } from '../load/history.ts'

export type Size = Readonly<Record<string, number>>

export interface Context {
  readonly world: World
  readonly chance: Chance
  readonly size: Size
  /** The revision that an earlier build is made of. */
  readonly old?: string | undefined
}

export interface Result {
  /** What was measured, in the order it is printed. */
  readonly figures: Readonly<Record<string, number | string>>
  readonly verdict?: Verdict
  /** What did not hold. */
  readonly faults: readonly string[]
  /** Why it could not be done on this machine. */
  readonly impossible?: string
}

export interface Scenario {
  readonly id: string
  readonly title: string
  readonly short: Size
  readonly full: Size
  /** Needs a database server of its own, on a disk of its own. */
  readonly ownWorld?: boolean
  run(context: Context): Promise<Result>
}

/** Asks the given of a figure; its name says what should have been. */
export function expecting(): { readonly faults: string[]; is(holds: boolean, what: string): void } {
  const faults: string[] = []
  return {
    faults,
    is(holds, what) {
      if (!holds) faults.push(what)
    }
  }
}

/** Settles what is open, lets everything be worked to its end, stops the processes and checks what is there. */
export async function finish(
  { world, chance }: Context,
  system: System,
  history: History,
  options: CheckOptions & { readonly seconds?: number } = {}
): Promise<Verdict> {
  for (const proxy of Object.values(system.proxies)) proxy.heal()
  await resolveUnknown({ name: 'last', address: system.address, history, chance: chance.fork('last'), tries: 20 })
  const seconds = await system.drained(options.seconds ?? 300)
  await Promise.all([system.api, ...system.workers].map(one => one.stop()))
  const { pool, folder, payloads } = system
  const logs = async (): Promise<string> => `${await system.logs()}${await world.log()}`
  return check({ pool, folder, payloads, history, logs }, seconds, options)
}

/** Most of a mixed load are files of rows of every form; some are single records and documents. */
export function mixed(chance: Chance, tag: string, rows: number): Submission {
  const draw = chance.next()
  if (draw < 0.12) return document(chance, tag)
  if (draw < 0.4) return permits(chance, tag, 1, 'json')
  return permits(chance, tag, chance.between(Math.ceil(rows / 2), rows), chance.pick(['csv', 'json', 'ndjson']))
}

export interface Loading {
  /** Ends the load after what is in hand; answers the records and documents sent. */
  stop(): Promise<{ readonly records: number; readonly documents: number }>
  /** The same, as far as it has come. */
  readonly sent: { readonly records: number; readonly documents: number }
}

export interface LoadOptions {
  readonly history: History
  readonly clients: number
  readonly rows: number
  readonly pauseMs?: number
  /** Whether clients wait before they send more, given the records sent so far. */
  readonly waits?: (records: number) => boolean
}

/** Clients that send one thing after the other until they are stopped, each in its own order. */
export function startLoad(
  { chance }: Context,
  system: System,
  { history, clients, rows, pauseMs = 0, waits = () => false }: LoadOptions
): Loading {
  const state = { over: false, records: 0, documents: 0 }
  const run = async (client: number): Promise<void> => {
    const own = chance.fork(`client-${client}`)
    for (let at = 0; !state.over && !system.isStopped(); at += 1) {
      while (waits(state.records) && !state.over) await delay(50)
      const submission = mixed(own, `${chance.seed}C${client}N${at}`, rows)
      await submit(
        { name: `client-${client}`, address: system.address, history, chance: own, tries: 6 },
        `${chance.seed}-${client}-${at}`,
        submission
      )
      state.records += submission.records ?? 0
      if (submission.kind === 'document') state.documents += 1
      if (pauseMs > 0) await delay(pauseMs * own.next() * 2)
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, client) => run(client)))
  return {
    sent: state,
    async stop() {
      state.over = true
      await running
      return state
    }
  }
}

/** Seconds from now until something that was just sent is acknowledged. */
export async function secondsUntilTaken({ chance }: Context, system: System, history: History): Promise<number> {
  const key = `${chance.seed}-probe-${history.operations.size}-${Math.round(performance.now())}`
  const options = { name: 'probe', address: system.address, history, chance, tries: 60, timeoutMs: 15_000 }
  return (await timed(() => submit(options, key, permits(chance, key, 1)))).seconds
}

/** The most that was measured of something, and how often it was. */
export class Longest {
  count = 0
  most = 0

  take(value: number): void {
    this.count += 1
    this.most = Math.max(this.most, value)
  }
}

export const round = (value: number, digits = 1): number => Number(value.toFixed(digits))
