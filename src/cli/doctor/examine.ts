import { loadKeys } from '../../audit/log/signing/signing-keys.ts'
import type { Config } from '../../config.ts'
import { pendingMigrations } from '../../db/migrate.ts'
import { listPauses } from '../../db/operations/pauses.ts'
import { readServerFacts } from '../../db/operations/server-facts.ts'
import {
  countWorkers,
  listAskedChunks,
  listDueChunks,
  listForgotten,
  listMissingDeliveries,
  listSealLags,
  listSlowSplits,
  listUnclosed
} from '../../db/operations/stuck-work.ts'
import type { Pool } from '../../db/pool.ts'
import { listFailingRegistries } from '../../db/registries/statuses.ts'
import { toDatabaseError } from '../../db/sqlstate.ts'
import { machineIsolation } from '../../extract/isolation.ts'
import { newId } from '../../model/ids.ts'
import { queueDepths, withoutLiveJob } from '../../queue/live-jobs.ts'
import { readQueueHealth } from '../../queue/queue-health.ts'
import { diskUse } from '../../storage/disk-use.ts'
import { createFileStore } from '../../storage/file-store.ts'
import { type Finding, finding } from './findings.ts'
import { judgeMachine, type MachineState } from './judge-machine.ts'
import { judgeServer, type ServerState } from './judge-server.ts'
import { judgeWork, type WorkState } from './judge-work.ts'

/** Without a sign for so long a worker counts as gone: it gives one every ten seconds. */
const LIVING_SECONDS = 60
/** What a worker mends by itself within half a minute is no finding yet. */
const MENDED_SECONDS = 90
const SPLIT_SECONDS = 900
const FORGOTTEN_SECONDS = 300
/** The log is sealed every second. */
const SEALED_SECONDS = 60
const DELIVERED_SECONDS = 300
const MOST_REGISTRIES = 100

export interface ExamineDeps {
  readonly pool: Pool
  readonly config: Config
  /** Milliseconds since 1970, by this machine. */
  readonly now: () => number
}

async function serverState({ pool, now }: ExamineDeps): Promise<ServerState> {
  const workers = await countWorkers(pool, LIVING_SECONDS)
  const before = now()
  const facts = await readServerFacts(pool)
  // The answer's way back counts as long as the question's way there.
  return { ...facts, workers, skewMs: facts.clockMs - (before + now()) / 2 }
}

async function oldestOf(pool: Pool): Promise<number> {
  const waiting = (await queueDepths(pool)).filter(({ queue, lane }) => queue !== 'dead' && lane !== 'maintenance')
  return Math.max(
    0,
    ...waiting.filter(({ queue }) => queue !== 'ocr' && queue !== 'reread').map(one => one.oldestSeconds)
  )
}

async function workState({ pool, config }: ExamineDeps): Promise<WorkState> {
  const { destinations } = config.log
  return {
    ...(await readQueueHealth(pool)),
    workers: await countWorkers(pool, LIVING_SECONDS),
    oldestSeconds: await oldestOf(pool),
    chunksWithoutJob: await withoutLiveJob(
      pool,
      ['chunk', 'document', 'ocr'],
      await listDueChunks(pool, MENDED_SECONDS)
    ),
    retriesWithoutJob: await withoutLiveJob(pool, ['redrive', 'reread'], await listAskedChunks(pool)),
    unclosed: await listUnclosed(pool, MENDED_SECONDS),
    slowSplits: await listSlowSplits(pool, SPLIT_SECONDS),
    forgotten: await listForgotten(pool, FORGOTTEN_SECONDS),
    sealLags: await listSealLags(pool, SEALED_SECONDS),
    undelivered: await listMissingDeliveries(pool, destinations, DELIVERED_SECONDS),
    registries: await listFailingRegistries(pool, MOST_REGISTRIES),
    pauses: await listPauses(pool, null)
  }
}

/** Whether the store in this folder, which is there, can be written to. */
const takesFiles = (folder: string): Promise<boolean> =>
  createFileStore({ folder, newId })
    .then(store => store.check())
    .then(
      () => true,
      () => false
    )

async function machineState({ config }: ExamineDeps): Promise<MachineState> {
  const { signingKey, keysFile } = config.log
  const places = [
    { place: 'payloads', folder: config.payloadFolder },
    { place: 'data', folder: config.data }
  ]
  const disks = await Promise.all(places.map(async ({ place, folder }) => ({ place, use: await diskUse(folder) })))
  const keys = await loadKeys({ signingKey, keysFile, dataFolder: config.data }, false).catch(() => undefined)
  const isStoreThere = disks[0]?.use !== undefined && (await takesFiles(config.payloadFolder))
  return { disks, isStoreThere, isolationMissing: machineIsolation().missing, signingKeys: keys?.keys.length }
}

/** Looks at the database, the work and this machine, and answers everything that is wrong with them. */
export async function examine(deps: ExamineDeps): Promise<Finding[]> {
  const { pool, config } = deps
  // Asked first: a database that is away would look like one without a schema.
  await pool.query('select 1').catch((error: unknown) => {
    throw toDatabaseError(error)
  })
  const machine = judgeMachine(await machineState(deps), config)
  const missing = await pendingMigrations(pool)
  if (missing.length > 0) {
    return [
      finding('MIGRATIONS_PENDING', `The database lacks ${missing.length} migrations; nothing in it was looked at.`),
      ...machine
    ]
  }
  return [...judgeServer(await serverState(deps), config), ...machine, ...judgeWork(await workState(deps), config)]
}
