import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { z } from 'zod'
import { DISK_VARIABLES, type DiskConfig, diskFaults, toDiskConfig } from './config/disk.ts'
import { LOG_VARIABLES, type LogConfig, logFaults, toLogConfig } from './config/log.ts'
import { toWarmConfig, WARM_VARIABLES, type WarmConfig } from './config/warm.ts'
import { AppError } from './errors.ts'
import { MAX_DOCUMENT_SECONDS } from './model/limits.ts'

const MIB = 1024 * 1024

/** Connections a process needs besides one for each chunk slot and document slot. */
const OTHER_CONNECTIONS = 4

/** With 160 the program that reads gives up a page of text, with 96 it does not start. */
const MIN_DOCUMENT_MEMORY = 192

const integer = (fallback: number, min: number, max: number) =>
  z.coerce.number().int().min(min).max(max).default(fallback)

/** How many of something; without it what the machine allows is found out. */
const optionalCount = () => z.coerce.number().int().min(1).max(64).optional()

/** Every variable Docket reads, with its default; the README's table is made from the descriptions. */
const Environment = z.object({
  DOCKET_DATA: z.string().min(1).default('./data').describe('folder of everything the embedded default keeps'),
  DOCKET_HOST: z.string().min(1).default('127.0.0.1').describe('address the API listens on'),
  DOCKET_PORT: integer(8080, 0, 65535).describe('port the API listens on; 0 takes a free one'),
  DOCKET_METRICS_PORT: integer(0, 0, 65535).describe("port of the worker's own /metrics; 0 switches it off"),
  DOCKET_BOOTSTRAP_KEY: z.string().min(16).optional().describe('first administrator key, at least 16 characters'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//)
    .optional()
    .describe('Postgres 15 or newer; without it the embedded one'),
  DOCKET_PAYLOADS: z
    .string()
    .regex(/^file:/)
    .optional()
    .describe('where payloads are kept: file:FOLDER'),
  DOCKET_PROFILES: z.string().optional().describe('folder of further profiles'),
  DOCKET_CHUNK_RECORDS: integer(500, 1, 5000).describe('most records in a chunk'),
  DOCKET_CHUNK_BYTES: integer(25_000_000, 1024, 256 * MIB).describe('most bytes in a chunk'),
  DOCKET_CHUNK_PREFETCH: optionalCount().describe(
    'chunk slots of a worker; by default 8, or as many as heap and connections allow'
  ),
  DOCKET_ROW_THREADS: optionalCount().describe(
    'threads of a worker that read, judge and commit rows; by default as many as cores, at most 4'
  ),
  DOCKET_RECORD_CONCURRENCY: integer(32, 1, 1024).describe('registry look-ups in flight per worker'),
  DOCKET_POOL_MAX: integer(20, 2, 500).describe('database connections per process'),
  DOCKET_DOCUMENT_CONCURRENCY: optionalCount().describe(
    'documents in flight; by default as many as cores, memory and connections allow'
  ),
  DOCKET_DOCUMENT_MEMORY: integer(512, MIN_DOCUMENT_MEMORY, 8192).describe('megabytes one document may use'),
  DOCKET_DOCUMENT_SECONDS: integer(60, 1, MAX_DOCUMENT_SECONDS).describe('seconds one document may take'),
  DOCKET_DOCUMENT_PAGES: integer(2000, 1, 100_000).describe('most pages of a document'),
  DOCKET_PAGE_CONCURRENCY: integer(2, 1, 64).describe(
    'page images an API process draws at once, each in a process of its own with the memory of a document'
  ),
  DOCKET_OCR_ENGINE: z
    .string()
    .regex(/^(?:tesseract|none|\/.+\.[cm]?[jt]s)$/, 'is tesseract, none or the path of a module')
    .default('tesseract')
    .describe('what reads pages without text: `tesseract`, `none`, or the path of a module with another engine'),
  DOCKET_OCR_CONCURRENCY: integer(2, 1, 64).describe('documents in flight whose pages are recognised'),
  DOCKET_OCR_MEMORY: integer(1024, 512, 8192).describe('megabytes the recognition of one document may use'),
  DOCKET_OCR_SECONDS: integer(300, 5, MAX_DOCUMENT_SECONDS).describe(
    'seconds the recognition of one document may take'
  ),
  DOCKET_OCR_PAGES: integer(100, 1, 100_000).describe('most pages of a document that are recognised'),
  DOCKET_ENRICHMENT_TIMEOUT: integer(5, 1, 300).describe('seconds one look-up may take'),
  DOCKET_SECRETS: z
    .string()
    .min(1)
    .optional()
    .describe('folder of the secrets of registries: one file each, in a folder named by the jurisdiction'),
  ...WARM_VARIABLES,
  DOCKET_IDEMPOTENCY_TTL: integer(86_400, 1, 31_536_000).describe(
    'seconds in which a repeated request or batch is answered from the first'
  ),
  DOCKET_CONFIDENCE: z.coerce.number().min(0).max(1).default(0.8).describe('least confidence that is accepted unseen'),
  DOCKET_MAX_FILE: integer(2_000_000_000, 1, Number.MAX_SAFE_INTEGER).describe('most bytes of a file'),
  DOCKET_MAX_REQUEST: integer(10_000_000_000, 1, Number.MAX_SAFE_INTEGER).describe('most bytes of a request'),
  DOCKET_MAX_PARTS: integer(5000, 1, 100_000).describe('most files of a request'),
  DOCKET_MAX_RECORD: integer(1_000_000, 1024, 64 * MIB).describe('most bytes of a record'),
  DOCKET_MAX_QUEUE_AGE: integer(900, 1, 86_400).describe(
    'seconds the oldest job may wait before new batches are answered 429'
  ),
  ...DISK_VARIABLES,
  DOCKET_HEARTBEAT: integer(20, 10, 3600).describe(
    'seconds without a sign of life after which a job goes to another worker'
  ),
  ...LOG_VARIABLES,
  DOCKET_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('least severe log line written')
})

type Environment = z.infer<typeof Environment>

export interface Config {
  readonly data: string
  readonly host: string
  readonly port: number
  readonly metricsPort: number
  readonly bootstrapKey: string | undefined
  readonly databaseUrl: string | undefined
  readonly payloadFolder: string
  readonly profileFolder: string | undefined
  readonly chunk: {
    readonly records: number
    readonly bytes: number
    /** Most bytes of one record; longer ones are held. */
    readonly recordBytes: number
    readonly slots: number
    /** Threads that share the slots of rows. */
    readonly threads: number
  }
  readonly recordConcurrency: number
  readonly poolMax: number
  readonly document: {
    readonly slots: number
    readonly memoryMb: number
    readonly seconds: number
    readonly pages: number
  }
  /** Page images drawn at once by an API process. */
  readonly pageSlots: number
  readonly ocr: {
    /** A name, `none`, or the path of a module. */
    readonly engine: string
    readonly slots: number
    readonly memoryMb: number
    readonly seconds: number
    /** Most pages of a document that are recognised. */
    readonly recognisedPages: number
  }
  readonly enrichmentTimeoutMs: number
  readonly secretsFolder: string | undefined
  readonly warm: WarmConfig
  readonly idempotencyTtlSeconds: number
  readonly confidence: number
  readonly limits: {
    readonly fileBytes: number
    readonly requestBytes: number
    readonly parts: number
    readonly queueAgeSeconds: number
  }
  readonly disk: DiskConfig
  readonly heartbeatSeconds: number
  readonly log: LogConfig
  readonly logLevel: Environment['DOCKET_LOG_LEVEL']
}

/** A document whose pages are recognised needs a connection as any other does. */
const ocrSlots = (env: Environment): number => (env.DOCKET_OCR_ENGINE === 'none' ? 0 : env.DOCKET_OCR_CONCURRENCY)

/** Memory of this machine or of its control group, in bytes; 0 when the process is not limited. */
const memoryLimitBytes = (): number => process.constrainedMemory() || 0

/** What a chunk in hand may take of the heap, at most: its bytes as text, rows, values and parameters. */
const heapOfChunk = (env: Environment): number => env.DOCKET_CHUNK_BYTES * 8

/** The part of the heap limit that chunks may fill. */
const chunkHeap = (): number => 0.7 * getHeapStatistics().heap_size_limit

/**
 * Some chunks wait for the database while others are read and judged: with eight, less two that a jurisdiction leaves to
 * others, neither side waits long for the other. More gain nothing.
 */
const USUAL_CHUNK_SLOTS = 8

function chunkSlots(env: Environment): number {
  if (env.DOCKET_CHUNK_PREFETCH) return env.DOCKET_CHUNK_PREFETCH
  const byPool = env.DOCKET_POOL_MAX - (env.DOCKET_DOCUMENT_CONCURRENCY ?? 1) - ocrSlots(env) - OTHER_CONNECTIONS
  return Math.max(1, Math.min(USUAL_CHUNK_SLOTS, Math.floor(chunkHeap() / heapOfChunk(env)), byPool))
}

/** The default fits every machine: what the pool has no connection for is not asked for. */
function documentSlots(env: Environment, chunks: number): number {
  if (env.DOCKET_DOCUMENT_CONCURRENCY) return env.DOCKET_DOCUMENT_CONCURRENCY
  const limit = memoryLimitBytes()
  const byMemory =
    limit > 0 && limit < 2 ** 50 ? Math.floor((0.7 * limit) / (env.DOCKET_DOCUMENT_MEMORY * MIB)) : Infinity
  const byPool = env.DOCKET_POOL_MAX - chunks - ocrSlots(env) - OTHER_CONNECTIONS
  return Math.max(1, Math.min(availableParallelism(), byMemory, byPool))
}

/** Rules between variables: what would exhaust the heap or the pool is refused at the start. */
function crossFaults(env: Environment, chunks: number, documents: number): string[] {
  const faults = [...diskFaults(env), ...logFaults(env)]
  const chunkMemory = chunks * heapOfChunk(env)
  if (chunkMemory > chunkHeap()) {
    faults.push(
      `DOCKET_CHUNK_PREFETCH × DOCKET_CHUNK_BYTES × 8 is ${Math.round(chunkMemory / MIB)} MB, more than 0.7 of the heap limit of ${Math.round(getHeapStatistics().heap_size_limit / MIB)} MB: lower one, or raise --max-old-space-size`
    )
  }
  const scans = ocrSlots(env)
  const needed = chunks + documents + scans + OTHER_CONNECTIONS
  if (needed > env.DOCKET_POOL_MAX) {
    faults.push(
      `DOCKET_POOL_MAX is ${env.DOCKET_POOL_MAX}, but ${chunks} chunk slots + ${documents} document slots + ${scans} slots for scans + ${OTHER_CONNECTIONS} need ${needed}`
    )
  }
  return faults
}

/**
 * Reads and checks the environment once. Throws `CONFIG_INVALID` with every fault found, not only the first.
 */
export function loadConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== '')
  )
  const parsed = Environment.safeParse(given)
  if (!parsed.success) {
    const faults = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
    throw new AppError('CONFIG_INVALID', `The configuration has faults:\n  ${faults.join('\n  ')}`)
  }
  const env = parsed.data
  const chunks = chunkSlots(env)
  const slots = { chunks, documents: documentSlots(env, chunks) }
  const faults = crossFaults(env, slots.chunks, slots.documents)
  if (faults.length > 0) throw new AppError('CONFIG_INVALID', `The configuration has faults:\n  ${faults.join('\n  ')}`)
  return toConfig(env, slots)
}

function toConfig(env: Environment, slots: { readonly chunks: number; readonly documents: number }): Config {
  const data = resolve(env.DOCKET_DATA)
  return Object.freeze({
    data,
    host: env.DOCKET_HOST,
    port: env.DOCKET_PORT,
    metricsPort: env.DOCKET_METRICS_PORT,
    bootstrapKey: env.DOCKET_BOOTSTRAP_KEY,
    databaseUrl: env.DATABASE_URL,
    payloadFolder: env.DOCKET_PAYLOADS
      ? resolve(env.DOCKET_PAYLOADS.replace(/^file:(\/\/)?/, ''))
      : join(data, 'payloads'),
    profileFolder: env.DOCKET_PROFILES ? resolve(env.DOCKET_PROFILES) : undefined,
    chunk: {
      records: env.DOCKET_CHUNK_RECORDS,
      bytes: env.DOCKET_CHUNK_BYTES,
      recordBytes: env.DOCKET_MAX_RECORD,
      slots: slots.chunks,
      threads: Math.min(env.DOCKET_ROW_THREADS ?? Math.min(availableParallelism(), 4), slots.chunks)
    },
    recordConcurrency: env.DOCKET_RECORD_CONCURRENCY,
    poolMax: env.DOCKET_POOL_MAX,
    document: {
      slots: slots.documents,
      memoryMb: env.DOCKET_DOCUMENT_MEMORY,
      seconds: env.DOCKET_DOCUMENT_SECONDS,
      pages: env.DOCKET_DOCUMENT_PAGES
    },
    pageSlots: env.DOCKET_PAGE_CONCURRENCY,
    ocr: {
      engine: env.DOCKET_OCR_ENGINE,
      slots: ocrSlots(env),
      memoryMb: env.DOCKET_OCR_MEMORY,
      seconds: env.DOCKET_OCR_SECONDS,
      recognisedPages: env.DOCKET_OCR_PAGES
    },
    enrichmentTimeoutMs: env.DOCKET_ENRICHMENT_TIMEOUT * 1000,
    secretsFolder: env.DOCKET_SECRETS ? resolve(env.DOCKET_SECRETS) : undefined,
    warm: toWarmConfig(env),
    idempotencyTtlSeconds: env.DOCKET_IDEMPOTENCY_TTL,
    confidence: env.DOCKET_CONFIDENCE,
    limits: {
      fileBytes: env.DOCKET_MAX_FILE,
      requestBytes: env.DOCKET_MAX_REQUEST,
      parts: env.DOCKET_MAX_PARTS,
      queueAgeSeconds: env.DOCKET_MAX_QUEUE_AGE
    },
    disk: toDiskConfig(env),
    heartbeatSeconds: env.DOCKET_HEARTBEAT,
    log: toLogConfig(env),
    logLevel: env.DOCKET_LOG_LEVEL
  })
}

/** Name, default and meaning of every variable, for the README's table. */
export function describeConfig(): { name: string; fallback: string; meaning: string }[] {
  return Object.entries(Environment.shape).map(([name, schema]) => {
    const probe = z.object({ [name]: schema }).safeParse({})
    const value = probe.success ? probe.data[name] : undefined
    return { name, fallback: value === undefined ? '' : String(value), meaning: schema.description ?? '' }
  })
}
