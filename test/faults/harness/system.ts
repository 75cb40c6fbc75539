import { mkdirSync, readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createPool, type Pool } from '../../../src/db/pool.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { Managed } from './managed.ts'
import { waitFor } from './wait.ts'
import type { World } from './world.ts'

export const KEY = 'fault-administrator-key'
export const JURISDICTION = '53033'

export interface SystemOptions {
  readonly workers?: number
  /** For API and workers. */
  readonly env?: Readonly<Record<string, string>>
  /** For workers alone; asked at each of their starts. */
  readonly workerEnv?: (worker: number) => Readonly<Record<string, string>>
  readonly apiEnv?: () => Readonly<Record<string, string>>
  /** Which lines go through a proxy that faults can be set on. */
  readonly proxies?: readonly ('client' | 'api' | 'worker')[]
  readonly apiWrap?: readonly string[]
  /** Where files and the payload store lie; by default a folder of the world. */
  readonly folder?: string
  /** A database that is there; by default a new one. */
  readonly url?: string
  /** The command line of another build. */
  readonly main?: string
}

/** API and workers on a database of their own, each a process of its own. */
export interface System {
  readonly world: World
  readonly url: string
  readonly folder: string
  readonly payloads: string
  readonly pool: Pool
  readonly api: Managed
  readonly workers: readonly Managed[]
  /** What a worker of this system is started with, for those that a test starts by itself. */
  readonly workerEnv: Readonly<Record<string, string>>
  readonly proxies: Readonly<Partial<Record<'client' | 'api' | 'worker', FaultProxy>>>
  /** Where clients reach the API, through its proxy if it has one. */
  readonly address: () => string
  /** Waits until nothing is left to do; answers the seconds it took. */
  drained(seconds: number): Promise<number>
  /** Claims of workers that are dead run out at once, as they would with their heartbeat. Only while none is alive. */
  expireClaims(): Promise<void>
  /** Whether it was ended: whoever sends to it has nothing more to do. */
  readonly isStopped: () => boolean
  /** Log lines of all processes that were started. */
  logs(): Promise<string>
  stop(): Promise<void>
}

const OPEN = `select (select count(*) from batch where state not in ('completed', 'cancelled'))
  + (select count(*) from file where state in ('received', 'splitting'))
  + (select count(*) from chunk where state = 'pending')
  + (select count(*) from record where retry_requested)
  + (select count(*) from erasure_step) + (select count(*) from payload_change) as n`

const UNSEALED = 'select count(*) as n from audit_commit where leaf_index is null'

async function counts(pool: Pool, statement: string): Promise<number> {
  const { rows } = await pool.query<{ n: string }>(statement)
  return Number(rows[0]?.n)
}

/** A pool whose statements may take as long as they do: the checker's read everything there is. */
export function patientPool(url: string): Pool {
  const pool = createPool({ url, max: 6, applicationName: 'docket-faults', onError: () => undefined })
  Object.assign(pool.options, {
    query_timeout: undefined,
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
    options: '-c work_mem=128MB'
  })
  return pool
}

let started = 0

/** Those that run, for whoever is told to end early. */
const running = new Set<System>()

/** Ends every process that was started. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(system => system.stop()))
}

/** Starts a database, an API and workers. What they need beside that is set by `env`. */
export async function startSystem(world: World, options: SystemOptions = {}): Promise<System> {
  started += 1
  const folder = options.folder ?? join(world.folder, `system-${started}`)
  const logFolder = join(world.folder, `logs-${started}`)
  for (const path of [folder, logFolder]) mkdirSync(path, { recursive: true })
  const url = options.url ?? (await world.newDatabase())
  const build = options.main === undefined ? {} : { main: options.main }
  const proxies: Partial<Record<'client' | 'api' | 'worker', FaultProxy>> = {}
  const server = () => ({ host: '127.0.0.1', port: world.port })
  for (const side of ['api', 'worker'] as const) {
    if (options.proxies?.includes(side)) proxies[side] = await startFaultProxy(server)
  }
  const urlFor = (side: 'api' | 'worker'): string => {
    const through = new URL(url)
    const proxy = proxies[side]
    if (proxy) through.port = String(proxy.port)
    return through.href
  }
  const common = (side: 'api' | 'worker') => ({
    DATABASE_URL: urlFor(side),
    DOCKET_DATA: folder,
    DOCKET_HEARTBEAT: '10',
    DOCKET_BOOTSTRAP_KEY: KEY,
    DOCKET_OCR_ENGINE: 'none',
    DOCKET_DOCUMENT_CONCURRENCY: '1',
    DOCKET_ROW_THREADS: '1',
    ...options.env
  })
  let port = '0'
  const api = new Managed({
    name: 'api',
    command: 'api',
    env: () => ({ ...common('api'), DOCKET_PORT: port, ...options.apiEnv?.() }),
    logPath: join(logFolder, 'api.log'),
    ...build,
    ...(options.apiWrap ? { wrap: options.apiWrap } : {})
  })
  const workers = Array.from(
    { length: options.workers ?? 1 },
    (_, n) =>
      new Managed({
        name: `worker-${n}`,
        command: 'worker',
        env: () => ({ ...common('worker'), ...options.workerEnv?.(n) }),
        logPath: join(logFolder, `worker-${n}.log`),
        ...build
      })
  )
  const pool = patientPool(url)
  await Promise.all([api, ...workers].map(one => one.start()))
  port = new URL(api.message['address'] ?? '').port
  let stopped = false
  const own = { host: '127.0.0.1', port: Number(port) }
  if (options.proxies?.includes('client')) proxies.client = await startFaultProxy(() => own)
  const system: System = {
    world,
    url,
    folder,
    payloads: join(folder, 'payloads'),
    pool,
    api,
    workers,
    workerEnv: common('worker'),
    proxies,
    address: () => `http://127.0.0.1:${proxies.client?.port ?? port}`,
    async drained(seconds) {
      const begun = performance.now()
      await waitFor('everything to be worked', seconds, async () => (await counts(pool, OPEN)) === 0, 100)
      const took = (performance.now() - begun) / 1000
      await waitFor('everything to be sealed', 60, async () => (await counts(pool, UNSEALED)) === 0, 100)
      return took
    },
    async expireClaims() {
      await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name like 'docket-worker%'`
      )
      await pool.query(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`)
    },
    async logs() {
      const names = await readdir(logFolder)
      return (await Promise.all(names.map(name => readFile(join(logFolder, name), 'utf8')))).join('')
    },
    isStopped: () => stopped,
    async stop() {
      if (stopped) return
      stopped = true
      running.delete(system)
      await Promise.all([api, ...workers].map(one => one.stop('SIGKILL')))
      await Promise.all(Object.values(proxies).map(proxy => proxy.close()))
      await pool.end()
    }
  }
  running.add(system)
  return system
}

/** Processor time and memory of a process, in seconds and MB; for figures only. */
export function residentMb(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024)
}
