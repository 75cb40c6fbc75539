import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RouteOptions } from 'fastify'
import type { Test } from 'tap'
import { buildApp } from '../../src/api/app.ts'
import { type ApiDeps, type ReviewActions, type ServerLimits, serverLimits } from '../../src/api/deps.ts'
import { intakeDeps } from '../../src/api/intake-deps.ts'
import { createKey, type NewKey } from '../../src/api/keys.ts'
import { fieldsWith } from '../../src/api/present/fields-of.ts'
import { reviewActions } from '../../src/api/review-actions.ts'
import type { App } from '../../src/api/route.ts'
import { createDiskMarks } from '../../src/api/submission/disk-marks.ts'
import type { SigningKeys } from '../../src/audit/receipt/write-receipt.ts'
import type { Pool } from '../../src/db/pool.ts'
import { createRenderer, type RendererOptions } from '../../src/extract/render/renderer.ts'
import type { IntakeDeps } from '../../src/intake/submission.ts'
import { createLogger } from '../../src/logger.ts'
import { newId } from '../../src/model/ids.ts'
import { createPageImages, type PageImages } from '../../src/pipeline/page-images/page-images.ts'
import { loadProfiles } from '../../src/profiles/load-profiles.ts'
import { createBoss } from '../../src/queue/boss.ts'
import { openRegistries } from '../../src/registries/open-look-ups.ts'
import { createFileStore } from '../../src/storage/file-store.ts'
import type { PayloadStore } from '../../src/storage/payload-store.ts'
import { testDatabase } from './database.ts'
import type { TestPipeline } from './pipeline.ts'

export interface TestApiOptions {
  readonly limits?: Partial<ServerLimits>
  readonly intake?: Partial<IntakeDeps>
  readonly review?: Partial<ReviewActions>
  readonly queueAgeSeconds?: number
  /** Share of the disk in use; by default it is empty. */
  readonly diskUsed?: () => Promise<number>
  /** Limits of drawing pages. */
  readonly drawing?: Partial<RendererOptions> & { readonly atOnce?: number }
  readonly isDraining?: () => boolean
  /** What signs receipts; by default nothing does. */
  readonly signing?: SigningKeys
  /** A worker whose database and payload store the API shares. */
  readonly on?: TestPipeline
  /** Called for each route as it is added. */
  readonly onRoute?: (route: RouteOptions) => void
}

export interface TestApi {
  readonly app: App
  readonly url: string
  readonly port: number
  readonly pool: Pool
  readonly store: PayloadStore
  readonly deps: ApiDeps
  /** Token of an administrator of everything. */
  readonly admin: string
  /** Moves the API's monotonic clock on. */
  advance(ms: number): void
  /** Log lines written so far. */
  readonly lines: string[]
  keyFor(key: Partial<NewKey>): Promise<string>
  /** Sends a request; as the administrator unless it says otherwise. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Names of all files in the payload store, spool included. */
  files(): Promise<string[]>
}

/** Later than anything. */
const ALWAYS = new Date(8e15)

/** What tests read of answers; a member that an answer lacks is undefined all the same. */
export interface Body {
  readonly id: string
  readonly state: string
  readonly code: string
  readonly detail: string
  readonly status: number
  readonly request_id: string
  readonly filename: string
  readonly sha256: string
  readonly media_type: string
  readonly row: number | null
  readonly line: number | null
  readonly revision: number
  readonly current_revision: number
  readonly progress: number
  readonly total_final: boolean
  readonly files: readonly [Body, ...Body[]]
  readonly data: readonly Body[]
  readonly next_cursor: string | null
  readonly links: { readonly self: string; readonly records: string }
  readonly counts: Readonly<Record<string, number>>
  readonly fields: Readonly<
    Record<string, { readonly value: unknown; readonly raw: string | null; readonly origin: unknown }>
  >
  readonly reasons: readonly Body[]
  readonly diagnostic?: unknown
  readonly decision?: object | null
  readonly updated_at: string
}

export const json = async (response: Response): Promise<Body> => (await response.json()) as Body

export const TEST_LIMITS = { fileBytes: 1_000_000, requestBytes: 4_000_000, parts: 20 }

function openPages(
  t: Test,
  { pool, store }: Pick<ApiDeps, 'pool' | 'store'>,
  folder: string,
  options: TestApiOptions
): PageImages {
  const { atOnce = 10, ...drawing } = options.drawing ?? {}
  const limits = { slots: 1, memoryMb: 512, seconds: 30, pages: 2000, tempDir: join(folder, 'draw'), ...drawing }
  const renderer = createRenderer(limits)
  t.teardown(() => renderer.close())
  return createPageImages({
    pool,
    store,
    newId,
    renderer,
    tempFolder: join(folder, 'copies'),
    seconds: limits.seconds,
    atOnce
  })
}

async function makeDeps(
  t: Test,
  options: TestApiOptions,
  lines: string[],
  clock: { addedMs: number }
): Promise<ApiDeps> {
  const { pool, url } = options.on ?? (await testDatabase(t))
  const folder = mkdtempSync(join(tmpdir(), 'docket-api-'))
  const logger = createLogger({ component: 'api', destination: { write: line => lines.push(line) } })
  const store = options.on?.deps.store ?? (await createFileStore({ folder, newId }))
  const boss = await createBoss({ url, role: 'api', heartbeatSeconds: 20, logger })
  t.teardown(async () => {
    await boss.stop({ graceful: false })
    await rm(folder, { recursive: true, force: true })
  })
  const profiles = await loadProfiles()
  const config = {
    chunk: { records: 500, bytes: 25_000_000, recordBytes: 1_000_000, slots: 4, threads: 1 },
    limits: { ...TEST_LIMITS, queueAgeSeconds: 900 },
    idempotencyTtlSeconds: 3600
  }
  const resources = { pool, boss, store, logger, newId, profiles }
  const nowMs = (): number => performance.now() + clock.addedMs
  const limits = { atOnce: 4, timeoutMs: 5000 }
  const registries = openRegistries({ pool, logger, newId, secretsFolder: undefined, ...limits })
  return {
    ...resources,
    pools: [pool],
    nowMs,
    intake: { ...intakeDeps(config, resources), ...options.intake },
    pages: openPages(t, { pool, store }, folder, options),
    review: { ...reviewActions({ ...resources, ...registries, today: () => '2026-06-01' }), ...options.review },
    fieldsOf: fieldsWith(profiles),
    limits: { ...serverLimits(TEST_LIMITS.requestBytes), ...options.limits },
    queueAgeSeconds: options.queueAgeSeconds ?? 900,
    disk: createDiskMarks({ high: 0.95, low: 0.85, logger, nowMs, used: options.diskUsed ?? (async () => 0) }),
    signing: async () => options.signing ?? { origin: 'docket', keys: [] },
    isDraining: options.isDraining ?? (() => false)
  }
}

/** The API listening on loopback, with a database, a queue and a payload store of its own; ended with the test. */
export async function testApi(t: Test, options: TestApiOptions = {}): Promise<TestApi> {
  const lines: string[] = []
  const clock = { addedMs: 0 }
  const deps = await makeDeps(t, options, lines, clock)
  const app = await buildApp(deps, options.onRoute)
  t.teardown(() => app.close())
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const keyFor = async (key: Partial<NewKey>): Promise<string> => {
    const { token } = await createKey(deps.pool, { name: 'test', scopes: ['admin'], jurisdictions: ['*'], ...key })
    return token
  }
  const admin = await keyFor({})
  return {
    app,
    url,
    port: Number(new URL(url).port),
    pool: deps.pool,
    store: deps.store,
    deps,
    admin,
    lines,
    advance: ms => {
      clock.addedMs += ms
    },
    keyFor,
    fetch: (path, init = {}) => {
      const headers = new Headers(init.headers)
      if (!headers.has('authorization')) headers.set('authorization', `Bearer ${admin}`)
      return fetch(new URL(path, url), { ...init, headers })
    },
    async files() {
      const names = await deps.store.listSpool(ALWAYS)
      for await (const { key } of deps.store.listPayloads(ALWAYS)) names.push(key)
      return names
    }
  }
}
