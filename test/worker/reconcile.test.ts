import t from 'tap'
import { closeBatches } from '../../src/worker/maintenance/close-batches.ts'
import { reconcile } from '../../src/worker/maintenance/reconcile.ts'
import { testPipeline } from '../helpers/pipeline.ts'

const csv = (rows: number): string =>
  `permit_number,parcel_id,permit_type,valuation\n${Array.from({ length: rows }, (_, i) => `RC-${i},22-${i},roof,1.00`).join('\n')}\n`

t.test('chunks, documents and splits whose jobs vanished get new ones, once', async t => {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '10' })
  const batches = [
    await p.submit([{ name: 'a.csv', bytes: csv(1000), type: 'text/csv' }]),
    await p.submit([{ name: 'b.csv', bytes: csv(20_000), type: 'text/csv' }]),
    await p.submit([{ name: 'c.txt', bytes: 'LEASE AGREEMENT', type: 'text/plain' }], { profile: 'lease' })
  ]
  t.equal(await reconcile(p.deps), 0, 'everything has a live job')
  await p.pool.query('delete from pgboss.job')
  t.equal(await reconcile(p.deps), 64 + 1 + 1)
  t.equal(await reconcile(p.deps), 0, 'and not again')
  await p.pool.query('delete from pgboss.job')
  await p.pool.query('update chunk set generation = 0 where generation > 0')
  t.ok((await reconcile(p.deps)) >= 64, 'a file whose whole window is lost is fed again')
  p.work()
  await p.finished(batches[0]?.id ?? '')
  const { rows } = await p.pool.query<{ n: number }>(`select count(*)::int as n from record where batch_id = $1`, [
    batches[0]?.id
  ])
  t.equal(rows[0]?.n, 1000)
})

t.test('a batch that was left open by a dead worker is completed once', async t => {
  const p = await testPipeline(t)
  const { id } = await p.submit([{ name: 'a.csv', bytes: csv(1), type: 'text/csv' }])
  await p.pool.query(`update chunk set state = 'committed', accepted = 1`)
  t.equal(await closeBatches(p.deps), 1)
  t.equal(await closeBatches(p.deps), 0)
  t.match((await p.pool.query('select state, audit_seq from batch where id = $1', [id])).rows, [
    { state: 'completed', audit_seq: 2 }
  ])
})
