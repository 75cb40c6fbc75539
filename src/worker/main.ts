import { rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { listPauses } from '../db/operations/pauses.ts'
import { tellPoolWait } from '../db/pool.ts'
import { giveSign, removeWorker } from '../db/workers/signs-of-life.ts'
import { createExtractor } from '../extract/extractor.ts'
import { createLogger, type Logger } from '../logger.ts'
import { newId } from '../model/ids.ts'
import { createDocumentReader } from '../pipeline/documents/document-reader.ts'
import { createRecognisedReader } from '../pipeline/documents/recognised-reader.ts'
import type { WorkerDeps } from '../pipeline/work/pipeline-deps.ts'
import { createSoloGate } from '../pipeline/work/solo-gate.ts'
import { createJobListener } from '../queue/listener.ts'
import type { Slots } from '../queue/slots.ts'
import { createPlaces, type Places } from '../registries/limits/places.ts'
import { createHealthGate, type Need } from './health-gate.ts'
import { logServices } from './maintenance/log-services.ts'
import { pauseService } from './maintenance/pause-service.ts'
import { runServices, type Service } from './maintenance/run-services.ts'
import { servicesOf } from './maintenance/services.ts'
import { warmServices } from './maintenance/warm-service.ts'
import { startMetricsServer } from './metrics-server.ts'
import { createRegistryMeters, type RegistryMeters } from './registry-meters.ts'
import { type QueueOptions, startQueues } from './start-queues.ts'
import { createStepDeps } from './step-deps.ts'
import { startRowThreads } from './threads/row-threads.ts'

export interface Worker {
  readonly id: string
  /** Stops fetching, lets jobs in hand end within the grace, then closes everything. Safe to call twice. */
  close(): Promise<void>
}

/** How long jobs in hand may go on after the order to stop. */
const GRACE_MS = 25_000

const workFolderOf = (config: Config): string => join(config.data, 'work')

interface Own {
  readonly id: string
  readonly logger: Logger
  readonly meters: RegistryMeters
  readonly places: Places
}

async function createDeps(config: Config, { id, logger, meters, places }: Own): Promise<WorkerDeps> {
  const tempFolder = join(workFolderOf(config), id)
  // Each thread has the connections of its slots; the rest of the process's share is the main thread's.
  const connections = config.poolMax - config.chunk.slots
  const deps = await createStepDeps(config, {
    logger,
    workerId: id,
    tempFolder,
    connections,
    supervises: true,
    places,
    onRegistry: meters.tell
  })
  // Listed before it has a folder: one that is not listed would be taken for a dead one's in the end.
  await giveSign(deps.pool, id, hostname())
  const { pool, store } = deps
  const { slots, memoryMb, seconds, pages } = config.document
  const extractor = createExtractor({ slots, memoryMb, seconds, pages, tempDir: join(tempFolder, 'extract') })
  const { profileFolder, document } = config
  const reading = { pool, store, newId, logger, tempFolder, profileFolder }
  const recognised = await createRecognisedReader({ ...config.ocr, pages }, reading)
  return {
    ...deps,
    extractor,
    documents: createDocumentReader({ ...reading, extractor, document }),
    ...(recognised ? { recognised } : {}),
    gate: createSoloGate()
  }
}

/** Every job needs the database and the store; documents also need processes that read them. */
function needsOf(deps: WorkerDeps, slots: readonly Slots[]): Need[] {
  return [
    { name: 'database', check: () => deps.pool.query('select 1'), slots },
    { name: 'store', check: () => deps.store.check(), slots },
    { name: 'extractor', check: () => deps.extractor.check(), slots: slots.filter(one => one.queue === 'document') }
  ]
}

/** Starts the slots of every queue, without what operators hold back, and the service that learns what that is. */
async function startObedientQueues(deps: WorkerDeps, options: QueueOptions) {
  const holds = await listPauses(deps.pool, null)
  const slots = startQueues(deps, { ...options, holds })
  return { slots, pauses: pauseService({ ...deps, listener: options.listener, slots, holds }) }
}

/** Maintenance with settings of its own. Throws `CONFIG_INVALID` for keys that are none. */
async function otherServices(config: Config, deps: WorkerDeps, signal: AbortSignal): Promise<Service[]> {
  const sealing = await logServices(config, deps.pool, deps.logger)
  return [...warmServices(config.warm, deps, signal), ...sealing]
}

/**
 * Starts a worker: slots for every queue, maintenance and the health gate. Any number may run on any hosts; Postgres is
 * the only place where they meet.
 */
export async function startWorker(config: Config): Promise<Worker> {
  const id = `${hostname()}-${process.pid}`
  const logger = createLogger({ component: 'worker', level: config.logLevel })
  const ownId = newId()
  const meters = createRegistryMeters()
  const places = createPlaces()
  const deps = await createDeps(config, { id: ownId, logger, meters, places })
  const stopping = new AbortController()
  const others = await otherServices(config, deps, stopping.signal)
  const listener = createJobListener(config.databaseUrl ?? '', logger)
  const threads = await startRowThreads(config.chunk.threads, {
    config,
    workerId: ownId,
    tempFolder: deps.tempFolder,
    slots: Math.ceil(config.chunk.slots / config.chunk.threads),
    places,
    logger,
    silenceMs: config.heartbeatSeconds * 1000,
    onWait: seconds => tellPoolWait(deps.pool, seconds),
    onRegistry: meters.tell,
    onDeath: () => process.kill(process.pid, 'SIGKILL')
  })
  const { slots, pauses } = await startObedientQueues(deps, { listener, config, runRows: job => threads.run(job) })
  const needs = needsOf(deps, slots)
  const gate = createHealthGate(needs, logger)
  const services = runServices(
    [...servicesOf(deps, { id: ownId, workFolder: workFolderOf(config) }, gate, needs), pauses, ...others],
    logger,
    stopping.signal
  )
  const metrics = await startMetricsServer(config, {
    pools: () => [deps.pool, ...threads.pools()],
    pool: deps.pool,
    gate,
    registries: meters
  })
  const { level: isolation } = deps.extractor.isolation
  const { slots: size, threads: count } = config.chunk
  logger.info({ worker_id: id, slots: size, threads: count, isolation }, 'worker started')
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    stopping.abort()
    await Promise.all(slots.map(one => one.stop(GRACE_MS)))
    await services
    await threads.close()
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
