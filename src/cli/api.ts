import { startApi } from '../api/main.ts'
import { type Io, readArguments } from './command.ts'
import { announce } from './deployment/announce.ts'
import { configWithDatabase } from './deployment/configured.ts'
import { runUntilStopped } from './terminal/stop-signal.ts'

/** `docket api`: takes submissions and answers questions until it is stopped; requests under way are ended first. */
export async function api(args: readonly string[], io: Io): Promise<number> {
  readArguments(args, {})
  const started = await startApi(configWithDatabase(io, 'api'))
  announce({ address: started.address })
  return runUntilStopped(() => started.close(), io)
}
