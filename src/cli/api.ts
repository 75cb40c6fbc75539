import { type Api, startApi } from '../api/main.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { type Io, readArguments } from './command.ts'
import { announce } from './deployment/announce.ts'
import { configWithDatabase } from './deployment/configured.ts'
import { runUntilStopped } from './terminal/stop-signal.ts'

/** `docket api`: takes submissions and answers questions until it is stopped; requests under way are ended first. */
export async function api(args: readonly string[], io: Io): Promise<number> {
  readArguments(args, {})
  const started = await listen(await configWithDatabase(io, 'api'))
  announce({ address: started.address })
  return runUntilStopped(() => started.close(), io)
}

/** What the system says when an address cannot be listened on, and what to do about it. */
const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program listens there. Set DOCKET_PORT to another port, or to 0 for a free one.',
  EACCES: 'the system does not let this account listen there. Set DOCKET_PORT to a port above 1023.',
  EADDRNOTAVAIL: 'this machine has no such address. Set DOCKET_HOST to one of its own, or to 127.0.0.1.'
}

async function listen(config: Config): Promise<Api> {
  try {
    return await startApi(config)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const fault = Object.hasOwn(LISTEN_FAULTS, code) ? LISTEN_FAULTS[code] : undefined
    if (fault === undefined) throw error
    throw new AppError('CONFIG_INVALID', `Cannot listen on ${config.host}:${config.port}: ${fault}`, { cause: error })
  }
}
