import type { Config } from '../config.ts'
import { createPool } from '../db/pool.ts'
import { errorFields, type Logger } from '../logger.ts'
import { newId, newSalt } from '../model/ids.ts'
import type { PipelineDeps } from '../pipeline/work/pipeline-deps.ts'
import { loadProfiles } from '../profiles/load-profiles.ts'
import { createBoss } from '../queue/boss.ts'
import type { Places } from '../registries/limits/places.ts'
import { openRegistries } from '../registries/open-look-ups.ts'
import { createFileStore } from '../storage/file-store.ts'
import type { RegistryNews } from './registry-meters.ts'

export interface StepOptions {
  readonly logger: Logger
  readonly workerId: string
  readonly tempFolder: string
  /** Most connections of the pool made here. */
  readonly connections: number
  /** Whether this one also returns jobs whose worker died; one of a worker's does. */
  readonly supervises: boolean
  /** Where the threads of the worker count their calls to registries together. */
  readonly places: Places
  /** Told of every call to a registry and of what its cache had. */
  readonly onRegistry: (news: RegistryNews) => void
}

/** The calendar day in UTC; formatted once a second at most, since every record asks for it. */
function todayOf(nowMs: () => number): () => string {
  let second = Number.NaN
  let today = ''
  return () => {
    const now = Math.floor(nowMs() / 1000)
    if (now !== second) {
      second = now
      today = new Date(now * 1000).toISOString().slice(0, 10)
    }
    return today
  }
}

/** Makes what the steps of a worker or of one of its threads work with. The caller ends `pool` and `boss`. */
export async function createStepDeps(config: Config, options: StepOptions): Promise<PipelineDeps> {
  const { logger, workerId, tempFolder, connections, supervises, places, onRegistry } = options
  const url = config.databaseUrl ?? ''
  const pool = createPool({
    url,
    max: connections,
    applicationName: 'docket-worker',
    onError: error => logger.warn(errorFields(error), 'idle connection lost')
  })
  const { heartbeatSeconds } = config
  return {
    pool,
    boss: await createBoss({ url, role: supervises ? 'worker' : 'thread', heartbeatSeconds, logger }),
    newId,
    newSalt,
    now: () => performance.now(),
    actor: `worker:${workerId}`,
    store: await createFileStore({ folder: config.payloadFolder, newId }),
    profiles: await loadProfiles(config.profileFolder),
    tempFolder,
    ...openRegistries({
      pool,
      logger,
      newId,
      secretsFolder: config.secretsFolder,
      places,
      atOnce: Math.ceil(config.recordConcurrency / (config.chunk.threads + 1)),
      timeoutMs: config.enrichmentTimeoutMs,
      onCall: ({ jurisdiction, kind: registry, name: adapter }, seconds, outcome) =>
        onRegistry({ kind: 'call', jurisdiction, registry, adapter, outcome, seconds }),
      onLookUp: ({ jurisdiction, kind: registry }, hits, misses) =>
        onRegistry({ kind: 'keys', jurisdiction, registry, hits, misses })
    }),
    logger,
    today: todayOf(() => Date.now()),
    confidence: config.confidence,
    chunk: config.chunk
  }
}
