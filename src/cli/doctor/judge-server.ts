import type { Config } from '../../config.ts'
import type { ServerFacts } from '../../db/operations/server-facts.ts'
import { type Finding, type FindingCode, finding } from './findings.ts'

/** What is known of the server and of the processes that use it. */
export interface ServerState extends ServerFacts {
  /** Workers that live. */
  readonly workers: number
  /** How far the server's clock is ahead of this machine's, in milliseconds. */
  readonly skewMs: number
}

const isOff = (value: string | undefined): boolean => value === 'off'

/** pg-boss's own connections, and the listener of a worker. */
const QUEUE_CONNECTIONS = 4
const LISTENER_CONNECTIONS = 1

const NEARLY = 0.85
const SKEW_MS = 2000
const LONG_SECONDS = 600

function durability({ settings }: ServerState): Finding[] {
  const found: Finding[] = []
  const tell = (code: FindingCode, isWrong: boolean, message: string): void => {
    if (isWrong) found.push(finding(code, message))
  }
  tell(
    'FSYNC_OFF',
    isOff(settings['fsync']),
    'fsync is off: a crash of the machine loses or damages what was committed.'
  )
  tell(
    'FULL_PAGE_WRITES_OFF',
    isOff(settings['full_page_writes']),
    'full_page_writes is off: a crash of the machine can leave pages half written.'
  )
  tell(
    'SYNCHRONOUS_COMMIT_OFF',
    isOff(settings['synchronous_commit']),
    'synchronous_commit is off: what was answered 202 can be lost in a crash.'
  )
  tell(
    'DATA_CHECKSUMS_OFF',
    isOff(settings['data_checksums']),
    'Pages have no checksums: damage by the disk is read as data.'
  )
  tell(
    'WAL_LEVEL_MINIMAL',
    settings['wal_level'] === 'minimal',
    'wal_level is minimal: no base backup can be taken and no log archived.'
  )
  tell(
    'AUTOVACUUM_OFF',
    isOff(settings['autovacuum']) || isOff(settings['track_counts']),
    'Autovacuum does not run: dead rows make the queue slow, and in the end the server stops.'
  )
  const logs =
    settings['log_statement'] !== 'none' ||
    settings['log_min_duration_statement'] !== '-1' ||
    settings['log_parameter_max_length_on_error'] !== '0'
  tell('STATEMENTS_LOGGED', logs, 'The log of the server can hold submitted values.')
  return found
}

function privileges(state: ServerState, isEmbedded: boolean): Finding[] {
  const found: Finding[] = []
  if (state.isSuperuser && !isEmbedded) found.push(finding('ROLE_SUPERUSER', 'Docket works as a superuser.'))
  else if (state.ownsTables) found.push(finding('ROLE_OWNS_TABLES', 'Docket works as the owner of its tables.'))
  if (state.unguardedTables > 0) {
    found.push(finding('ROW_SECURITY_OFF', `${state.unguardedTables} tables have no forced row-level security.`))
  }
  return found
}

function connections(state: ServerState, config: Config): Finding[] {
  const max =
    Number(state.settings['max_connections'] ?? 0) - Number(state.settings['superuser_reserved_connections'] ?? 0)
  const workers = Math.max(1, state.workers)
  const perWorker = config.poolMax + config.chunk.threads + QUEUE_CONNECTIONS + LISTENER_CONNECTIONS
  const needed = workers * perWorker + config.poolMax + QUEUE_CONNECTIONS
  const found: Finding[] = []
  if (needed > max) {
    const counted = `${workers} ${workers === 1 ? 'worker' : 'workers'} and one API may need ${needed} connections`
    found.push(finding('CONNECTIONS_SHORT', `${counted}; the server has ${max}.`))
  }
  if (state.connections >= NEARLY * max) {
    found.push(finding('CONNECTIONS_NEARLY_USED', `${state.connections} of ${max} connections are in use.`))
  }
  return found
}

function vacuum(state: ServerState): Finding[] {
  const found: Finding[] = []
  if (state.bloated.length > 0) {
    const names = state.bloated.map(({ table, dead }) => `${table} (${dead})`)
    found.push(finding('DEAD_TUPLES', `Tables with very many dead rows: ${names.join(', ')}.`))
  }
  if (state.longestTransactionSeconds > LONG_SECONDS) {
    const minutes = Math.floor(state.longestTransactionSeconds / 60)
    found.push(
      finding('TRANSACTION_LONG', `A transaction has been open for ${minutes} minutes: no dead row goes meanwhile.`)
    )
  }
  if (state.oldestPreparedSeconds > LONG_SECONDS) {
    found.push(finding('TRANSACTION_PREPARED', 'A prepared transaction has been left for more than ten minutes.'))
  }
  if (state.idleSlots > 0) {
    found.push(
      finding('SLOT_IDLE', `${state.idleSlots} replication slots are read by nobody: the log is kept for them.`)
    )
  }
  return found
}

/** What is wrong with the database server. */
export function judgeServer(state: ServerState, config: Config): Finding[] {
  const seconds = Math.round(Math.abs(state.skewMs) / 100) / 10
  const skew =
    Math.abs(state.skewMs) > SKEW_MS
      ? [finding('CLOCK_SKEW', `The clocks of this machine and of the database differ by ${seconds} seconds.`)]
      : []
  return [
    ...durability(state),
    ...privileges(state, config.databaseUrl === undefined),
    ...connections(state, config),
    ...vacuum(state),
    ...skew
  ]
}
