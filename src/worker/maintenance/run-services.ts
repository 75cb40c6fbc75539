import { setTimeout as sleep } from 'node:timers/promises'
import { errorFields, type Logger } from '../../logger.ts'

/** One maintenance service: what it does once, and how often. */
export interface Service {
  readonly name: string
  readonly everyMs: number
  /** Does it once and answers how many things it changed. Idempotent, safe beside other workers. */
  readonly runOnce: () => Promise<number>
}

/** Runs services one after another, each on its own interval, until the signal; a fault is logged and does not end it. */
export async function runServices(services: readonly Service[], logger: Logger, signal: AbortSignal): Promise<void> {
  await Promise.all(services.map(service => runService(service, logger, signal)))
}

async function runService(service: Service, logger: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const count = await service.runOnce()
      if (count > 0) logger.info({ operation: service.name, count }, 'maintenance')
    } catch (error) {
      logger.error({ operation: service.name, ...errorFields(error) }, 'maintenance failed')
    }
    await sleep(service.everyMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
