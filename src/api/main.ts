import type { Config } from '../config.ts'
import { createLogger, errorFields } from '../logger.ts'
import { buildApp } from './app.ts'
import { endPools } from './open-pools.ts'
import { apiDeps, openResources } from './open-resources.ts'

export interface Api {
  /** `http://host:port`. */
  readonly address: string
  /** Says not ready, ends requests within a limit, then closes everything. Safe to call twice. */
  close(): Promise<void>
}

/** How long requests under way may go on after the order to stop. */
const REQUESTS_MS = 20_000

/** How long closing one resource may take. */
const RESOURCE_MS = 5000

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>(resolve => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([work, limit])
  clearTimeout(timer)
}

/** Starts the API; it listens once the database answers. The configuration must name a database. */
export async function startApi(config: Config): Promise<Api> {
  const logger = createLogger({ component: 'api', level: config.logLevel })
  const resources = await openResources(config, logger)
  let draining = false
  const app = await buildApp(apiDeps(config, resources, () => draining))
  const address = await app.listen({ host: config.host, port: config.port })
  logger.info({ address }, 'api listens')
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    draining = true
    await within(REQUESTS_MS, app.close())
    app.server.closeAllConnections()
    const ends = [resources.pageImages.close(), resources.boss.stop({ graceful: false }), ...endPools(resources.pools)]
    for (const end of ends) end.catch((error: unknown) => logger.warn(errorFields(error), 'not closed in order'))
    await within(RESOURCE_MS, Promise.allSettled(ends))
    logger.info('api stopped')
  }
  return { address, close: () => (closing ??= close()) }
}
