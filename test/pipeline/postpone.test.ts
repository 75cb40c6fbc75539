import t from 'tap'
import { AppError } from '../../src/errors.ts'
import type { PipelineDeps } from '../../src/pipeline/work/pipeline-deps.ts'
import type { Processors } from '../../src/pipeline/work/run-chunk-job.ts'
import { runChunkJob } from '../../src/pipeline/work/run-chunk-job.ts'
import { defineProfile } from '../../src/profiles/define-profile.ts'
import { manifestVersion } from '../../src/profiles/manifest-version.ts'
import { STOPPED } from '../../src/queue/slots.ts'
import { claim, seedBatch } from '../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'

function failing(fault: Error): Processors<PipelineDeps> {
  const fail = async (): Promise<never> => {
    throw fault
  }
  return { rows: fail, document: fail }
}

const chunkOf = async (p: TestPipeline) => (await p.pool.query('select state, generation, launches from chunk')).rows[0]

t.test('what this worker cannot do is left to others, later, and does not count against the chunk', async t => {
  for (const code of ['STORE_UNAVAILABLE', 'PROFILE_UNKNOWN'] as const) {
    const p = await testPipeline(t)
    await seedBatch(p.pool, p.deps.boss)
    await runChunkJob(p.deps, failing(new AppError(code, 'x')), await claim(p.deps.boss))
    t.match(await chunkOf(p), { state: 'pending', generation: 2, launches: 0 }, code)
    const { rows } = await p.pool.query<{ wait: number }>(
      `select extract(epoch from start_after - created_on)::int as wait from pgboss.job where name = 'chunk' and state = 'created'`
    )
    t.equal(rows[0]?.wait, 5, 'it is tried again soon')
  }
})

t.test('what was left for later for a day is held: nothing stays pending for ever', async t => {
  const p = await testPipeline(t)
  const { batchId } = await seedBatch(p.pool, p.deps.boss, { chunks: [2] })
  await p.pool.query('update chunk set generation = 1500')
  await runChunkJob(p.deps, failing(new AppError('STORE_UNAVAILABLE', 'x')), await claim(p.deps.boss))
  t.match(await chunkOf(p), { state: 'committed' })
  t.match(await p.records(batchId), [
    { state: 'quarantined', codes: ['INTERNAL_ERROR'] },
    { state: 'quarantined', codes: ['INTERNAL_ERROR'] }
  ])
  t.match((await p.pool.query('select state from batch')).rows, [{ state: 'completed' }])
})

t.test('a worker that is told to stop takes its launch back; one that lost its claim does not', async t => {
  for (const [reason, launches] of [
    [STOPPED, 0],
    [undefined, 1]
  ] as const) {
    const p = await testPipeline(t)
    await seedBatch(p.pool, p.deps.boss)
    const stopping = new AbortController()
    const job = { ...(await claim(p.deps.boss)), signal: stopping.signal }
    const rows: Processors<PipelineDeps>['rows'] = async () => {
      stopping.abort(reason)
      throw new AppError('CLAIM_LOST', 'x')
    }
    await runChunkJob(p.deps, { rows, document: rows }, job)
    t.match(await chunkOf(p), { state: 'pending', generation: 1, launches })
  }
})

t.test('a fault of another kind is left to the attempts of the queue', async t => {
  const p = await testPipeline(t)
  await seedBatch(p.pool, p.deps.boss)
  await t.rejects(runChunkJob(p.deps, failing(new TypeError('x')), await claim(p.deps.boss)), TypeError)
  t.match(await chunkOf(p), { state: 'pending', generation: 1, launches: 1 })
})

t.test('records say the version they were judged under, not the one their batch was taken in with', async t => {
  const p = await testPipeline(t)
  const { id } = await p.submit([
    { name: 'a.csv', bytes: 'permit_number,parcel_id,permit_type,valuation\nMV-1,22-1,roof,1.00\n', type: 'text/csv' }
  ])
  const permit = p.deps.profiles.get('permit')
  if (!permit) throw new Error('no permit profile')
  const next = defineProfile({ ...permit, version: permit.version + 1 })
  Object.assign(p.deps, { profiles: new Map([['permit', next]]) })
  p.work()
  await p.finished(id)
  const { rows } = await p.pool.query(
    `select m.version as record, t.manifest_version as entry
     from record r join manifest m on m.number = r.manifest join audit_transition t on t.subject_id = r.id and t.transition = 'accepted'`
  )
  t.same(rows, [{ record: manifestVersion(next), entry: manifestVersion(next) }])
})
