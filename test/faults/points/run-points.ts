import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CRASH_POINTS, type CrashPoint } from '../../../src/crash-points.ts'
import { configureSources } from '../../../src/registries/configuration/configure.ts'
import { jsonRegistry } from '../../registries/json-registry.ts'
import { check, type Verdict } from '../checker/check.ts'
import type { Managed } from '../harness/managed.ts'
import type { Chance } from '../harness/random.ts'
import { type System, startSystem } from '../harness/system.ts'
import { waitFor } from '../harness/wait.ts'
import type { World } from '../harness/world.ts'
import { resolveUnknown } from '../load/client.ts'
import { History } from '../load/history.ts'
import { ASKING, DEEDS, type Deeds, deedOf, RETAINED } from './deeds.ts'

export interface PointRun {
  readonly point: CrashPoint
  /** The process dies at that pass of the point. */
  readonly pass: number
  /** Seconds to wait for it; another time only in tests. */
  readonly patience?: number
}

export interface PointsResult {
  /** Points that the process died at. */
  readonly reached: readonly CrashPoint[]
  /** Points it never came to: a fault of the list or of the deed. */
  readonly missed: readonly CrashPoint[]
  readonly verdict: Verdict
}

/** The same, when the deed may have to be done again. */
const BETWEEN_SECONDS = 5
/** How long the next process may take for what the dead one left. */
const LEFT_SECONDS = 120
/** How long a process may take to come to its point. */
const PATIENCE_SECONDS = 45

const ENGINE = join(import.meta.dirname, 'no-words-engine.ts')
/** A deed that is done once may pass a point less often than asked for. */
const MOST_DEEDS = 8

export const ALL_POINTS: readonly CrashPoint[] = [...CRASH_POINTS.api, ...CRASH_POINTS.worker]

const isApi = (point: CrashPoint): boolean => (CRASH_POINTS.api as readonly string[]).includes(point)

/** Which process has which point armed, told at each of its starts. */
interface Armed {
  readonly spec: Partial<Record<'api' | 'worker', string>>
  readonly more: Record<string, string>
}

/** Lets the process die and come back before what is due to a dead one is hastened. */
async function afterDeath(system: System, one: Managed): Promise<void> {
  if (one !== system.api) await system.expireClaims()
  await one.untilReady()
}

async function runPoint(
  deeds: Omit<Deeds, 'isOver'>,
  armed: Armed,
  { point, pass, patience = PATIENCE_SECONDS }: PointRun,
  mark: string
) {
  const { system } = deeds
  const side = isApi(point) ? 'api' : 'worker'
  const one = side === 'api' ? system.api : system.workers[0]
  if (!one) throw new Error('there is no such process')
  const isOver = (): boolean => existsSync(mark)
  armed.spec[side] = `${point}:${pass}:${mark}`
  const deed = deedOf(point)
  armed.more['DOCKET_CHUNK_RECORDS'] = deed === 'longSplit' ? '1' : '500'
  const before = one.deaths
  one.kill()
  await waitFor('the restart', 30, async () => one.deaths > before)
  // One that dies while it starts comes back armed, and does not die again: its mark is there.
  await afterDeath(system, one)
  for (let at = 0; at < (pass === 1 ? 1 : MOST_DEEDS) && !isOver(); at += 1) {
    // What a person asked for may come to nothing when the process dies of it: that is for the checker to judge. A deed
    // that cannot be done does not bring the process to its point either.
    await DEEDS[deed]({ ...deeds, isOver }).catch(() => undefined)
    const seconds = at + 1 < MOST_DEEDS && pass > 1 ? Math.min(patience, BETWEEN_SECONDS) : patience
    await waitFor(point, seconds, async () => isOver()).catch(() => undefined)
  }
  delete armed.spec[side]
  if (!isOver()) return false
  await afterDeath(system, one)
  // What one death left is done before the next: a chunk that has seen several workers die is rightly suspected.
  await system.drained(LEFT_SECONDS)
  return true
}

/** A worker that starts does what the rules of retention ask for; nothing that is due may be left. */
async function retentionDone(system: System): Promise<void> {
  const isLeft = async (): Promise<boolean> =>
    (
      await system.pool.query(
        `select 1 from record r where jurisdiction = $1 and updated_at < now() - interval '31 days'
         and not exists (select 1 from record_erasure e where e.jurisdiction = r.jurisdiction and e.record_id = r.id) limit 1`,
        [RETAINED]
      )
    ).rowCount === 1
  if (!(await isLeft())) return
  const [worker] = system.workers
  worker?.kill()
  await waitFor('records that are due to be erased', 120, async () => !(await isLeft()))
}

/**
 * Lets a process die at each of these points while it does what passes it, then lets everything be worked to its end, and
 * checks all of it once.
 */
export async function runPoints(world: World, chance: Chance, runs: readonly PointRun[]): Promise<PointsResult> {
  const armed: Armed = { spec: {}, more: {} }
  const crash = (side: 'api' | 'worker') => (armed.spec[side] ? { DOCKET_CRASH_AT: armed.spec[side] } : {})
  const marks = join(world.folder, `marks-${chance.seed}`)
  mkdirSync(marks, { recursive: true })
  const checkpoints = join(world.folder, `checkpoints-${chance.seed}`)
  const system = await startSystem(world, {
    env: { DOCKET_CHECKPOINTS: `file:${checkpoints}`, DOCKET_OCR_ENGINE: ENGINE, DOCKET_OCR_CONCURRENCY: '1' },
    apiEnv: () => crash('api'),
    workerEnv: () => ({ ...armed.more, ...crash('worker') })
  })
  const done: (() => unknown)[] = []
  try {
    const registry = await jsonRegistry({ teardown: (end: () => unknown) => void done.push(end) })
    await configureSources(system.pool, ASKING, { parcel: registry.settings() as never }, false)
    const history = new History()
    const reached: CrashPoint[] = []
    for (const [at, run] of runs.entries()) {
      if (await runPoint({ system, history, chance }, armed, run, join(marks, `${at}`))) reached.push(run.point)
    }
    const options = { name: 'last', address: system.address, history, chance, tries: 12 }
    await resolveUnknown(options)
    await retentionDone(system)
    const seconds = await system.drained(180)
    await Promise.all(system.workers.map(worker => worker.stop()))
    const { pool, folder, payloads } = system
    const logs = async (): Promise<string> => `${await system.logs()}${await world.log()}`
    const verdict = await check({ pool, folder, payloads, history, logs }, seconds, { ignorePlanted: true })
    const missed = runs.map(({ point }) => point).filter(point => !reached.includes(point))
    return { reached, missed, verdict }
  } finally {
    await system.stop()
    for (const end of done) await end()
  }
}
