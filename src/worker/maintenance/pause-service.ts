import { listPauses, type PauseScope } from '../../db/operations/pauses.ts'
import type { Pool } from '../../db/pool.ts'
import type { Logger } from '../../logger.ts'
import type { JobListener } from '../../queue/listener.ts'
import type { Slots } from '../../queue/slots.ts'
import type { Service } from './run-services.ts'

/** Pauses tell themselves; looking is for those whose news got lost with a connection. */
const EVERY_MS = 2000

/** What the trigger of their table says on the channel of jobs. */
const NEWS = 'pauses'

export interface PauseServiceDeps {
  readonly pool: Pool
  readonly logger: Logger
  readonly listener: Pick<JobListener, 'onJobs'>
  readonly slots: readonly Slots[]
  /** What the slots were started with. */
  readonly holds: readonly PauseScope[]
}

const textOf = (holds: readonly PauseScope[]): string =>
  JSON.stringify(holds.map(({ jurisdiction, lane }) => [jurisdiction, lane]))

/** The service by which a worker learns at once what operators hold back, and let go again. */
export function pauseService({ pool, logger, listener, slots, holds }: PauseServiceDeps): Service {
  let known = textOf(holds)
  const obey = async (): Promise<number> => {
    const now = await listPauses(pool, null)
    const text = textOf(now)
    if (text === known) return 0
    known = text
    for (const one of slots) one.holdBack(now)
    logger.warn({ count: now.length }, 'what operators hold back has changed')
    return 1
  }
  // When the database does not answer now, the next look comes in seconds.
  listener.onJobs(NEWS, () => void obey().catch(() => undefined))
  return { name: 'obey-pauses', everyMs: EVERY_MS, runOnce: obey }
}
