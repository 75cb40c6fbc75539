import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import { testPipeline } from '../../helpers/pipeline.ts'

const SAMPLES = join(import.meta.dirname, '../../../samples/permits')
const sample = async (name: string) => ({ name, bytes: await readFile(join(SAMPLES, name)), type: 'text/csv' })

t.test('a deployment at work verifies at every moment, and when it is done', async t => {
  const pipeline = await testPipeline(t)
  const { pool, deps } = pipeline
  const { store } = deps
  const files = ['king-blds.csv', 'king-empty.csv', 'king-blds-later.csv', 'voice-message.wav']
  const batches = []
  for (const name of files) batches.push(await pipeline.submit([await sample(name)]))
  batches.push(await pipeline.submit(await Promise.all(files.map(sample))))
  pipeline.work()
  const openBatches = async (): Promise<number> =>
    (await pool.query<{ n: number }>(`select count(*) as n from batch where state in ('queued', 'processing')`)).rows[0]
      ?.n ?? 0
  do t.same((await verify({ pool, store })).offenders, [])
  while ((await openBatches()) > 0)
  for (const { id } of batches) await pipeline.finished(id)
  const report = await verify({ pool, store, payloads: true })
  t.same(report.offenders, [])
  t.ok(report.checked.records > 10, `${report.checked.records} records`)
  t.equal(report.checked.payloads, 8)
})
