import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts')

export interface ApiProcess {
  readonly port: number
  /** Ends it as a crash does, and waits until it is gone. */
  crash(): Promise<void>
}

/** Starts `docket api` as a process of its own and waits until it listens; killed when the test ends. */
export async function spawnApi(
  t: { teardown(done: () => unknown): unknown },
  environment: { readonly url: string; readonly folder: string; readonly extra?: Record<string, string> }
): Promise<ApiProcess> {
  const child = spawn(process.execPath, [MAIN, 'api'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: environment.url,
      DOCKET_DATA: environment.folder,
      DOCKET_PORT: '0',
      DOCKET_LOG_LEVEL: 'silent',
      ...environment.extra
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc']
  })
  const exited = once(child, 'exit')
  const crash = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await exited
  }
  t.teardown(crash)
  const [ready] = (await once(child, 'message')) as [{ readonly address: string }]
  return { port: Number(new URL(ready.address).port), crash }
}
