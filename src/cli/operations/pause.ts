import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from '../../config.ts'
import { endPause, insertPause, listPauses, type PauseScope } from '../../db/operations/pauses.ts'
import type { Pool } from '../../db/pool.ts'
import { newId } from '../../model/ids.ts'
import { LANES, type Lane } from '../../model/states.ts'
import { countPausedJobs } from '../../queue/held-jobs.ts'
import { type Io, readArguments, UsageError } from '../command.ts'
import { checkDeployed, withDatabase } from '../deployment/database.ts'
import { textTable } from '../terminal/text-table.ts'
import { operatorName } from './operator-name.ts'

const OPTIONS = {
  jurisdiction: { type: 'string' },
  lane: { type: 'string' },
  reason: { type: 'string' },
  drain: { type: 'boolean', default: false }
} as const

const JURISDICTION = /^(?:\d{2}|\d{5}|\d{7}|[a-z][a-z0-9-]{1,39})$/

/** By then every worker that lives has learnt of a pause: they look every two seconds. */
const OBEYED_MS = 5000

/** How often jobs in hand are counted while they are waited for. */
const LOOK_MS = 500

interface Wanted extends PauseScope {
  readonly reason: string
}

function wantedOf(values: { jurisdiction?: string; lane?: string; reason?: string }): Wanted {
  const { jurisdiction = null, reason = '' } = values
  if (jurisdiction !== null && !JURISDICTION.test(jurisdiction)) {
    throw new UsageError('--jurisdiction takes a FIPS code of 2, 5 or 7 digits, or a name of small letters.')
  }
  const lane = values.lane === undefined ? null : LANES.find(known => known === values.lane)
  if (lane === undefined) throw new UsageError(`Lanes are ${LANES.join(', ')}.`)
  if (jurisdiction === null && lane === null) throw new UsageError('Say --jurisdiction, --lane, or both.')
  if (reason.trim() === '' || reason.length > 500) {
    throw new UsageError('Say why, with --reason, in at most 500 letters: it is kept with who and when.')
  }
  return { jurisdiction, lane, reason: reason.trim() }
}

const nameOf = ({ jurisdiction, lane }: { jurisdiction: string | null; lane: Lane | null }): string =>
  [lane === null ? 'all lanes' : `lane ${lane}`, jurisdiction ?? 'all jurisdictions'].join(' of ')

async function show(pool: Pool, io: Io): Promise<void> {
  const pauses = await listPauses(pool, null)
  if (pauses.length === 0) return io.out('Nothing is paused.')
  const jobs = new Map((await countPausedJobs(pool)).map(one => [one.pauseId, one]))
  const rows = pauses.map(one => [
    one.jurisdiction ?? '*',
    one.lane ?? '*',
    one.pausedAt.toISOString(),
    one.pausedBy,
    String(jobs.get(one.id)?.waiting ?? 0),
    String(jobs.get(one.id)?.running ?? 0),
    one.reason
  ])
  const head = ['jurisdiction', 'lane', 'since', 'by', 'waiting', 'running', 'reason']
  for (const line of textTable([head, ...rows])) io.out(line)
}

/** Waits until no job of a pause runs any more, or until it is resumed. */
async function drain(pool: Pool, pauseId: string, io: Io): Promise<void> {
  let told = -1
  for (;;) {
    const mine = (await countPausedJobs(pool)).find(one => one.pauseId === pauseId)
    if (!mine) return io.out('It was resumed meanwhile.')
    if (mine.running === 0 && mine.seconds * 1000 >= OBEYED_MS) return io.out('Drained: no job of it runs.')
    if (mine.running > 0 && mine.running !== told) io.err(`${mine.running} jobs still run.`)
    told = mine.running
    await delay(LOOK_MS)
  }
}

/**
 * `docket pause [--jurisdiction J] [--lane L] --reason TEXT [--drain]`: workers stop fetching this work within seconds; with
 * `--drain` it waits until what they have in hand has ended. Without arguments it lists what is paused.
 */
export async function pause(args: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(args, OPTIONS)
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is too much.`)
  const wanted = args.length === 0 ? undefined : wantedOf(values)
  const config = loadConfig(io.env)
  await checkDeployed(config)
  await withDatabase(config, io.err, async pool => {
    if (!wanted) return show(pool, io)
    const made = await insertPause(pool, { ...wanted, id: newId(), actor: operatorName() })
    const { jurisdiction, lane } = wanted
    const all = await listPauses(pool, null)
    const inForce = made ?? all.find(one => one.jurisdiction === jurisdiction && one.lane === lane)
    io.out(`${made ? 'Paused' : 'Paused already'}: ${nameOf(wanted)}.`)
    if (values.drain && inForce) await drain(pool, inForce.id, io)
  })
  return 0
}

/** `docket resume [--jurisdiction J] [--lane L] --reason TEXT`: ends the pause of exactly this scope; status 1 when there is none. */
export async function resume(args: readonly string[], io: Io): Promise<number> {
  const { drain: _, ...options } = OPTIONS
  const { values, positionals } = readArguments(args, options)
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is too much.`)
  const wanted = wantedOf(values)
  const config = loadConfig(io.env)
  await checkDeployed(config)
  const ended = await withDatabase(config, io.err, pool => endPause(pool, { ...wanted, actor: operatorName() }))
  io.out(ended ? `Resumed: ${nameOf(wanted)}.` : `Nothing of exactly this scope is paused: ${nameOf(wanted)}.`)
  return ended ? 0 : 1
}
