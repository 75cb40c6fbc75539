import { type Logger as PinoLogger, pino } from 'pino'

/**
 * The only keys a log line may carry: ids, counts, durations, codes and names of our own making. Anything
 * else is dropped, so that no submitted value can reach a log by accident.
 */
// biome-ignore format: a table
const ALLOWED = new Set([
  'level', 'time', 'pid', 'hostname', 'msg', 'component', 'request_id', 'batch_id', 'file_id', 'chunk_id', 'record_id',
  'job_id', 'queue', 'lane', 'jurisdiction', 'profile', 'manifest_version', 'worker_id', 'key_id', 'method', 'route',
  'http_status', 'code', 'sqlstate', 'failure_class', 'attempt', 'generation', 'launches', 'records', 'accepted',
  'duplicate', 'quarantined', 'rejected', 'chunks', 'files', 'bytes', 'ms', 'stage_ms', 'queue_wait_ms', 'read_ms',
  'map_ms', 'extract_ms', 'enrich_ms', 'validate_ms', 'commit_ms', 'count', 'port', 'address', 'signal', 'exit_code',
  'isolation', 'version', 'reason', 'stack', 'name', 'operation', 'slots', 'oldest_seconds', 'depth'
])

const MAX_STRING = 500

function clean(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.length > MAX_STRING ? `${value.slice(0, MAX_STRING)}…` : value
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  if (typeof value !== 'object' || value === undefined || depth > 2) return undefined
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => ALLOWED.has(name))
      .map(([name, inner]) => [name, clean(inner, depth + 1)])
  )
}

export type Logger = PinoLogger

export interface LoggerOptions {
  readonly level?: string
  readonly component: string
  /** Where lines go; standard output by default. */
  readonly destination?: { write(line: string): void }
}

/** A JSON-lines logger that writes allow-listed keys only. */
export function createLogger(options: LoggerOptions): Logger {
  const settings = {
    level: options.level ?? 'info',
    base: { component: options.component },
    formatters: {
      log: (fields: object) => clean(fields) as Record<string, unknown>,
      level: (label: string) => ({ level: label })
    }
  }
  return options.destination ? pino(settings, options.destination) : pino(settings)
}

/** The loggable part of anything thrown: code, class and frames of our own files; never its message. */
export function errorFields(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { code: 'INTERNAL', name: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'INTERNAL'
  return { code, name: error.name, stack: stackFrames(error) }
}

/** The frames of a stack without its first lines, which repeat the message and may quote a value. */
export function stackFrames(error: Error): string {
  return (error.stack ?? '')
    .split('\n')
    .filter(line => /^\s+at /.test(line))
    .slice(0, 8)
    .map(line => line.trim().replace(/file:\/\/\S*\/(src|node_modules)\//, '$1/'))
    .join('\n')
}
