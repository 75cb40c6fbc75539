import { startWorker } from '../worker/main.ts'
import { type Io, readArguments } from './command.ts'
import { announce } from './deployment/announce.ts'
import { configWithDatabase } from './deployment/configured.ts'
import { runUntilStopped } from './terminal/stop-signal.ts'

/** `docket worker`: splits, processes and commits until it is stopped; jobs in hand are ended first. */
export async function worker(args: readonly string[], io: Io): Promise<number> {
  readArguments(args, {})
  const started = await startWorker(await configWithDatabase(io, 'worker'))
  announce({ id: started.id })
  return runUntilStopped(() => started.close(), io)
}
