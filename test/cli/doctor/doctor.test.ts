import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { loadKeys } from '../../../src/audit/log/signing/signing-keys.ts'
import { examine } from '../../../src/cli/doctor/examine.ts'
import { main } from '../../../src/cli/main.ts'
import { type Config, loadConfig } from '../../../src/config.ts'
import { endPause, insertPause } from '../../../src/db/operations/pauses.ts'
import type { Pool } from '../../../src/db/pool.ts'
import { giveSign } from '../../../src/db/workers/signs-of-life.ts'
import { newId } from '../../../src/model/ids.ts'
import { emptyDatabase, testDatabase } from '../../helpers/database.ts'
import { JURISDICTION, seedBatch, testBoss } from '../../helpers/factory.ts'

async function folderOf(t: { teardown(done: () => unknown): unknown }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docket-doctor-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** What must come to the findings by a fault in the database, and how it is planted and taken away again. */
interface Plant {
  readonly code: string
  readonly plant: string
  readonly mend: string
}

const plants = (batchId: string): Plant[] => [
  {
    code: 'QUEUE_RETENTION_SHORT',
    plant: `update pgboss.queue set retention_seconds = 86400 where name = 'chunk'`,
    mend: `update pgboss.queue set retention_seconds = 31536000 where name = 'chunk'`
  },
  {
    code: 'QUEUE_LATE',
    plant: `update pgboss.job set created_on = now() - interval '2 hours', start_after = now() - interval '2 hours'`,
    mend: 'update pgboss.job set created_on = now(), start_after = now()'
  },
  {
    code: 'LEASE_EXPIRED',
    plant: `update pgboss.job set state = 'active', started_on = now(), heartbeat_seconds = 10, heartbeat_on = now() - interval '1 minute'`,
    mend: `update pgboss.job set state = 'created', started_on = null, heartbeat_on = null`
  },
  {
    code: 'JOBS_FAILING',
    plant: `update pgboss.job set state = 'retry', retry_count = 4`,
    mend: `update pgboss.job set state = 'created', retry_count = 0`
  },
  {
    code: 'DEAD_LETTERS_WAITING',
    plant: `insert into pgboss.job (id, name, data, created_on) values (gen_random_uuid(), 'dead', '{}', now() - interval '10 minutes')`,
    mend: `delete from pgboss.job where name = 'dead'`
  },
  {
    code: 'CHUNK_WITHOUT_JOB',
    plant: `update chunk set created_at = now() - interval '1 hour', generation = 7 where batch_id = '${batchId}'`,
    mend: `update chunk set created_at = now(), generation = 1 where batch_id = '${batchId}'`
  },
  {
    code: 'BATCH_NOT_CLOSED',
    plant: `update chunk set state = 'cancelled'; update batch set received_at = now() - interval '1 hour'`,
    mend: `update chunk set state = 'pending'; update batch set received_at = now()`
  },
  {
    code: 'FILE_SPLITTING_LONG',
    plant: `update file set state = 'splitting'; update batch set received_at = now() - interval '1 hour'`,
    mend: `update file set state = 'split'; update batch set received_at = now()`
  },
  {
    code: 'BREAKER_OPEN',
    plant: `insert into registry_breaker (jurisdiction, kind, state, failures, openings) values ('17031', 'zoning', 'open', 5, 1)`,
    mend: 'delete from registry_breaker'
  },
  {
    code: 'REGISTRY_ALERT',
    plant: `insert into registry_breaker (jurisdiction, kind, state, failures, openings) values ('17031', 'zoning', 'open', 5, 1);
      insert into registry_alert (jurisdiction, kind, code) values ('17031', 'zoning', 'http_401')`,
    mend: 'delete from registry_breaker; delete from registry_alert'
  },
  {
    code: 'RECORDS_FORGOTTEN',
    plant: `insert into record (jurisdiction, batch_id, file_number, item, id, file_id, chunk_id, profile, state, manifest,
        idempotency_key, reasons, audit_seq, audit_hash, updated_at)
      select jurisdiction, batch_id, 1, 1, gen_random_uuid(), file_id, id, 'permit', 'quarantined', 1, '\\x01',
        '[{"code": "ENRICH_UNAVAILABLE"}]', 1, '\\x01', now() - interval '1 hour' from chunk limit 1`,
    mend: 'delete from record'
  },
  {
    code: 'RETRY_WITHOUT_JOB',
    plant: `insert into record (jurisdiction, batch_id, file_number, item, id, file_id, chunk_id, profile, state, manifest,
        idempotency_key, retry_requested, audit_seq, audit_hash)
      select jurisdiction, batch_id, 1, 1, gen_random_uuid(), file_id, id, 'permit', 'quarantined', 1, '\\x01', true, 1, '\\x01'
      from chunk limit 1`,
    mend: 'delete from record'
  },
  {
    code: 'LOG_NOT_SEALED',
    plant: `alter table audit_commit disable trigger user; update audit_commit set committed_at = now() - interval '5 minutes'`,
    mend: 'update audit_commit set committed_at = now(); alter table audit_commit enable trigger user'
  },
  {
    code: 'CHECKPOINT_UNDELIVERED',
    plant: `insert into audit_checkpoint (jurisdiction, size, root, note, created_at)
      values ('17031', 1, sha256('x'), 'x', now() - interval '1 hour')`,
    mend: 'alter table audit_checkpoint disable trigger user; delete from audit_checkpoint'
  }
]

/** The codes found, sorted. */
async function codesOf(pool: Pool, config: Config, now = () => Date.now()): Promise<string[]> {
  return (await examine({ pool, config, now })).map(one => one.code).toSorted()
}

const added = (before: readonly string[], after: readonly string[]): string[] => {
  const left = [...before]
  return after.filter(code => {
    const at = left.indexOf(code)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

t.test('faults planted in a database, in its settings and on the machine are told, each alone', async t => {
  const { pool, url } = await testDatabase(t)
  const boss = await testBoss(t, url)
  const { batchId } = await seedBatch(pool, boss, { chunks: [3], enqueue: true })
  const folder = await folderOf(t)
  const config = loadConfig({
    DATABASE_URL: url,
    DOCKET_DATA: folder,
    DOCKET_PAYLOADS: `file:${folder}`,
    DOCKET_CHECKPOINTS: `file:${folder}/a,file:${folder}/b`
  })
  const bare = await codesOf(pool, config)
  t.ok(
    bare.includes('FSYNC_OFF') && bare.includes('SYNCHRONOUS_COMMIT_OFF'),
    'the server of the tests is a careless one'
  )
  t.ok(bare.includes('WORKER_MISSING') && bare.includes('SIGNING_KEY_MISSING'))

  await giveSign(pool, newId(), 'here')
  await loadKeys({ signingKey: undefined, keysFile: undefined, dataFolder: folder }, true)
  const before = await codesOf(pool, config)
  t.strictSame(added(before, bare), ['SIGNING_KEY_MISSING', 'WORKER_MISSING'], 'a worker and a key are seen')
  t.strictSame(added(bare, before), ['SIGNING_KEY_IN_DATA'])
  for (const { code, plant, mend } of plants(batchId)) {
    await pool.query(plant)
    t.strictSame([...new Set(added(before, await codesOf(pool, config)))], [code], code)
    await pool.query(mend)
  }
  t.strictSame(await codesOf(pool, config), before, 'all of it is mended')

  const pause = { jurisdiction: JURISDICTION, lane: null, reason: 'test', actor: 'cli:test' }
  await pool.query(`update batch set received_at = now() - interval '1 hour'; update file set state = 'splitting'`)
  await insertPause(pool, { ...pause, id: newId() })
  t.strictSame(added(before, await codesOf(pool, config)), ['WORK_PAUSED'], 'what is held back is not late')
  await endPause(pool, pause)
  await pool.query(`update batch set received_at = now(); update file set state = 'split'`)

  t.strictSame(added(before, await codesOf(pool, { ...config, poolMax: 500 })), ['CONNECTIONS_SHORT'])
  t.strictSame(added(before, await codesOf(pool, config, () => Date.now() + 5000)), ['CLOCK_SKEW'])
  const full = { ...config, disk: { high: 0.000_001, low: 0 } }
  t.strictSame(added(before, await codesOf(pool, full)), ['DISK_FULL', 'DISK_FULL'], 'of payloads and of data')
  await writeFile(join(folder, 'file'), '')
  t.strictSame(added(before, await codesOf(pool, { ...config, payloadFolder: join(folder, 'file') })), ['STORE_AWAY'])
  t.strictSame(added(before, await codesOf(pool, { ...config, payloadFolder: join(folder, 'gone') })), ['STORE_AWAY'])
})

t.test('docket doctor prints what it found, or JSON, and its status tells how bad it is', async t => {
  const { url } = await testDatabase(t)
  const folder = await folderOf(t)
  const run = async (...args: string[]): Promise<{ status: number; out: string }> => {
    const lines: string[] = []
    const env = { DATABASE_URL: url, DOCKET_DATA: folder }
    const status = await main(['doctor', ...args], { out: line => void lines.push(line), err: () => undefined, env })
    return { status, out: lines.join('\n') }
  }
  const text = await run()
  t.match(text, { status: 1, out: /^fault {4}\w+: .*\n {9}\S/ })
  t.match(text.out, /\d+ faults?, \d+ warnings?, \d+ notes?\.$/)
  const { status, out } = await run('--json')
  const told = JSON.parse(out) as { status: number; findings: { code: string; severity: string }[] }
  t.equal(told.status, status)
  t.match(told.findings, [{ code: String, severity: 'fault', message: String, advice: String }])
  t.equal((await run('--sooner')).status, 2)
})

t.test('a database without tables is told as such', async t => {
  const { pool, url } = await emptyDatabase(t)
  const folder = await folderOf(t)
  t.match(await codesOf(pool, loadConfig({ DATABASE_URL: url, DOCKET_DATA: folder })), /MIGRATIONS_PENDING/)
})
