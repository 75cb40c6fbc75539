import t from 'tap'
import { FINDINGS, type Finding, type FindingCode } from '../../../src/cli/doctor/findings.ts'
import { judgeMachine, type MachineState } from '../../../src/cli/doctor/judge-machine.ts'
import { judgeServer, type ServerState } from '../../../src/cli/doctor/judge-server.ts'
import { judgeWork, type WorkState } from '../../../src/cli/doctor/judge-work.ts'
import { type Config, loadConfig } from '../../../src/config.ts'
import { DEAD_LETTERS, QUEUES, YEAR_SECONDS } from '../../../src/queue/queues.ts'

const CONFIG = loadConfig({
  DATABASE_URL: 'postgres://docket@db.example/docket',
  DOCKET_SIGNING_KEY: '/keys/log.pem',
  DOCKET_CHECKPOINTS: 'file:/a,https://elsewhere.example/log'
})

interface State {
  readonly config: Config
  readonly server: ServerState
  readonly machine: MachineState
  readonly work: WorkState
}

const WELL: State = {
  config: CONFIG,
  server: {
    settings: {
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      wal_level: 'replica',
      autovacuum: 'on',
      track_counts: 'on',
      max_connections: '200',
      superuser_reserved_connections: '3',
      log_statement: 'none',
      log_min_duration_statement: '-1',
      log_parameter_max_length_on_error: '0'
    },
    isSuperuser: false,
    ownsTables: false,
    unguardedTables: 0,
    connections: 30,
    longestTransactionSeconds: 5,
    oldestPreparedSeconds: 0,
    idleSlots: 0,
    bloated: [],
    clockMs: 0,
    workers: 2,
    skewMs: 40
  },
  machine: {
    disks: [{ place: 'payloads', use: { used: 0.5, freeBytes: 1e12, usedEntries: 0.1 } }],
    isStoreThere: true,
    isolationMissing: [],
    signingKeys: 1
  },
  work: {
    queues: [...QUEUES, DEAD_LETTERS].map(name => ({ name, retentionSeconds: YEAR_SECONDS })),
    expired: 0,
    failing: 0,
    deadLetters: 0,
    workers: 2,
    oldestSeconds: 30,
    chunksWithoutJob: [],
    retriesWithoutJob: [],
    unclosed: [],
    slowSplits: [],
    forgotten: [],
    sealLags: [],
    undelivered: [],
    registries: [{ jurisdiction: '53033', kind: 'parcel', isOpen: false, failures: 1, needsOperator: false }],
    pauses: []
  }
}

const judge = ({ server, machine, work, config }: State): Finding[] => [
  ...judgeServer(server, config),
  ...judgeMachine(machine, config),
  ...judgeWork(work, config)
]

const setTo = (settings: Record<string, string>): State => ({
  ...WELL,
  server: { ...WELL.server, settings: { ...WELL.server.settings, ...settings } }
})
const server = (change: Partial<ServerState>): State => ({ ...WELL, server: { ...WELL.server, ...change } })
const machine = (change: Partial<MachineState>): State => ({ ...WELL, machine: { ...WELL.machine, ...change } })
const work = (change: Partial<WorkState>): State => ({ ...WELL, work: { ...WELL.work, ...change } })
const config = (change: Partial<Config>): State => ({ ...WELL, config: { ...CONFIG, ...change } })
const disk = (used: number, usedEntries = 0): State =>
  machine({ disks: [{ place: 'data', use: { used, freeBytes: 5e6, usedEntries } }] })

const STUCK = [{ jurisdiction: '53033', id: 'one' }]
const registry = (isOpen: boolean, needsOperator: boolean): State =>
  work({ registries: [{ jurisdiction: '53033', kind: 'zoning', isOpen, failures: 5, needsOperator }] })

/** A fault for every code, each alone. Migrations are planted in a database. */
const PLANTED: Readonly<Record<Exclude<FindingCode, 'MIGRATIONS_PENDING'>, readonly State[]>> = {
  FSYNC_OFF: [setTo({ fsync: 'off' })],
  FULL_PAGE_WRITES_OFF: [setTo({ full_page_writes: 'off' })],
  SYNCHRONOUS_COMMIT_OFF: [setTo({ synchronous_commit: 'off' })],
  DATA_CHECKSUMS_OFF: [setTo({ data_checksums: 'off' })],
  WAL_LEVEL_MINIMAL: [setTo({ wal_level: 'minimal' })],
  AUTOVACUUM_OFF: [setTo({ autovacuum: 'off' }), setTo({ track_counts: 'off' })],
  STATEMENTS_LOGGED: [
    setTo({ log_statement: 'mod' }),
    setTo({ log_min_duration_statement: '500' }),
    setTo({ log_parameter_max_length_on_error: '-1' })
  ],
  ROLE_SUPERUSER: [server({ isSuperuser: true, ownsTables: true })],
  ROLE_OWNS_TABLES: [server({ ownsTables: true })],
  ROW_SECURITY_OFF: [server({ unguardedTables: 12 })],
  CONNECTIONS_SHORT: [config({ poolMax: 80 }), server({ workers: 40 }), setTo({ max_connections: '40' })].map(
    state => ({
      ...state,
      server: { ...state.server, connections: 1 }
    })
  ),
  CONNECTIONS_NEARLY_USED: [server({ connections: 180 })],
  DISK_FULL: [disk(0.96), disk(0.1, 0.97)],
  DISK_FILLING: [disk(0.86), disk(0.94)],
  STORE_AWAY: [machine({ isStoreThere: false })],
  CLOCK_SKEW: [server({ skewMs: 2500 }), server({ skewMs: -90_000 })],
  ISOLATION_DEGRADED: [machine({ isolationMissing: ['prlimit'] })],
  QUEUE_RETENTION_SHORT: [
    work({ queues: WELL.work.queues.map(one => (one.name === 'ocr' ? { ...one, retentionSeconds: 86_400 } : one)) })
  ],
  QUEUE_MISSING: [work({ queues: WELL.work.queues.slice(1) })],
  WORKER_MISSING: [work({ workers: 0 })],
  QUEUE_LATE: [work({ oldestSeconds: 901 })],
  CHUNK_WITHOUT_JOB: [work({ chunksWithoutJob: STUCK })],
  RETRY_WITHOUT_JOB: [work({ retriesWithoutJob: STUCK })],
  LEASE_EXPIRED: [work({ expired: 1 })],
  JOBS_FAILING: [work({ failing: 2 })],
  DEAD_LETTERS_WAITING: [work({ deadLetters: 1 })],
  BATCH_NOT_CLOSED: [work({ unclosed: STUCK })],
  FILE_SPLITTING_LONG: [work({ slowSplits: STUCK })],
  RECORDS_FORGOTTEN: [work({ forgotten: STUCK })],
  LOG_NOT_SEALED: [work({ sealLags: [{ jurisdiction: '53033', seconds: 90 }] })],
  CHECKPOINT_UNDELIVERED: [work({ undelivered: [{ jurisdiction: '53033', place: 2, failures: 9 }] })],
  CHECKPOINT_PLACES_FEW: [
    config({ log: { ...CONFIG.log, destinations: [] } }),
    config({ log: { ...CONFIG.log, destinations: ['file:/a'] } })
  ],
  SIGNING_KEY_MISSING: [machine({ signingKeys: 0 }), machine({ signingKeys: undefined })],
  SIGNING_KEY_IN_DATA: [config({ log: { ...CONFIG.log, signingKey: undefined } })],
  DEAD_TUPLES: [server({ bloated: [{ table: 'pgboss.job', dead: 500_000 }] })],
  TRANSACTION_LONG: [server({ longestTransactionSeconds: 700 })],
  TRANSACTION_PREPARED: [server({ oldestPreparedSeconds: 700 })],
  SLOT_IDLE: [server({ idleSlots: 1 })],
  BREAKER_OPEN: [registry(true, false)],
  REGISTRY_ALERT: [registry(true, true)],
  WORK_PAUSED: [
    work({
      pauses: [
        { id: 'x', jurisdiction: null, lane: 'maintenance', reason: 'r', pausedBy: 'cli:me', pausedAt: new Date(0) }
      ]
    })
  ]
}

t.test('a deployment that is well has no finding', async t => {
  t.strictSame(judge(WELL), [])
})

t.test('each planted fault is told, and nothing else', async t => {
  t.strictSame(Object.keys(FINDINGS).toSorted(), [...Object.keys(PLANTED), 'MIGRATIONS_PENDING'].toSorted())
  for (const [code, states] of Object.entries(PLANTED)) {
    for (const state of states) {
      const found = judge(state)
      t.strictSame(
        found.map(one => one.code),
        [code]
      )
      t.ok(found.every(one => one.message !== '' && one.advice !== ''))
    }
  }
})

t.test('of very many only the first ids are told', async t => {
  const many = Array.from({ length: 300 }, (_, i) => ({ jurisdiction: '53033', id: String(i) }))
  const [found] = judge(work({ chunksWithoutJob: many }))
  t.match(found?.message, /^300 /)
  t.equal(found?.subjects?.length, 20)
})

t.test('the database that is brought along is owned by design', async t => {
  const embedded = {
    ...config({ databaseUrl: undefined }),
    server: { ...WELL.server, isSuperuser: true, ownsTables: true }
  }
  t.strictSame(
    judge(embedded).map(one => one.code),
    ['ROLE_OWNS_TABLES']
  )
})
