import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateAll } from '../src/cli/deployment/database.ts'
import { startEmbeddedPostgres } from '../src/cli/embedded-postgres.ts'
import { loadConfig } from '../src/config.ts'

export const DOCKET = join(import.meta.dirname, '../bin/docket')
const KEY = 'bench-administrator-key'

export interface Deployment {
  readonly url: string
  readonly address: string
  readonly folder: string
  readonly headers: Readonly<Record<string, string>>
  /** Seconds of processor time that API, worker and database have used. */
  cpuSeconds(): number
  /** The same of each. */
  cpuSecondsBy(): Readonly<Record<'api' | 'worker' | 'database', number>>
  /** Peak resident memory in MB. */
  peakMb(process: 'api' | 'worker'): number
  stopWorker(): Promise<void>
  stop(): Promise<void>
}

function start(
  name: string,
  env: Record<string, string>
): { child: ChildProcess; ready: Promise<Record<string, string>> } {
  const child = spawn(DOCKET, [name], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  const ready = once(child, 'message').then(([message]) => message as Record<string, string>)
  return { child, ready }
}

const peakOf = (child: ChildProcess): number =>
  Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024)

/** Ticks of the clock that `/proc` counts in, a second. */
const TICKS = 100

/** Processor time of these processes and of all that descend from them, those that have ended included. */
function cpuSecondsOf(roots: ReadonlySet<string | undefined>): number {
  const stats = readdirSync('/proc').flatMap(pid => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const [, parent = '', ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
      // utime, stime and those of children waited for are fields 14 to 17 of proc(5).
      return [{ pid, parent, ticks: rest.slice(9, 13).reduce((sum, ticks) => sum + Number(ticks), 0) }]
    } catch {
      return []
    }
  })
  const inside = new Set(roots)
  for (let size = -1; size !== inside.size; ) {
    size = inside.size
    for (const { pid, parent } of stats) if (inside.has(parent)) inside.add(pid)
  }
  return stats.reduce((sum, { pid, ticks }) => sum + (inside.has(pid) ? ticks : 0), 0) / TICKS
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Postgres as it comes, one API and one worker, each its own process, on a folder thrown away at the end. */
export async function startDeployment(extra: Record<string, string> = {}): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'docket-bench-'))
  await chmod(folder, 0o711)
  const postgres = await startEmbeddedPostgres({ dataDir: folder, persistent: true, log: () => undefined })
  const env = {
    DOCKET_DATA: folder,
    DATABASE_URL: postgres.url,
    DOCKET_PORT: '0',
    DOCKET_BOOTSTRAP_KEY: KEY,
    DOCKET_LOG_LEVEL: 'error',
    ...extra
  }
  await migrateAll(postgres.url, loadConfig(env))
  const [api, worker] = [start('api', env), start('worker', env)]
  const [{ address = '' }] = await Promise.all([api.ready, worker.ready])
  const pidOf = ({ child }: { readonly child: ChildProcess }): string => String(child.pid)
  const postmaster = (): string | undefined =>
    readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]
  return {
    url: postgres.url,
    address,
    folder,
    headers: { authorization: `Bearer ${KEY}` },
    cpuSeconds: () => cpuSecondsOf(new Set([postmaster(), pidOf(api), pidOf(worker)])),
    cpuSecondsBy: () => ({
      api: cpuSecondsOf(new Set([pidOf(api)])),
      worker: cpuSecondsOf(new Set([pidOf(worker)])),
      database: cpuSecondsOf(new Set([postmaster()]))
    }),
    peakMb: name => peakOf(name === 'api' ? api.child : worker.child),
    stopWorker: () => end(worker.child),
    async stop() {
      for (const { child } of [api, worker]) await end(child)
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Submits one file as a raw body and answers the batch's id and how long the 202 took, in ms. */
export async function post(
  deployment: Deployment,
  bytes: Buffer,
  type: string,
  jurisdiction = '53033'
): Promise<{ id: string; ms: number }> {
  const begun = performance.now()
  const response = await fetch(`${deployment.address}/v1/batches?profile=permit&jurisdiction=${jurisdiction}`, {
    method: 'POST',
    headers: { ...deployment.headers, 'content-type': type },
    body: new Uint8Array(bytes)
  })
  const body = (await response.json()) as { id: string }
  if (response.status !== 202) throw new Error(`${response.status}: ${JSON.stringify(body)}`)
  return { id: body.id, ms: performance.now() - begun }
}

export interface BatchState {
  readonly state: string
  readonly counts: Readonly<Record<string, number>>
}

/** Polls a batch until it has ended. */
export async function untilEnded(deployment: Deployment, id: string, everyMs = 100): Promise<BatchState> {
  for (;;) {
    const response = await fetch(`${deployment.address}/v1/batches/${id}`, { headers: deployment.headers })
    const batch = (await response.json()) as BatchState
    if (batch.state === 'completed' || batch.state === 'cancelled') return batch
    await new Promise(resolve => setTimeout(resolve, everyMs))
  }
}

/** The p-th percentile (0–1) of a list of numbers, by nearest rank. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(p * sorted.length) - 1)] ?? Number.NaN
}
