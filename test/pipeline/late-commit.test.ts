import t from 'tap'
import { createPool } from '../../src/db/pool.ts'
import { launchChunk } from '../../src/db/work/chunks.ts'
import { newId, newSalt } from '../../src/model/ids.ts'
import { commitChunk } from '../../src/pipeline/commit/commit-chunk.ts'
import { testDatabase } from '../helpers/database.ts'
import { claim, JURISDICTION, judged, seedBatch, testBoss } from '../helpers/factory.ts'
import { startTcpProxy } from '../helpers/tcp-proxy.ts'

t.test('a commit whose answer is lost is not done twice', async t => {
  const { pool, url } = await testDatabase(t)
  const boss = await testBoss(t, url)
  const proxy = await startTcpProxy(t, new URL(url))
  const through = new URL(url)
  through.port = String(proxy.port)
  const faulty = createPool({ url: through.href, max: 2, applicationName: 'late', onError: () => undefined })
  t.teardown(() => faulty.end())
  const deps = { pool: faulty, boss, newId, newSalt, now: () => performance.now(), actor: 'worker:test' }
  for (let round = 0; round < 20; round++) {
    const { chunks } = await seedBatch(pool, boss)
    const job = await claim(boss)
    const chunk = await launchChunk(pool, JURISDICTION, chunks[0]?.id ?? '')
    if (!chunk) throw new Error('the chunk is not pending')
    const record = judged(1, `content ${round}`, { naturalKey: `key ${round}` })
    const work = { chunk, job, records: [record], stageMs: {}, stageEnds: [] }
    proxy.cutNextCommit()
    await t.rejects(commitChunk(deps, work), { code: 'DATABASE_UNAVAILABLE' }, 'the outcome is unknown to the worker')
    t.same(await commitChunk(deps, work), { kind: 'gone' }, 'its next try finds the chunk settled')
    const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from record where chunk_id = $1', [
      chunk.id
    ])
    t.equal(rows[0]?.n, 1)
  }
  t.equal(proxy.cuts, 20, 'every round really lost its answer')
})
