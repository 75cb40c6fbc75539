import { totalmem } from 'node:os'

const MEGABYTE = 1024 * 1024

/**
 * Command-line settings of the embedded Postgres. Loopback only, no Unix socket; logs hold no statement, parameter
 * or row of anybody's data. `durable` keeps every crash-safety setting on; false is for databases thrown away.
 */
export function postgresFlags(port: number, durable: boolean): string[] {
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_parameter_max_length_on_error: 0,
    log_statement: 'none',
    // An eighth of memory: the API, the workers and the page cache live on the same machine.
    shared_buffers: `${clamp(Math.floor(totalmem() / 8 / MEGABYTE), 128, 1024)}MB`,
    max_wal_size: '4GB',
    checkpoint_timeout: '15min',
    // The statements are short and prepared once: compiling them costs more than it gives.
    jit: 'off',
    random_page_cost: 1.1,
    ...(durable ? DURABLE : THROWN_AWAY)
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

const DURABLE = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' }

const THROWN_AWAY = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', shared_buffers: '128MB' }

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}
