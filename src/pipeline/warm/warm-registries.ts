import { errorFields } from '../../logger.ts'
import { createTurnstile } from '../../registries/limits/turnstile.ts'
import { type WarmDeps, type Warmed, type WarmOptions, warmJurisdiction } from './warm-jurisdiction.ts'

/** Jurisdictions at once: a slow registry of one is not waited for by the others. */
const LANES = 8

/** How it ended for a jurisdiction: what was done, or that a fault of our own was in the way. */
export type Outcome = Warmed | { readonly jurisdiction: string; readonly failed: true }

/**
 * Looks up ahead what the work of these jurisdictions will ask registries elsewhere for. What fails for one, its own faults
 * included, is nothing to the others. Ends early, with what it has done by then, when the signal says so.
 */
export async function warmRegistries(
  deps: WarmDeps,
  jurisdictions: readonly string[],
  optionsFor: (jurisdiction: string) => Omit<WarmOptions, 'readInTurn'>
): Promise<readonly Outcome[]> {
  const waiting = [...jurisdictions]
  const outcomes: Outcome[] = []
  const reading = createTurnstile(1)
  const lane = async (): Promise<void> => {
    for (let jurisdiction = waiting.shift(); jurisdiction !== undefined; jurisdiction = waiting.shift()) {
      const options = { ...optionsFor(jurisdiction), readInTurn: <T>(read: () => Promise<T>) => reading.pass(read) }
      if (options.signal.aborted) return
      try {
        outcomes.push(await warmJurisdiction(deps, jurisdiction, options))
      } catch (error) {
        deps.logger.warn({ jurisdiction, ...errorFields(error) }, 'registries were not asked ahead')
        outcomes.push({ jurisdiction, failed: true })
      }
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await deps.lookUps.settled()
  return outcomes
}
