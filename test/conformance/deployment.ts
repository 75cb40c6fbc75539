import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { type Config, loadConfig } from '../../src/config.ts'
import { createExtractor } from '../../src/extract/extractor.ts'
import { createLogger } from '../../src/logger.ts'
import { newSalt } from '../../src/model/ids.ts'
import { createDocumentReader } from '../../src/pipeline/documents/document-reader.ts'
import { createRecognisedReader } from '../../src/pipeline/documents/recognised-reader.ts'
import type { WorkerDeps } from '../../src/pipeline/work/pipeline-deps.ts'
import { createSoloGate } from '../../src/pipeline/work/solo-gate.ts'
import { createBoss } from '../../src/queue/boss.ts'
import { createJobListener } from '../../src/queue/listener.ts'
import { openRegistries } from '../../src/registries/open-look-ups.ts'
import { closeBatches } from '../../src/worker/maintenance/close-batches.ts'
import { startQueues } from '../../src/worker/start-queues.ts'
import { json, type TestApi, type TestApiOptions, testApi } from '../helpers/app.ts'
import { databaseUrl, testServer } from '../helpers/postgres/create-template-database.ts'
import type { BatchBody, RecordBody } from './judge.ts'

/** The API and a worker, met by a test as a client meets them: over HTTP. */
export interface Deployment {
  readonly api: TestApi
  readonly worker: WorkerDeps
  readonly config: Config
  /** Lines the worker has logged. */
  readonly workerLines: readonly string[]
  /** Waits for the end of a batch and answers how it stands then. */
  ended(batchId: string): Promise<BatchBody>
  /** All records of a batch, by walking its pages. */
  records(batchId: string): Promise<RecordBody[]>
}

const PAGE = 200
/** How often a client asks. */
const POLL_MS = 25

async function databaseOf(api: TestApi): Promise<string> {
  const { rows } = await api.pool.query<{ name: string }>('select current_database() as name')
  return databaseUrl(await testServer(), rows[0]?.name ?? '')
}

interface WorkerParts {
  readonly deps: WorkerDeps
  readonly config: Config
  readonly lines: readonly string[]
  readonly url: string
}

async function workerParts(t: Test, api: TestApi, environment: Record<string, string>): Promise<WorkerParts> {
  const url = await databaseOf(api)
  const folder = await mkdtemp(join(tmpdir(), 'docket-worker-'))
  const config = loadConfig({
    DOCKET_DATA: folder,
    DATABASE_URL: url,
    DOCKET_DOCUMENT_CONCURRENCY: '2',
    ...environment
  })
  const lines: string[] = []
  const logger = createLogger({ component: 'worker', destination: { write: line => lines.push(line) } })
  const boss = await createBoss({ url, role: 'worker', heartbeatSeconds: config.heartbeatSeconds, logger })
  const extractor = createExtractor({ ...config.document, tempDir: join(folder, 'extract') })
  const { pool, store, newId, profiles } = api.deps
  const tempFolder = join(folder, 'work')
  const { profileFolder, document } = config
  const reading = { pool, store, newId, logger, tempFolder, profileFolder }
  const documents = createDocumentReader({ ...reading, extractor, document })
  const recognised = await createRecognisedReader({ ...config.ocr, pages: document.pages }, reading)
  t.teardown(async () => {
    await Promise.all([extractor.close(), documents.close(), recognised?.close(), boss.stop({ graceful: false })])
    await rm(folder, { recursive: true, force: true })
  })
  const deps: WorkerDeps = {
    pool,
    boss,
    newId,
    newSalt,
    now: () => performance.now(),
    actor: 'worker:test',
    store,
    profiles,
    extractor,
    documents,
    ...(recognised ? { recognised } : {}),
    tempFolder,
    gate: createSoloGate(),
    ...openRegistries({
      pool,
      logger,
      newId,
      secretsFolder: config.secretsFolder,
      atOnce: config.recordConcurrency,
      timeoutMs: config.enrichmentTimeoutMs
    }),
    logger,
    today: () => '2026-11-30',
    confidence: config.confidence,
    chunk: config.chunk
  }
  return { deps, config, lines, url }
}

async function untilEnded(api: TestApi, worker: WorkerDeps, batchId: string): Promise<BatchBody> {
  for (;;) {
    const body = (await json(await api.fetch(`/v1/batches/${batchId}`))) as unknown as BatchBody
    if (body.state === 'completed' || body.state === 'cancelled') return body
    // What maintenance does every few seconds for a worker that died between a commit and this.
    await closeBatches(worker)
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
}

async function allRecords(api: TestApi, batchId: string): Promise<RecordBody[]> {
  const records: RecordBody[] = []
  let cursor: string | null = null
  do {
    const query = new URLSearchParams({ limit: String(PAGE), ...(cursor === null ? {} : { cursor }) })
    const page = await json(await api.fetch(`/v1/batches/${batchId}/records?${query.toString()}`))
    records.push(...(page.data as unknown as RecordBody[]))
    cursor = page.next_cursor
  } while (cursor !== null)
  return records
}

/** Starts both on a database and a payload store of their own; ended with the test. `environment` is the worker's. */
export async function testDeployment(
  t: Test,
  environment: Record<string, string> = {},
  options: TestApiOptions = {}
): Promise<Deployment> {
  const api = await testApi(t, options)
  const { deps, config, lines, url } = await workerParts(t, api, environment)
  const listener = createJobListener(url, deps.logger)
  const slots = startQueues(deps, { listener, config })
  t.teardown(async () => {
    await Promise.all(slots.map(one => one.stop(5000)))
    await listener.close()
  })
  return {
    api,
    worker: deps,
    config,
    workerLines: lines,
    ended: batchId => untilEnded(api, deps, batchId),
    records: batchId => allRecords(api, batchId)
  }
}
