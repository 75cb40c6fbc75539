import t from 'tap'
import { createPool } from '../../../src/db/pool.ts'
import { runSplitJob } from '../../../src/pipeline/split/run-split-job.ts'
import { claim } from '../../helpers/factory.ts'
import { testPipeline } from '../../helpers/pipeline.ts'
import { startTcpProxy } from '../../helpers/tcp-proxy.ts'
import { makeZip } from '../../media/zip-builder.ts'

t.test('files whose recording was committed without an answer keep their payloads', async t => {
  const p = await testPipeline(t)
  const proxy = await startTcpProxy(t, new URL(p.url))
  const through = new URL(p.url)
  through.port = String(proxy.port)
  const faulty = createPool({ url: through.href, max: 2, applicationName: 'late', onError: () => undefined })
  t.teardown(() => faulty.end())
  const csv = 'permit_number,parcel_id,permit_type,valuation\nZ-1,22-1,roof,1.00\n'
  const bytes = makeZip([{ name: 'a.csv', content: Buffer.from(csv) }])
  const { id } = await p.submit([{ name: 'a.zip', bytes, type: 'application/zip' }])
  const job = await claim(p.deps.boss, 'split')
  proxy.cutNextCommit()
  await runSplitJob({ ...p.deps, pool: faulty }, job)
  t.equal(proxy.cuts, 1)
  t.equal((await p.pool.query('select 1 from file where archive_id is not null')).rowCount, 1, 'it was committed')
  p.work()
  await p.finished(id)
  t.match(await p.records(id), [{ state: 'accepted', codes: [] }])
})
