import t from 'tap'
import { reviewActions } from '../../src/api/review-actions.ts'
import type { Pool } from '../../src/db/pool.ts'
import { JURISDICTION } from '../helpers/factory.ts'
import { testPipeline } from '../helpers/pipeline.ts'

/** A pool with all of its connections in use, of which one commits and loses the answer. */
function losingAnswers(pool: Pool): Pool {
  const connect = async () => {
    const client = await pool.connect()
    const query = async (...work: Parameters<typeof client.query>): Promise<unknown> => {
      const answer = await (client.query as (...all: unknown[]) => Promise<unknown>)(...work)
      if (work[0] === 'commit') throw new Error('Query read timeout')
      return answer
    }
    return {
      query,
      on: client.on.bind(client),
      off: client.off.bind(client),
      release: (error?: Error) => client.release(error)
    }
  }
  return { options: { max: 1 }, totalCount: 1, idleCount: 0, connect } as unknown as Pool
}

t.test('who lost the answer of a commit is not told that nothing was changed', async t => {
  const p = await testPipeline(t)
  const { id } = await p.submit([{ name: 'a.csv', bytes: 'permit_number,parcel_id\nA,1\n', type: 'text/csv' }])
  const review = reviewActions({ ...p.deps, pool: losingAnswers(p.pool), today: () => '2026-01-01' })
  const work = { jurisdiction: JURISDICTION, batchId: id, actor: 'key:clerk' }
  await t.rejects(review.cancelBatch(work), { code: 'DATABASE_UNAVAILABLE' })
  const { rows } = await p.pool.query('select state from batch where id = $1', [id])
  t.same(rows, [{ state: 'cancelled' }], 'it was carried out')
})

t.test('who waited for a connection in vain is told so', async t => {
  const p = await testPipeline(t)
  const connect = () => Promise.reject(new Error('timeout exceeded when trying to connect'))
  const full = { options: { max: 1 }, totalCount: 1, idleCount: 0, connect } as unknown as Pool
  const review = reviewActions({ ...p.deps, pool: full, today: () => '2026-01-01' })
  const work = { jurisdiction: JURISDICTION, batchId: p.deps.newId(), actor: 'key:clerk' }
  await t.rejects(review.cancelBatch(work), { code: 'CHANGE_IN_PROGRESS' })
})
