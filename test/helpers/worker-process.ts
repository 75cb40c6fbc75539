import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Pool } from '../../src/db/pool.ts'

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts')

export interface WorkerProcess {
  readonly child: ChildProcess
  readonly pid: number
  /** Everything it has logged. */
  log(): string
  kill(signal: NodeJS.Signals): void
  exited: Promise<void>
}

/** Starts `docket worker` as its own process; killed when the test ends. */
export function spawnWorker(
  t: { teardown(done: () => unknown): unknown },
  environment: { readonly url: string; readonly folder: string } & { readonly extra?: Record<string, string> }
): WorkerProcess {
  const child = spawn(process.execPath, [MAIN, 'worker'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: environment.url,
      DOCKET_DATA: environment.folder,
      DOCKET_HEARTBEAT: '10',
      DOCKET_DOCUMENT_CONCURRENCY: '1',
      ...environment.extra
    },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let log = ''
  child.stdout?.on('data', (bytes: Buffer) => {
    log += bytes.toString()
  })
  child.stderr?.on('data', (bytes: Buffer) => {
    log += bytes.toString()
  })
  const exited = once(child, 'exit').then(() => undefined)
  t.teardown(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exited
  })
  return { child, pid: child.pid ?? 0, log: () => log, kill: signal => void child.kill(signal), exited }
}

/** Asks again and again until the condition holds; the test's own time-out is the limit. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(resolve => setTimeout(resolve, 50))
}

/** Whether any session of the worker waits for a lock, that is: has come to the step the test has barred. */
export async function isBlocked(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock' and application_name like 'docket-worker%'`
  )
  return (rows[0]?.n ?? 0) > 0
}

/** Bars a step: whoever touches the table waits until `lift` is called. */
export async function barTable(pool: Pool, table: string): Promise<{ lift(): Promise<void> }> {
  const client = await pool.connect()
  await client.query('begin')
  await client.query(`lock table ${table} in access exclusive mode`)
  return {
    async lift() {
      await client.query('rollback')
      client.release()
    }
  }
}
