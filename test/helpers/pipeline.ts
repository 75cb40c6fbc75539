import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import { intakeDeps } from '../../src/api/intake-deps.ts'
import { type Config, loadConfig } from '../../src/config.ts'
import type { Pool } from '../../src/db/pool.ts'
import { createExtractor } from '../../src/extract/extractor.ts'
import { acceptBatch } from '../../src/intake/accept-batch.ts'
import type { BatchAnswer, Part } from '../../src/intake/submission.ts'
import { newId, newSalt } from '../../src/model/ids.ts'
import { createDocumentReader } from '../../src/pipeline/documents/document-reader.ts'
import { createRecognisedReader } from '../../src/pipeline/documents/recognised-reader.ts'
import type { WorkerDeps } from '../../src/pipeline/work/pipeline-deps.ts'
import { createSoloGate } from '../../src/pipeline/work/solo-gate.ts'
import { loadProfiles } from '../../src/profiles/load-profiles.ts'
import { createJobListener } from '../../src/queue/listener.ts'
import { openRegistries } from '../../src/registries/open-look-ups.ts'
import { createFileStore } from '../../src/storage/file-store.ts'
import { closeBatches } from '../../src/worker/maintenance/close-batches.ts'
import { startQueues } from '../../src/worker/start-queues.ts'
import { testDatabase } from './database.ts'
import { JURISDICTION, silent, testBoss } from './factory.ts'

export interface TestFile {
  readonly name: string
  readonly bytes: Buffer | string
  readonly type?: string
}

export interface SubmitOptions {
  readonly profile?: string
  readonly jurisdiction?: string
  readonly source?: string
  readonly lane?: string
  readonly force?: boolean
  readonly dryRun?: boolean
}

export interface TestPipeline {
  readonly pool: Pool
  readonly url: string
  readonly folder: string
  readonly config: Config
  readonly deps: WorkerDeps
  submit(files: readonly TestFile[], options?: SubmitOptions): Promise<BatchAnswer>
  /** Starts slots in this process; without it nothing is worked. They stop with the test, or when told to. */
  work(): { stop(): Promise<void> }
  /** Waits until the batch has ended, by the database's word. */
  finished(batchId: string): Promise<void>
  records(batchId: string): Promise<StoredRow[]>
}

export interface StoredRow {
  readonly id: string
  readonly item: number
  readonly line: number | null
  readonly state: string
  readonly codes: string[]
  readonly content: Record<string, unknown> | null
  readonly fields: Record<string, unknown>
  readonly duplicate_of: string | null
  readonly diagnostic: Record<string, unknown> | null
}

const fileParts = async function* (files: readonly TestFile[]): AsyncGenerator<Part> {
  for (const file of files) {
    const bytes = Buffer.from(file.bytes)
    yield {
      kind: 'file',
      filename: file.name,
      declaredType: file.type ?? 'application/octet-stream',
      stream: Readable.from([bytes]),
      truncated: () => false
    }
  }
}

/** Intake and a worker in this process, on a real database and real files. `environment` overrides configuration. */
export async function testPipeline(t: Test, environment: Record<string, string> = {}): Promise<TestPipeline> {
  const { pool, url } = await testDatabase(t)
  const folder = await mkdtemp(join(tmpdir(), 'docket-test-'))
  const config = loadConfig({ DOCKET_DATA: folder, DATABASE_URL: url, ...environment })
  const boss = await testBoss(t, url)
  const store = await createFileStore({ folder: config.payloadFolder, newId })
  const profiles = await loadProfiles(config.profileFolder)
  const extractor = createExtractor({ ...config.document, slots: 1, tempDir: join(folder, 'extract') })
  const tempFolder = join(folder, 'work')
  const { profileFolder, document } = config
  const reading = { pool, store, newId, logger: silent, tempFolder, profileFolder }
  const documents = createDocumentReader({ ...reading, extractor, document })
  const recognised = await createRecognisedReader({ ...config.ocr, pages: document.pages }, reading)
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
      logger: silent,
      newId,
      secretsFolder: config.secretsFolder,
      atOnce: config.recordConcurrency,
      timeoutMs: config.enrichmentTimeoutMs
    }),
    logger: silent,
    today: () => '2026-11-30',
    confidence: config.confidence,
    chunk: config.chunk
  }
  t.teardown(async () => {
    await Promise.all([extractor.close(), documents.close(), recognised?.close()])
    await rm(folder, { recursive: true, force: true })
  })
  const intake = intakeDeps(config, { pool, boss, store, logger: silent, newId, profiles })
  return {
    pool,
    url,
    folder,
    config,
    deps,
    async submit(files, options = {}) {
      const { profile = 'permit', jurisdiction = JURISDICTION, source, lane, force, dryRun } = options
      const { answer } = await acceptBatch(intake, {
        principal: 'key:test',
        idempotencyKey: undefined,
        query: {
          profile,
          jurisdiction,
          ...(source ? { source } : {}),
          ...(lane ? { lane } : {}),
          ...(force ? { force: 'true' } : {}),
          ...(dryRun ? { dry_run: 'true' } : {})
        },
        parts: () => fileParts(files),
        isRaw: false,
        authorize: () => undefined,
        signal: new AbortController().signal
      })
      return answer
    },
    work() {
      const listener = createJobListener(url, silent)
      const slots = startQueues(deps, { listener, config })
      let stopped: Promise<void> | undefined
      const end = async (): Promise<void> => {
        await Promise.all(slots.map(one => one.stop(5000)))
        await listener.close()
      }
      const stop = (): Promise<void> => (stopped ??= end())
      t.teardown(stop)
      return { stop }
    },
    finished: batchId => untilEnded(deps, batchId),
    async records(batchId) {
      const { rows } = await pool.query<StoredRow>(
        `select r.id, r.item, r.line, r.state, r.duplicate_of, r.fields, r.diagnostic,
           coalesce(c.content, r.content) as content,
           array(select x ->> 'code' from jsonb_array_elements(r.reasons) x) as codes
         from record r left join canonical_record c using (jurisdiction, profile, natural_key, version)
         where r.batch_id = $1 order by r.file_number, r.item`,
        [batchId]
      )
      return rows
    }
  }
}

async function untilEnded(deps: WorkerDeps, batchId: string): Promise<void> {
  for (;;) {
    const { rows } = await deps.pool.query<{ state: string }>('select state from batch where id = $1', [batchId])
    if (rows[0]?.state === 'completed' || rows[0]?.state === 'cancelled') return
    await closeBatches(deps)
    await new Promise(resolve => setTimeout(resolve, 25))
  }
}
