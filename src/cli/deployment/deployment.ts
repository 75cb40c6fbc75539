import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Io } from '../command.ts'
import { type Database, migrateAll, openDatabase } from './database.ts'
import { type Supervised, supervise } from './supervise.ts'

const MAIN = join(import.meta.dirname, '../main.ts')
/** What this process was told about memory holds for its parts as well; nothing else it was started with does. */
const MEMORY_FLAG = /^--max-(?:old|semi)-space-size=/

export interface DeploymentOptions {
  readonly config: Config
  readonly io: Io
  /** File descriptor for the log lines of API and worker; standard output by default. */
  readonly output?: number
  /** Called when the database is ready and before the API starts. */
  readonly prepare?: (url: string) => Promise<void>
}

export interface Deployment {
  /** Where the API listens, as `http://host:port`. */
  readonly address: string
  stop(): Promise<void>
}

/**
 * Starts database, API and worker, each in processes of their own, and restarts any of them that ends unasked.
 * What was started is ended again when a later step fails.
 */
export async function startDeployment(options: DeploymentOptions): Promise<Deployment> {
  const { config, io } = options
  await mkdir(config.data, { recursive: true })
  const database = await openDatabase(config, io.err)
  const parts: Supervised[] = []
  const stop = async (): Promise<void> => {
    await Promise.all(parts.map(part => part.stop()))
    await database.stop()
  }
  try {
    await migrateAll(database.url, config)
    await options.prepare?.(database.url)
    return await startProcesses(options, database, { parts, stop })
  } catch (error) {
    await stop()
    throw error
  }
}

async function startProcesses(
  options: DeploymentOptions,
  database: Database,
  started: { parts: Supervised[]; stop: () => Promise<void> }
): Promise<Deployment> {
  const { io, output } = options
  let port: string | undefined
  const launch = async (name: 'api' | 'worker', title: string): Promise<Supervised> => {
    const part = await supervise({
      name: title,
      command: [process.execPath, ...process.execArgv.filter(flag => MEMORY_FLAG.test(flag)), MAIN, name],
      env: () => ({
        ...io.env,
        DATABASE_URL: database.url,
        // A restarted API keeps the port its clients know, also when the first start took a free one.
        ...(name === 'api' && port !== undefined ? { DOCKET_PORT: port } : {})
      }),
      ...(output === undefined ? {} : { output }),
      log: io.err
    })
    started.parts.push(part)
    return part
  }
  const [api] = await Promise.all([launch('api', 'API'), launch('worker', 'worker')])
  const address = addressOf(api.ready)
  port = new URL(address).port
  return { address, stop: started.stop }
}

function addressOf(ready: unknown): string {
  if (typeof ready === 'object' && ready !== null && 'address' in ready) return String(ready.address)
  throw new Error('the API sent no address')
}
