import { createHash } from 'node:crypto'
import { appendEntries } from '../../src/audit/append-entries.ts'
import { ensureManifest } from '../../src/db/manifests.ts'
import type { Pool } from '../../src/db/pool.ts'
import { withTransaction } from '../../src/db/transaction.ts'
import { insertChunks } from '../../src/db/work/chunks.ts'
import { createLogger } from '../../src/logger.ts'
import { newId } from '../../src/model/ids.ts'
import type { Lane } from '../../src/model/states.ts'
import type { JudgedRecord } from '../../src/pipeline/commit/judged-record.ts'
import { type Boss, createBoss } from '../../src/queue/boss.ts'
import { enqueueJobs } from '../../src/queue/enqueue.ts'
import type { ClaimedJob } from '../../src/queue/slots.ts'

export const JURISDICTION = '53033'
export const MANIFEST = 'permit@1+00000000'

export const silent = createLogger({ component: 'test', level: 'silent' })

export const sha = (text: string): string => createHash('sha256').update(text).digest('hex')

/** pg-boss on a test database, stopped with the test. */
export async function testBoss(t: { teardown(done: () => unknown): unknown }, url: string): Promise<Boss> {
  const boss = await createBoss({ url, role: 'api', heartbeatSeconds: 10, logger: silent })
  t.teardown(() => boss.stop({ graceful: false }))
  return boss
}

export interface SeededChunk {
  readonly id: string
  readonly records: number
}

export interface SeededBatch {
  readonly batchId: string
  readonly fileId: string
  readonly chunks: readonly SeededChunk[]
}

export interface SeedOptions {
  readonly chunks?: readonly number[]
  readonly lane?: Lane
  readonly enqueue?: boolean
  readonly kind?: 'rows' | 'document'
}

/** A batch with one split file and pending chunks of the given record counts, each with its job. */
export async function seedBatch(pool: Pool, boss: Boss, options: SeedOptions = {}): Promise<SeededBatch> {
  const { chunks: counts = [1], lane = 'standard', kind = 'rows' } = options
  const [batchId, fileId, digest] = [newId(), newId(), Buffer.from(sha(newId()), 'hex')]
  const manifest = await ensureManifest(pool, MANIFEST, 'permit')
  const chunks = counts.map(records => ({ id: newId(), records }))
  await withTransaction(pool, async tx => {
    const hashes = await appendEntries(
      tx,
      { jurisdiction: JURISDICTION, batchId, manifestVersion: MANIFEST, actor: 'key:test', commitId: newId() },
      [
        { subjectId: batchId, kind: 'batch', seq: 1, previous: null, transitions: [['received', 0]] },
        { subjectId: fileId, kind: 'file', seq: 1, previous: null, transitions: [['received', 0]] }
      ]
    )
    await tx.query(
      `insert into batch (jurisdiction, id, state, profile, lane, submitter, digest, manifest, received_hash, audit_seq, audit_hash)
       values ($1, $2, 'queued', 'permit', $3, 'test', $4, $5, $6, 1, $6)`,
      [JURISDICTION, batchId, lane, digest, manifest, hashes.get(batchId)]
    )
    await tx.query(
      `insert into file (jurisdiction, id, batch_id, number, state, filename, media_type, kind, size, sha256, payload_uri, audit_seq, audit_hash)
       values ($1, $2, $3, 1, 'split', 'test.csv', 'text/csv', 'data', 10, $4, 'file:none', 1, $5)`,
      [JURISDICTION, fileId, batchId, digest, hashes.get(fileId)]
    )
    let firstItem = kind === 'rows' ? 1 : 0
    const plans = chunks.map(({ id, records }, ordinal) => {
      const plan = {
        id,
        ordinal,
        generation: 1,
        kind,
        byteStart: 0,
        byteEnd: 10,
        firstItem,
        firstLine: firstItem + 1,
        records,
        fault: null
      }
      firstItem += records
      return plan
    })
    await insertChunks(tx, { jurisdiction: JURISDICTION, batchId, fileId, fileNumber: 1 }, plans)
    if (options.enqueue ?? true) {
      const jobs = chunks.map(({ id }) => ({ jurisdiction: JURISDICTION, subjectId: id, generation: 1, lane }))
      await enqueueJobs(boss, tx, kind === 'rows' ? 'chunk' : 'document', jobs)
    }
  })
  return { batchId, fileId, chunks }
}

/** Claims the next job of a queue as a worker would. */
export async function claim(boss: Boss, queue: 'chunk' | 'document' | 'split' = 'chunk'): Promise<ClaimedJob> {
  const [job] = await boss.fetch<ClaimedJob['data']>(queue, { includeMetadata: true })
  if (!job) throw new Error(`no job in ${queue}`)
  return {
    queue,
    attempt: { id: job.id, retryCount: job.retryCount },
    data: job.data,
    signal: new AbortController().signal,
    waitMs: 0
  }
}

/** A judged permit, accepted unless said otherwise. */
export function judged(item: number, content: string, overrides: Partial<JudgedRecord> = {}): JudgedRecord {
  return {
    item,
    line: item + 1,
    state: 'accepted',
    idempotencyKey: sha(content),
    naturalKey: `permit-${item}`,
    confidence: 1,
    reasons: [],
    fields: {},
    content: { submission_id: content },
    diagnostic: null,
    ...overrides
  }
}
