import t from 'tap'
import { createMetrics } from '../../../src/api/http/metrics.ts'
import type { DiskMarks } from '../../../src/api/submission/disk-marks.ts'
import { withTransaction } from '../../../src/db/transaction.ts'
import { launchChunk } from '../../../src/db/work/chunks.ts'
import { newId, newSalt } from '../../../src/model/ids.ts'
import { reasonOf } from '../../../src/model/reasons.ts'
import { commitChunk } from '../../../src/pipeline/commit/commit-chunk.ts'
import { testDatabase } from '../../helpers/database.ts'
import { claim, JURISDICTION, judged, seedBatch, testBoss } from '../../helpers/factory.ts'

const disk: DiskMarks = { admit: async () => undefined, look: async () => ({ used: 0.5, isStopped: false }) }

t.test('latency of each stage, and held records by reason and failure class', async t => {
  const { pool, url } = await testDatabase(t)
  const boss = await testBoss(t, url)
  const deps = { pool, boss, newId, newSalt, now: () => performance.now(), actor: 'worker:test' }
  const held = (item: number, ...reasons: ReturnType<typeof reasonOf>[]) =>
    judged(item, `held ${item}`, { state: 'quarantined', naturalKey: null, reasons })
  await seedBatch(pool, boss, { chunks: [3, 1] })
  for (const readMs of [100, 300]) {
    const job = await claim(boss)
    const chunk = await launchChunk(pool, JURISDICTION, job.data.subject)
    if (!chunk) throw new Error('the chunk is not pending')
    const records =
      chunk.records === 1
        ? [judged(4, 'accepted')]
        : [
            held(1, reasonOf('ENRICH_UNAVAILABLE')),
            held(2, reasonOf('INVALID_DATE'), reasonOf('UNMAPPED_ENUM')),
            held(3, reasonOf('INVALID_DATE'))
          ]
    await commitChunk(deps, { chunk, job, records, stageMs: { read: readMs }, stageEnds: [] })
  }
  await pool.query(
    `insert into registry_breaker (jurisdiction, kind, state, failures, openings, fault_kind, code)
     values ('17031', 'parcel', 'open', 7, 1, 'configuration', 'http_401'), ('17031', 'zoning', 'closed', 2, 0, 'transient', 'timeout')`
  )
  await pool.query(`insert into registry_alert (jurisdiction, kind, code) values ('17031', 'parcel', 'http_401')`)
  let now = 0
  const { registry } = createMetrics({ pool, pools: [pool], nowMs: () => now, disk })
  await Promise.all([pool.query('select 1'), withTransaction(pool, async () => undefined)])
  const text = await registry.metrics()
  for (const line of [
    'docket_stage_seconds{stage="read",quantile="0.5"} 0.1',
    'docket_stage_seconds{stage="read",quantile="0.95"} 0.3',
    'docket_held_records{code="ENRICH_UNAVAILABLE",failure_class="transient"} 1',
    'docket_held_records{code="INVALID_DATE",failure_class="permanent"} 2',
    'docket_records{outcome="quarantined"} 3',
    'docket_registry_open{jurisdiction="17031",registry="parcel"} 1',
    'docket_registry_open{jurisdiction="17031",registry="zoning"} 0',
    'docket_registry_failures{jurisdiction="17031",registry="zoning"} 2',
    'docket_registry_alert{jurisdiction="17031",registry="parcel"} 1'
  ]) {
    t.ok(text.includes(`${line}\n`), line)
  }
  t.ok(Number(/^docket_pool_wait_seconds_count (\d+)$/m.exec(text)?.[1]) >= 2, 'both ways to a connection are timed')
  t.notMatch(text, /UNMAPPED_ENUM/, 'a warning holds nothing')
  await pool.query(`update record set state = 'rejected'`)
  await pool.query(`update chunk set committed_at = committed_at - interval '1 hour'`)
  t.match(await registry.metrics(), /docket_held_records\{/, 'read before, and still used')
  now += 60_000
  t.notMatch(await registry.metrics(), /docket_(?:held_records|stage_seconds)\{/, 'what is over is no longer shown')
})

t.test('a reading that was slow is used for longer', async t => {
  let reads = 0
  let now = 0
  const query = async () => {
    reads += 1
    now += 5000
    return { rows: [], rowCount: 0 }
  }
  const pool = { query, on: () => undefined, totalCount: 0, idleCount: 0, waitingCount: 0 } as never
  const { registry } = createMetrics({ pool, pools: [pool], nowMs: () => now, disk })
  await registry.metrics()
  const first = reads
  now += 40_000
  await registry.metrics()
  t.equal(reads, first, 'forty seconds after reads of five seconds each')
  now += 400_000
  await registry.metrics()
  t.ok(reads > first)
})
