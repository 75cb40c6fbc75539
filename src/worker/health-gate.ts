import { errorFields, type Logger } from '../logger.ts'
import type { Slots } from '../queue/slots.ts'

/** Something a worker needs, and the slots whose jobs need it. `check` throws while it is not there. */
export interface Need {
  readonly name: string
  readonly check: () => Promise<unknown>
  readonly slots: readonly Slots[]
}

export interface HealthGate {
  /** Checks one need. Answers 1 when that has changed what is fetched, else 0. */
  check(need: Need): Promise<number>
  /** Names of the needs that were missing when last checked. */
  readonly missing: readonly string[]
}

/**
 * Stops a worker from fetching jobs it could not do at present, so that faults of our own never use up the attempts of
 * jobs. A slot fetches while everything its jobs need is there.
 */
export function createHealthGate(needs: readonly Need[], logger: Logger): HealthGate {
  const missing = new Set<Need>()
  const apply = (): void => {
    const paused = new Set([...missing].flatMap(need => need.slots))
    for (const slots of new Set(needs.flatMap(need => need.slots))) {
      if (paused.has(slots)) slots.pause()
      else slots.resume()
    }
  }
  return {
    get missing() {
      return [...missing].map(need => need.name)
    },
    async check(need) {
      const fault = await need.check().then(
        () => undefined,
        (error: unknown) => errorFields(error)
      )
      if ((fault !== undefined) === missing.has(need)) return 0
      if (fault) missing.add(need)
      else missing.delete(need)
      apply()
      if (fault) logger.error({ ...fault, name: need.name }, 'stopped fetching: something jobs need is away')
      else logger.warn({ name: need.name }, 'fetching again')
      return 1
    }
  }
}
