import { loadSigning } from '../audit/receipt/load-signing.ts'
import type { Config } from '../config.ts'
import type { Pool } from '../db/pool.ts'
import { toDatabaseError } from '../db/sqlstate.ts'
import { AppError } from '../errors.ts'
import type { Logger } from '../logger.ts'
import { newId } from '../model/ids.ts'
import { loadProfiles } from '../profiles/load-profiles.ts'
import { createBoss } from '../queue/boss.ts'
import { openRegistries, type Registries } from '../registries/open-look-ups.ts'
import { createFileStore } from '../storage/file-store.ts'
import { type ApiDeps, serverLimits } from './deps.ts'
import { intakeDeps, type Resources } from './intake-deps.ts'
import { ensureBootstrapKey } from './keys.ts'
import { openPools, type Pools } from './open-pools.ts'
import { type OpenPageImages, openPageImages } from './page-images.ts'
import { fieldsWith } from './present/fields-of.ts'
import { reviewActions } from './review-actions.ts'
import { createDiskMarks, fullestOf } from './submission/disk-marks.ts'

/** How long the start waits for a database that is starting too. */
const DATABASE_WAIT_MS = 30_000
const RETRY_MS = 500

/** Waits until the database answers. Throws `DATABASE_UNAVAILABLE` when it does not in time. */
async function waitForDatabase(pool: Pool): Promise<void> {
  const deadline = performance.now() + DATABASE_WAIT_MS
  for (;;) {
    try {
      await pool.query('select 1')
      return
    } catch (error) {
      if (performance.now() > deadline) throw toDatabaseError(error)
      await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    }
  }
}

/** What was opened; of the pools, intake's is the one that taking submissions works with. */
export type OpenResources = Resources & Registries & { readonly pools: Pools; readonly pageImages: OpenPageImages }

/** Opens what the API works with: database, queue, payload store, profiles; makes sure of the configured key. */
export async function openResources(config: Config, logger: Logger): Promise<OpenResources> {
  const url = config.databaseUrl
  if (!url)
    throw new AppError('CONFIG_INVALID', 'DATABASE_URL is not set; `docket start` brings a database of its own.')
  const pools = openPools(url, config.poolMax, logger)
  const pool = pools.intake
  await waitForDatabase(pool)
  if (config.bootstrapKey) await ensureBootstrapKey(pool, config.bootstrapKey)
  const store = await createFileStore({ folder: config.payloadFolder, newId })
  return {
    pools,
    pool,
    logger,
    newId,
    boss: await createBoss({ url, role: 'api', heartbeatSeconds: config.heartbeatSeconds, logger }),
    store,
    profiles: await loadProfiles(config.profileFolder),
    ...openRegistries({
      pool: pools.review,
      logger,
      newId,
      secretsFolder: config.secretsFolder,
      atOnce: config.recordConcurrency,
      timeoutMs: config.enrichmentTimeoutMs
    }),
    pageImages: openPageImages(config, { pool: pools.reads, store, newId })
  }
}

/** Everything the API works with, from a configuration and what was opened by it. */
export function apiDeps(config: Config, resources: OpenResources, isDraining: () => boolean): ApiDeps {
  const today = (): string => new Date().toISOString().slice(0, 10)
  const { intake, review, reads } = resources.pools
  const used = (): Promise<number> => fullestOf([config.payloadFolder, config.data])
  return {
    ...resources,
    pool: reads,
    pools: [intake, review, reads],
    pages: resources.pageImages.pages,
    isDraining,
    nowMs: () => performance.now(),
    intake: intakeDeps(config, resources),
    review: reviewActions({ ...resources, pool: review, today }),
    fieldsOf: fieldsWith(resources.profiles),
    limits: serverLimits(config.limits.requestBytes),
    signing: () => loadSigning(config.log, config.data),
    queueAgeSeconds: config.limits.queueAgeSeconds,
    disk: createDiskMarks({ ...config.disk, logger: resources.logger, nowMs: () => performance.now(), used })
  }
}
