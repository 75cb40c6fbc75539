import t, { type Test } from 'tap'
import type { Pool, Tx } from '../../src/db/pool.ts'
import { withTransaction } from '../../src/db/transaction.ts'
import { deletePendingChunk, insertChunks, type NewChunk } from '../../src/db/work/chunks.ts'
import { finishSplit, saveSplitProgress } from '../../src/db/work/splits.ts'
import { newId } from '../../src/model/ids.ts'
import { cancelBatch } from '../../src/review/cancel-batch.ts'
import { testDatabase } from '../helpers/database.ts'
import { JURISDICTION, type SeededBatch, seedBatch, testBoss } from '../helpers/factory.ts'
import { until } from '../helpers/worker-process.ts'

const chunkAt = (firstItem: number, records: number): NewChunk => ({
  id: newId(),
  ordinal: 0,
  generation: 1,
  kind: 'rows',
  byteStart: 0,
  byteEnd: 10,
  firstItem,
  firstLine: firstItem + 1,
  records,
  fault: null
})

const ownerOf = ({ batchId, fileId }: SeededBatch) => ({ jurisdiction: JURISDICTION, batchId, fileId, fileNumber: 1 })

const blocked = async (pool: Pool): Promise<boolean> =>
  (
    await pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`
    )
  ).rowCount !== 0

/** Cancels while a transaction of a worker is open, which then commits; answers what stands afterwards. */
async function cancelBeside(
  t: Test,
  seed: 'split' | 'unsplit',
  step: (tx: Tx, batch: SeededBatch) => Promise<unknown>
) {
  const { pool, url } = await testDatabase(t)
  const boss = await testBoss(t, url)
  const batch = await seedBatch(pool, boss, { chunks: [4] })
  if (seed === 'unsplit') await pool.query(`update file set state = 'splitting', generation = 1`)
  const deps = { pool, boss, newId, profiles: new Map(), today: () => '2026-06-01' }
  let cancelled: Promise<unknown> = Promise.resolve()
  await withTransaction(pool, async tx => {
    await step(tx, batch)
    cancelled = cancelBatch(deps, { jurisdiction: JURISDICTION, batchId: batch.batchId, actor: 'key:clerk' })
    await until(() => blocked(pool))
  })
  await cancelled
  const { rows } = await pool.query(
    `select state, sum(record_count)::int as records from chunk group by state order by state`
  )
  const { rows: entries } = await pool.query(
    `select convert_from(entry, 'UTF8')::jsonb -> 'detail' as detail from audit_entry where subject_id = $1 order by seq desc limit 1`,
    [batch.batchId]
  )
  return { chunks: rows, detail: entries[0]?.detail, file: (await pool.query('select state from file')).rows[0]?.state }
}

t.test('a split that saves chunks while its batch is cancelled leaves none of them pending', async t => {
  const end = await cancelBeside(t, 'unsplit', async (tx, batch) => {
    await saveSplitProgress(tx, { jurisdiction: JURISDICTION, fileId: batch.fileId, generation: 1 }, { at: 1 })
    await insertChunks(tx, ownerOf(batch), [chunkAt(5, 3)])
  })
  t.same(end, { chunks: [{ state: 'cancelled', records: 7 }], detail: { cancelled: 7 }, file: 'cancelled' })
})

t.test('a split that ends while its batch is cancelled leaves no chunk pending', async t => {
  const end = await cancelBeside(t, 'unsplit', async (tx, batch) => {
    await insertChunks(tx, ownerOf(batch), [chunkAt(5, 3)])
    const auditHash = Buffer.alloc(32)
    const work = { jurisdiction: JURISDICTION, fileId: batch.fileId, generation: 1 }
    await finishSplit(tx, work, { format: null, auditSeq: 2, auditHash })
  })
  t.same(end, { chunks: [{ state: 'cancelled', records: 7 }], detail: { cancelled: 7 }, file: 'split' })
})

t.test('a chunk that is cut in two while its batch is cancelled leaves no half pending', async t => {
  const end = await cancelBeside(t, 'split', async (tx, batch) => {
    await deletePendingChunk(tx, JURISDICTION, batch.chunks[0]?.id ?? '')
    await insertChunks(tx, ownerOf(batch), [chunkAt(1, 2), chunkAt(3, 2)])
  })
  t.same(end, { chunks: [{ state: 'cancelled', records: 4 }], detail: { cancelled: 4 }, file: 'split' })
})

const stateOf = async (pool: Pool, batchId: string) => {
  const { rows } = await pool.query<{ state: string }>('select state from batch where id = $1', [batchId])
  return rows[0]?.state
}

for (const [name, chunks] of Object.entries({ 'one chunk': [4], 'several chunks': [4, 4, 1], 'no chunk': [] })) {
  t.test(`a batch of ${name}, all committed and not yet completed, ends completed and not cancelled`, async t => {
    const { pool, url } = await testDatabase(t)
    const boss = await testBoss(t, url)
    const { batchId } = await seedBatch(pool, boss, { chunks })
    await pool.query(`update chunk set state = 'committed', committed_at = now(), accepted = record_count`)
    const deps = { pool, boss, newId, profiles: new Map(), today: () => '2026-06-01' }
    const cancel = () => cancelBatch(deps, { jurisdiction: JURISDICTION, batchId, actor: 'key:clerk' })
    await t.rejects(cancel(), { code: 'BATCH_FINISHED', message: /nothing was left to cancel/ })
    t.equal(await stateOf(pool, batchId), 'completed')
    const { rows } = await pool.query(
      `select convert_from(entry, 'UTF8')::jsonb as entry from audit_entry where subject_id = $1 order by seq`,
      [batchId]
    )
    t.equal(rows.at(-1)?.entry.actor, 'system:cancel')
    t.equal(rows.at(-1)?.entry.transitions[0][0], 'completed')
    t.equal(rows.length, 2, 'no entry says that it was cancelled')
    await t.rejects(cancel(), { code: 'BATCH_FINISHED' }, 'and once more')
  })
}

t.test('a chunk without records that waits is something to cancel', async t => {
  const { pool, url } = await testDatabase(t)
  const boss = await testBoss(t, url)
  const { batchId } = await seedBatch(pool, boss, { chunks: [0] })
  const deps = { pool, boss, newId, profiles: new Map(), today: () => '2026-06-01' }
  await cancelBatch(deps, { jurisdiction: JURISDICTION, batchId, actor: 'key:clerk' })
  t.equal(await stateOf(pool, batchId), 'cancelled')
})
