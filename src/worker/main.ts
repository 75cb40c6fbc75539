import { rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { createPool } from '../db/pool.ts'
import { giveSign, removeWorker } from '../db/workers/signs-of-life.ts'
import { createExtractor } from '../extract/extractor.ts'
import { createLogger, errorFields, type Logger } from '../logger.ts'
import { newId } from '../model/ids.ts'
import { createDocumentReader } from '../pipeline/documents/document-reader.ts'
import { createRecognisedReader } from '../pipeline/documents/recognised-reader.ts'
import type { PipelineDeps } from '../pipeline/work/pipeline-deps.ts'
import { createSoloGate } from '../pipeline/work/solo-gate.ts'
import { loadProfiles } from '../profiles/load-profiles.ts'
import { createBoss } from '../queue/boss.ts'
import { createJobListener } from '../queue/listener.ts'
import type { Slots } from '../queue/slots.ts'
import { createLookUps } from '../registries/look-ups.ts'
import { createRegistries } from '../registries/table-registry.ts'
import { createFileStore } from '../storage/file-store.ts'
import { createHealthGate, type Need } from './health-gate.ts'
import { runServices } from './maintenance/run-services.ts'
import { servicesOf } from './maintenance/services.ts'
import { startMetricsServer } from './metrics-server.ts'
import { startQueues } from './start-queues.ts'

export interface Worker {
  readonly id: string
  /** Stops fetching, lets jobs in hand end within the grace, then closes everything. Safe to call twice. */
  close(): Promise<void>
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

/** How long jobs in hand may go on after the order to stop. */
const GRACE_MS = 25_000

const workFolderOf = (config: Config): string => join(config.data, 'work')

async function createDeps(config: Config, logger: Logger, id: string): Promise<PipelineDeps> {
  const url = config.databaseUrl ?? ''
  const pool = createPool({
    url,
    max: config.poolMax,
    applicationName: 'docket-worker',
    onError: error => logger.warn(errorFields(error), 'idle connection lost')
  })
  // Listed before it has a folder: one that is not listed would be taken for a dead one's in the end.
  await giveSign(pool, id, hostname())
  const tempFolder = join(workFolderOf(config), id)
  const boss = await createBoss({ url, role: 'worker', heartbeatSeconds: config.heartbeatSeconds, logger })
  const { slots, memoryMb, seconds, pages } = config.document
  const store = await createFileStore({ folder: config.payloadFolder, newId })
  const extractor = createExtractor({ slots, memoryMb, seconds, pages, tempDir: join(tempFolder, 'extract') })
  const { profileFolder, document } = config
  const reading = { pool, store, newId, logger, tempFolder, profileFolder }
  const recognised = await createRecognisedReader({ ...config.ocr, pages }, reading)
  return {
    pool,
    boss,
    newId,
    now: () => performance.now(),
    actor: `worker:${id}`,
    store,
    profiles: await loadProfiles(profileFolder),
    extractor,
    documents: createDocumentReader({ ...reading, extractor, document }),
    ...(recognised ? { recognised } : {}),
    tempFolder,
    gate: createSoloGate(),
    registries: createRegistries(pool, () => performance.now()),
    lookUps: createLookUps({ atOnce: config.recordConcurrency, timeoutMs: config.enrichmentTimeoutMs }),
    logger,
    today: todayOf(() => Date.now()),
    confidence: config.confidence,
    chunk: config.chunk
  }
}

/** Every job needs the database and the store; documents also need processes that read them. */
function needsOf(deps: PipelineDeps, slots: readonly Slots[]): Need[] {
  return [
    { name: 'database', check: () => deps.pool.query('select 1'), slots },
    { name: 'store', check: () => deps.store.check(), slots },
    { name: 'extractor', check: () => deps.extractor.check(), slots: slots.filter(one => one.queue === 'document') }
  ]
}

/**
 * Starts a worker: slots for every queue, maintenance and the health gate. Any number may run on any hosts; Postgres is
 * the only place where they meet.
 */
export async function startWorker(config: Config): Promise<Worker> {
  const id = `${hostname()}-${process.pid}`
  const logger = createLogger({ component: 'worker', level: config.logLevel })
  const ownId = newId()
  const deps = await createDeps(config, logger, ownId)
  const listener = createJobListener(config.databaseUrl ?? '', logger)
  const slots = startQueues(deps, listener, config)
  const needs = needsOf(deps, slots)
  const gate = createHealthGate(needs, logger)
  const stopping = new AbortController()
  const services = runServices(
    servicesOf(deps, { id: ownId, workFolder: workFolderOf(config) }, gate, needs),
    logger,
    stopping.signal
  )
  const metrics = await startMetricsServer(config, deps.pool, gate)
  logger.info({ worker_id: id, slots: config.chunk.slots, isolation: deps.extractor.isolation.level }, 'worker started')
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    stopping.abort()
    await Promise.all(slots.map(one => one.stop(GRACE_MS)))
    await services
    await Promise.all([
      listener.close(),
      deps.extractor.close(),
      deps.documents.close(),
      deps.recognised?.close(),
      metrics.close(),
      deps.boss.stop({ graceful: false })
    ])
    await rm(deps.tempFolder, { recursive: true, force: true }).catch(() => undefined)
    // An entry that cannot be removed now says the same in a while: nobody gives signs any more.
    await removeWorker(deps.pool, ownId).catch(() => undefined)
    await deps.pool.end()
    logger.info({ worker_id: id }, 'worker stopped')
  }
  return { id, close: () => (closing ??= close()) }
}
