import { createPool } from '../src/db/pool.ts'
import { launchChunk } from '../src/db/work/chunks.ts'
import { newId, newSalt } from '../src/model/ids.ts'
import { commitChunk } from '../src/pipeline/commit/commit-chunk.ts'
import type { CommitWork } from '../src/pipeline/commit/end-chunk.ts'
import type { JudgedRecord } from '../src/pipeline/commit/judged-record.ts'
import { createBoss } from '../src/queue/boss.ts'
import { claim, JURISDICTION, seedBatch, silent } from '../test/helpers/factory.ts'
import type { FinalRow } from './copy-limit.ts'

const CHUNK = 500
const SLOTS = 4

const judgedOf = (row: FinalRow, item: number): JudgedRecord => ({
  item,
  line: item + 1,
  state: 'accepted',
  idempotencyKey: row.idempotencyKey.toString('hex'),
  naturalKey: row.naturalKey,
  confidence: 1,
  reasons: [],
  fields: {},
  content: JSON.parse(row.content),
  diagnostic: null
})

/** Rows per second of the commit of chunks alone: claims and judged records are ready before the clock starts. */
export async function commitAlone(url: string, rows: readonly FinalRow[]): Promise<number> {
  const pool = createPool({ url, max: SLOTS + 2, applicationName: 'bench', onError: () => undefined })
  const boss = await createBoss({ url, role: 'api', heartbeatSeconds: 600, logger: silent })
  const counts = Array.from({ length: Math.ceil(rows.length / CHUNK) }, () => CHUNK)
  const { chunks } = await seedBatch(pool, boss, { chunks: counts })
  const places = new Map(chunks.map(({ id }, i) => [id, i * CHUNK]))
  const works: CommitWork[] = []
  for (const _ of counts) {
    const job = await claim(boss)
    const chunk = await launchChunk(pool, JURISDICTION, job.data.subject)
    if (!chunk) throw new Error('a chunk is not pending')
    const from = places.get(chunk.id) ?? 0
    const records = rows.slice(from, from + CHUNK).map((row, i) => judgedOf(row, from + i + 1))
    works.push({ chunk, job, records, stageMs: {}, stageEnds: [['validated', performance.now()]] as const })
  }
  await pool.query('checkpoint')
  const deps = { pool, boss, newId, newSalt, now: () => performance.now(), actor: 'worker:bench' }
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: SLOTS }, async () => {
      for (let work = works.pop(); work; work = works.pop()) await commitChunk(deps, work)
    })
  )
  const ms = performance.now() - begun
  await boss.stop({ graceful: false })
  await pool.end()
  return (rows.length / ms) * 1000
}
