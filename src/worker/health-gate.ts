import type { Pool } from '../db/pool.ts'
import type { Logger } from '../logger.ts'
import type { Slots } from '../queue/slots.ts'
import type { PayloadStore } from '../storage/payload-store.ts'

export interface HealthGateDeps {
  readonly pool: Pool
  readonly store: PayloadStore
  readonly logger: Logger
  readonly slots: readonly Slots[]
}

/**
 * Stops a worker from fetching while its database or store does not answer, so that our own faults never use up the
 * attempts of jobs. Answers 1 when the gate has changed.
 */
export function createHealthGate(deps: HealthGateDeps): { check: () => Promise<number>; isOpen: () => boolean } {
  let open = true
  const healthy = async (): Promise<boolean> => {
    try {
      await deps.pool.query('select 1')
      await deps.store.check()
      return true
    } catch {
      return false
    }
  }
  return {
    isOpen: () => open,
    async check() {
      const now = await healthy()
      if (now === open) return 0
      open = now
      for (const slots of deps.slots) {
        if (now) slots.resume()
        else slots.pause()
      }
      deps.logger.warn(
        { reason: now ? 'healthy' : 'database or store away' },
        now ? 'fetching again' : 'stopped fetching'
      )
      return 1
    }
  }
}
