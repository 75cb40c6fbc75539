import { listPauses, type PauseScope } from '../../db/operations/pauses.ts'
import type { Pool } from '../../db/pool.ts'
import type { Logger } from '../../logger.ts'
import type { Slots } from '../../queue/slots.ts'
import type { Service } from './run-services.ts'

const EVERY_MS = 2000

export interface PauseServiceDeps {
  readonly pool: Pool
  readonly logger: Logger
  readonly slots: readonly Slots[]
  /** What the slots were started with. */
  readonly holds: readonly PauseScope[]
}

const textOf = (holds: readonly PauseScope[]): string =>
  JSON.stringify(holds.map(({ jurisdiction, lane }) => [jurisdiction, lane]))

/** The service by which a worker learns within seconds what operators hold back, and let go again. */
export function pauseService({ pool, logger, slots, holds }: PauseServiceDeps): Service {
  let known = textOf(holds)
  return {
    name: 'obey-pauses',
    everyMs: EVERY_MS,
    runOnce: async () => {
      const now = await listPauses(pool, null)
      const text = textOf(now)
      if (text === known) return 0
      known = text
      for (const one of slots) one.holdBack(now)
      logger.warn({ count: now.length }, 'what operators hold back has changed')
      return 1
    }
  }
}
