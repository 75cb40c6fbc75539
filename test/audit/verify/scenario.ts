import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Pool } from '../../../src/db/pool.ts'
import { lockRecord } from '../../../src/db/review/held-records.ts'
import { withTransaction } from '../../../src/db/transaction.ts'
import { launchChunk } from '../../../src/db/work/chunks.ts'
import { newId, newSalt } from '../../../src/model/ids.ts'
import { reasonOf } from '../../../src/model/reasons.ts'
import { commitChunk } from '../../../src/pipeline/commit/commit-chunk.ts'
import { completeBatch } from '../../../src/pipeline/commit/complete-batch.ts'
import type { JudgedRecord } from '../../../src/pipeline/commit/judged-record.ts'
import { permit } from '../../../src/profiles/permit/permit.ts'
import type { ClaimedJob } from '../../../src/queue/slots.ts'
import { applyOutcome } from '../../../src/review/apply-outcome.ts'
import { cancelBatch } from '../../../src/review/cancel-batch.ts'
import { rejectRecord } from '../../../src/review/decide.ts'
import { noteDownload } from '../../../src/review/note-download.ts'
import { testDatabase } from '../../helpers/database.ts'
import { claim, JURISDICTION, judged, type SeedOptions, seedBatch, testBoss } from '../../helpers/factory.ts'

/** A database in which everything has happened that can happen to a record, by the functions that make it happen. */
export interface Scenario {
  readonly pool: Pool
  /** The folder that the payloads lie in. */
  readonly folder: string
}

const held = (item: number, content: string): JudgedRecord =>
  judged(item, content, { state: 'quarantined', reasons: [reasonOf('FIELD_MISSING', { field: 'parcel_id' })] })

async function world(t: Test) {
  const { pool, url } = await testDatabase(t)
  const boss = await testBoss(t, url)
  const deps = { pool, boss, newId, newSalt, now: () => performance.now(), actor: 'worker:test' }
  const review = { pool, boss, newId, profiles: new Map([[permit.name, permit]]), today: () => '2025-06-01' }
  const commit = async (job: ClaimedJob, records: readonly JudgedRecord[]): Promise<void> => {
    const chunk = await launchChunk(pool, JURISDICTION, job.data.subject)
    if (!chunk) throw new Error('the chunk is not pending')
    const stageEnds = [['extracted', performance.now()]] as const
    await commitChunk(deps, { chunk, job, records, stageMs: { read: 1 }, stageEnds })
  }
  const submit = async (sets: readonly (readonly JudgedRecord[])[], options: SeedOptions = {}): Promise<string> => {
    const { batchId } = await seedBatch(pool, boss, { chunks: sets.map(set => set.length), ...options })
    for (const set of sets) await commit(await claim(boss, options.kind === 'document' ? 'document' : 'chunk'), set)
    if (!(await completeBatch(deps, JURISDICTION, batchId))) throw new Error('the batch is not complete')
    return batchId
  }
  const recordAt = async (batchId: string, item: number) => {
    const { rows } = await pool.query<{ id: string; revision: number }>(
      'select id, revision from record where batch_id = $1 and item = $2',
      [batchId, item]
    )
    return rows[0] ?? { id: '', revision: 0 }
  }
  return { pool, boss, deps, review, commit, submit, recordAt }
}

type World = Awaited<ReturnType<typeof world>>

async function release({ pool, review, recordAt }: World, batchId: string, item: number): Promise<void> {
  const { id } = await recordAt(batchId, item)
  await withTransaction(pool, async tx => {
    const record = await lockRecord(tx, JURISDICTION, id)
    if (!record) throw new Error('no such record')
    await applyOutcome(
      tx,
      review,
      { record, profile: permit, rulesDigest: null, actor: 'key:clerk' },
      {
        state: 'accepted',
        naturalKey: `released-${item}`,
        confidence: 1,
        reasons: [],
        fields: {},
        content: { submission_id: 'released' },
        decision: null,
        diagnostic: null,
        transitions: ['corrected', 'released'],
        detail: { corrected: ['parcel_id'] }
      }
    )
  })
}

async function decide(world: World): Promise<void> {
  const { submit, review, recordAt } = world
  const batch = await submit([[held(1, 'X'), held(2, 'Y'), held(3, 'Y'), held(4, 'Z')]])
  await submit([[held(1, 'X')]])
  await release(world, batch, 1)
  await rejectRecord(
    review,
    { jurisdiction: JURISDICTION, recordId: (await recordAt(batch, 2)).id, revision: 1, actor: 'key:clerk' },
    { reason: 'FIELD_INVALID', comment: 'not ours' }
  )
}

/** A download adds to a chain and says nothing of its subject's state. */
async function download({ pool, review }: World, kind: 'batch' | 'record', where: string): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(`select id from ${kind} where ${where} order by id limit 1`)
  const id = rows[0]?.id ?? ''
  await noteDownload(review, { kind, jurisdiction: JURISDICTION, id, what: 'payload', actor: 'key:reader' })
}

async function cancelHalf({ pool, boss, review, commit }: World): Promise<void> {
  const { batchId } = await seedBatch(pool, boss, { chunks: [2, 3] })
  await commit(await claim(boss), [
    judged(1, 'M', { naturalKey: 'm' }),
    judged(2, 'N', { state: 'rejected', naturalKey: null, reasons: [reasonOf('FILE_EMPTY')] })
  ])
  await claim(boss)
  await cancelBatch(review, { jurisdiction: JURISDICTION, batchId, actor: 'key:clerk' })
}

/** Chunks of one batch committed last first: the version of the earlier place is superseded on arrival. */
async function commitBackwards({ pool, boss, deps, commit }: World): Promise<void> {
  const { batchId, chunks } = await seedBatch(pool, boss, { chunks: [1, 1] })
  const jobs = [await claim(boss), await claim(boss)]
  for (const [n, chunk] of [...chunks.entries()].toReversed()) {
    const job = jobs.find(one => one.data.subject === chunk.id) as ClaimedJob
    await commit(job, [judged(n + 1, `version ${n}`, { naturalKey: 'backwards' })])
  }
  await completeBatch(deps, JURISDICTION, batchId)
}

/** Gives every file a payload of its own, `<folder>/<jurisdiction>/<file id>`. */
async function storePayloads(pool: Pool, folder: string): Promise<void> {
  await mkdir(join(folder, JURISDICTION), { recursive: true })
  const { rows } = await pool.query<{ id: string }>('select id from file order by id')
  for (const { id } of rows) {
    const bytes = Buffer.from(`payload of ${id}`)
    await writeFile(join(folder, JURISDICTION, id), bytes)
    await pool.query('update file set size = $2, sha256 = $3, payload_uri = $4 where id = $1', [
      id,
      bytes.length,
      createHash('sha256').update(bytes).digest(),
      `file:${JURISDICTION}/${id}`
    ])
  }
}

/** Accepted, duplicate, superseded, held, following, released, rejected, cancelled and unfinished: no fault in any. */
export async function cleanDatabase(t: Test): Promise<Scenario> {
  const all = await world(t)
  const rejected = judged(3, 'R', { state: 'rejected', naturalKey: null, reasons: [reasonOf('FILE_EMPTY')] })
  await all.submit([
    [judged(1, 'A', { naturalKey: 'k' }), held(2, 'H'), rejected],
    [judged(4, 'B', { naturalKey: 'k' })]
  ])
  await all.submit([[judged(1, 'B', { naturalKey: 'k' }), held(2, 'H'), judged(3, 'E')]])
  await decide(all)
  await all.submit([[judged(0, 'document', { naturalKey: 'document' })]], { kind: 'document' })
  await cancelHalf(all)
  await commitBackwards(all)
  await seedBatch(all.pool, all.boss, { chunks: [2] })
  await download(all, 'record', `state = 'rejected' and audit_seq = 1`)
  await download(all, 'batch', `state = 'cancelled'`)
  const folder = t.testdir({})
  await storePayloads(all.pool, folder)
  return { pool: all.pool, folder }
}
