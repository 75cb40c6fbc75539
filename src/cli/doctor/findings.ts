export type Severity = 'fault' | 'warning' | 'note'

interface Kind {
  readonly severity: Severity
  /** What to do. */
  readonly advice: string
}

/** Everything the doctor can find; each code has an entry in the runbook of docs/operations.md. */
export const FINDINGS = {
  MIGRATIONS_PENDING: { severity: 'fault', advice: 'Run docket migrate.' },
  FSYNC_OFF: { severity: 'fault', advice: 'Set fsync = on and restart PostgreSQL.' },
  FULL_PAGE_WRITES_OFF: { severity: 'fault', advice: 'Set full_page_writes = on and reload PostgreSQL.' },
  SYNCHRONOUS_COMMIT_OFF: {
    severity: 'fault',
    advice: 'Set synchronous_commit = on for the server, the database and the role; restart API and workers.'
  },
  DATA_CHECKSUMS_OFF: { severity: 'warning', advice: 'Stop PostgreSQL and run pg_checksums --enable.' },
  WAL_LEVEL_MINIMAL: { severity: 'warning', advice: 'Set wal_level = replica and restart PostgreSQL.' },
  AUTOVACUUM_OFF: { severity: 'warning', advice: 'Set autovacuum = on and track_counts = on.' },
  STATEMENTS_LOGGED: {
    severity: 'warning',
    advice:
      'Set log_statement = none, log_min_duration_statement = -1 and log_parameter_max_length_on_error = 0, or guard the log as the data.'
  },
  ROLE_SUPERUSER: {
    severity: 'warning',
    advice: 'Give Docket a role without superuser: no table refuses anything to that one.'
  },
  ROLE_OWNS_TABLES: {
    severity: 'note',
    advice: 'Who has this role can switch off the triggers that keep the audit trail. Keep checkpoints outside.'
  },
  ROW_SECURITY_OFF: {
    severity: 'note',
    advice: 'Jurisdictions are kept apart by the statements of Docket alone. Give nobody else access to the database.'
  },
  CONNECTIONS_SHORT: {
    severity: 'fault',
    advice: 'Raise max_connections, or lower DOCKET_POOL_MAX or the number of processes.'
  },
  CONNECTIONS_NEARLY_USED: { severity: 'warning', advice: 'See who holds them in pg_stat_activity.' },
  DISK_FULL: { severity: 'fault', advice: 'Free space or enlarge the disk: submissions are refused until then.' },
  DISK_FILLING: { severity: 'warning', advice: 'Free space or enlarge the disk before submissions are refused.' },
  STORE_AWAY: { severity: 'fault', advice: 'Look at the mount of the payload folder and who may write to it.' },
  CLOCK_SKEW: { severity: 'warning', advice: 'Let both machines take their time from the same source (NTP).' },
  ISOLATION_DEGRADED: {
    severity: 'warning',
    advice: 'Install what is missing (util-linux), and allow namespaces of their own for the network.'
  },
  QUEUE_RETENTION_SHORT: { severity: 'fault', advice: 'Restart a worker, which sets its queues to a year.' },
  QUEUE_MISSING: { severity: 'fault', advice: 'Run docket migrate, which makes them.' },
  WORKER_MISSING: { severity: 'fault', advice: 'Start docket worker, or see in its log why it ended.' },
  QUEUE_LATE: { severity: 'fault', advice: 'Add workers or slots; submissions are refused meanwhile.' },
  CHUNK_WITHOUT_JOB: {
    severity: 'warning',
    advice: 'A worker mends this every 30 seconds. If it stays, see its log for the operation reconcile.'
  },
  RETRY_WITHOUT_JOB: { severity: 'warning', advice: 'Ask for them again with docket redrive.' },
  LEASE_EXPIRED: {
    severity: 'warning',
    advice: 'A worker gives such jobs to others within seconds. If they stay, restart the workers one by one.'
  },
  JOBS_FAILING: { severity: 'warning', advice: "Read the workers' log for job failed, and its code." },
  DEAD_LETTERS_WAITING: { severity: 'fault', advice: "Read the workers' log for the queue dead, and its code." },
  BATCH_NOT_CLOSED: {
    severity: 'warning',
    advice: 'A worker mends this every 10 seconds. If it stays, see its log for the operation close-batches.'
  },
  FILE_SPLITTING_LONG: { severity: 'warning', advice: "Read the workers' log for the file's id." },
  RECORDS_FORGOTTEN: {
    severity: 'warning',
    advice:
      'A worker asks for them again every 5 seconds. If they stay, use docket redrive --reason ENRICH_UNAVAILABLE.'
  },
  LOG_NOT_SEALED: { severity: 'fault', advice: "Read the workers' log for the operation seal-log." },
  CHECKPOINT_UNDELIVERED: { severity: 'warning', advice: 'Look whether the place takes files, or answers to PUT.' },
  CHECKPOINT_PLACES_FEW: {
    severity: 'warning',
    advice: 'Name two places in DOCKET_CHECKPOINTS that the administrator of the database cannot change.'
  },
  SIGNING_KEY_MISSING: { severity: 'fault', advice: 'Set DOCKET_SIGNING_KEY, or restore the key of DOCKET_DATA.' },
  SIGNING_KEY_IN_DATA: {
    severity: 'note',
    advice: 'Set DOCKET_SIGNING_KEY to a file that whoever administers the database cannot read.'
  },
  DEAD_TUPLES: { severity: 'warning', advice: 'Look for what holds vacuum up, then run VACUUM on the table.' },
  TRANSACTION_LONG: {
    severity: 'warning',
    advice: 'Find the session in pg_stat_activity and end it if nobody needs it.'
  },
  TRANSACTION_PREPARED: { severity: 'warning', advice: 'Commit it or roll it back: see pg_prepared_xacts.' },
  SLOT_IDLE: { severity: 'warning', advice: 'Bring its reader back, or drop it: see pg_replication_slots.' },
  BREAKER_OPEN: { severity: 'warning', advice: 'See docket registry status. It is tried again by itself.' },
  REGISTRY_ALERT: { severity: 'fault', advice: 'See docket registry status, and correct its configuration or secret.' },
  WORK_PAUSED: { severity: 'note', advice: 'Let go of it with docket resume when its reason is gone.' }
} as const satisfies Record<string, Kind>

export type FindingCode = keyof typeof FINDINGS

export interface Finding {
  readonly code: FindingCode
  readonly severity: Severity
  /** What is wrong: ids, counts and names of settings, never a value of a person. */
  readonly message: string
  readonly advice: string
  /** Ids of what is concerned, the first of them. */
  readonly subjects?: readonly string[]
}

/** Most ids that are told. */
const MOST = 20

/** A finding of this code. */
export function finding(code: FindingCode, message: string, subjects: readonly string[] = []): Finding {
  const { severity, advice } = FINDINGS[code]
  return { code, severity, message, advice, ...(subjects.length > 0 ? { subjects: subjects.slice(0, MOST) } : {}) }
}

/** A finding about several, or none when there are none. `message` is told after their number. */
export function countFinding(
  code: FindingCode,
  found: readonly { readonly jurisdiction: string; readonly id: string }[],
  message: string
): Finding[] {
  if (found.length === 0) return []
  const places = found.map(({ jurisdiction, id }) => `${jurisdiction}/${id}`)
  return [finding(code, `${found.length} ${message}`, places)]
}
