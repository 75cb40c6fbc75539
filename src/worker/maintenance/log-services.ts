import { publishCheckpoints } from '../../audit/log/publish.ts'
import { type SealDeps, sealAll } from '../../audit/log/seal.ts'
import { loadKeys } from '../../audit/log/signing/signing-keys.ts'
import type { Config } from '../../config.ts'
import type { Pool } from '../../db/pool.ts'
import type { Logger } from '../../logger.ts'
import type { Service } from './run-services.ts'

const SEAL_EVERY_MS = 1000
const PUBLISH_EVERY_MS = 2000

/** What the sealer works with, its keys read. Throws `CONFIG_INVALID` for keys that are none. */
async function sealDeps(config: Config, pool: Pool): Promise<SealDeps> {
  const { origin, signingKey, keysFile } = config.log
  return { pool, origin, ...(await loadKeys({ signingKey, keysFile, dataFolder: config.data }, true)) }
}

/** The services that seal the audit log and bring its checkpoints outside. Every worker has them; one at a time seals. */
export async function logServices(config: Config, pool: Pool, logger: Logger): Promise<Service[]> {
  const deps = await sealDeps(config, pool)
  const { destinations } = config.log
  const s3 = config.log.s3 && { ...config.log.s3, now: () => Date.now() }
  const seal = {
    name: 'seal-log',
    everyMs: SEAL_EVERY_MS,
    // Every second something is sealed while there is work; that is no news.
    runOnce: async () => {
      await sealAll(deps)
      return 0
    }
  }
  const publish = {
    name: 'publish-checkpoints',
    everyMs: PUBLISH_EVERY_MS,
    runOnce: async () => {
      await publishCheckpoints({ pool, destinations, s3, logger })
      return 0
    }
  }
  return destinations.length > 0 ? [seal, publish] : [seal]
}
