import type { Config } from '../../config.ts'
import { listPauses } from '../../db/operations/pauses.ts'
import { listRemoteJurisdictions, withWarmingClaim } from '../../db/registries/awaited-work.ts'
import { type Position, START, type WarmDeps, type WarmOptions } from '../../pipeline/warm/warm-jurisdiction.ts'
import { warmRegistries } from '../../pipeline/warm/warm-registries.ts'
import type { Service } from './run-services.ts'

/** How often work that goes on waiting is gone through again, so that what is kept for it does not run out. */
const AGAIN_MS = 900_000

/** What would run out before it is come back to is asked for anew. */
const FRESH_SECONDS = (2 * AGAIN_MS) / 1000

export type WarmServiceDeps = WarmDeps & {
  /** Monotonic milliseconds. */
  readonly now: () => number
}

interface Pass {
  readonly position: Position
  readonly begunAt: number
}

/**
 * The service that asks registries elsewhere ahead for pending work; none when it is switched off. Costs one statement
 * while no such registry is configured. Of several workers one does it at a time. The first run comes an interval after the
 * start: a chunk that ends whoever reads it is known and held by then, and does not end every worker as it starts.
 */
export function warmServices(
  { everyMs, chunks }: Config['warm'],
  deps: WarmServiceDeps,
  signal: AbortSignal
): readonly Service[] {
  if (everyMs === 0) return []
  const { pool, now } = deps
  const passes = new Map<string, Pass>()
  let isFirst = true
  const passOf = (jurisdiction: string): Pass => passes.get(jurisdiction) ?? { position: START, begunAt: now() }
  const warm = async (jurisdictions: readonly string[]): Promise<number> => {
    const until = now() + everyMs
    const optionsFor = (jurisdiction: string): Omit<WarmOptions, 'readInTurn'> => {
      const { position: from } = passOf(jurisdiction)
      return { from, most: chunks, until, now, freshSeconds: FRESH_SECONDS, signal }
    }
    let asked = 0
    for (const outcome of await warmRegistries(deps, jurisdictions, optionsFor)) {
      if ('failed' in outcome) continue
      const { jurisdiction, reached: position, isDone, counts } = outcome
      const pass = passOf(jurisdiction)
      if (isDone && now() - pass.begunAt >= AGAIN_MS) passes.delete(jurisdiction)
      else passes.set(jurisdiction, { ...pass, position })
      for (const one of counts.values()) asked += one.asked
    }
    return asked
  }
  const runOnce = async (): Promise<number> => {
    const isTooSoon = isFirst
    isFirst = false
    if (isTooSoon || signal.aborted) return 0
    const remote = await listRemoteJurisdictions(pool)
    if (remote.length === 0) return 0
    // Work that is held back needs no answers yet, and the registry may be why it is.
    const paused = new Set((await listPauses(pool, null)).filter(one => one.lane === null).map(one => one.jurisdiction))
    const jurisdictions = remote.filter(jurisdiction => !paused.has(jurisdiction))
    if (jurisdictions.length === 0) return 0
    return (await withWarmingClaim(pool, () => warm(jurisdictions))) ?? 0
  }
  return [{ name: 'warm-registries', everyMs, runOnce }]
}
