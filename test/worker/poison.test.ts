import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createLogger } from '../../src/logger.ts'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'
import { spawnWorker } from '../helpers/worker-process.ts'

const csv = (rows: readonly string[]): string => `permit_number,parcel_id,permit_type,valuation\n${rows.join('\n')}\n`
const row = (n: number): string => `PP-${n},22-${n},roof,${n}.00`

/** Lets the claims of a dead worker run out at once: the test does not wait for clocks. */
const expireClaims = (p: TestPipeline): Promise<unknown> =>
  p.pool.query(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`)

/** Makes delayed retries due. */
const hurryRetries = (p: TestPipeline): Promise<unknown> =>
  p.pool.query(`update pgboss.job set start_after = now() where state = 'retry' and start_after > now()`)

/** Everything the worker in this process logs of chunks, by its message. */
function logOf(p: TestPipeline): () => Record<string, unknown>[] {
  let text = ''
  const logger = createLogger({ component: 'test', destination: { write: line => void (text += line) } })
  Object.assign(p.deps, { logger })
  return () =>
    text
      .split('\n')
      .filter(line => line.includes('"chunk_id"'))
      .map(line => JSON.parse(line) as Record<string, unknown>)
}

/** A profile with a rule that ends the process at one record, as a fault in native code would. */
async function deadlyProfile(t: Test): Promise<string> {
  const profiles = await mkdtemp(join(tmpdir(), 'docket-profiles-'))
  t.teardown(() => rm(profiles, { recursive: true, force: true }))
  await writeFile(
    join(profiles, 'deadly.mjs'),
    `export const profile = {
      name: 'deadly', version: 1, title: 'Deadly',
      fields: { number: { type: 'identifier', title: 'Number', pii: 'P0', required: true } },
      naturalKey: ['number'],
      rules: [{ name: 'deadly', version: 1, check: view => {
        if (view.fields.number?.value === 'KILL') process.kill(process.pid, 'SIGKILL')
        return []
      } }],
      gate: { threshold: 0.8 }
    }`
  )
  return profiles
}

t.test('a chunk that was started three times without an end is cut in two', async t => {
  const p = await testPipeline(t)
  const rows = Array.from({ length: 21 }, (_, i) => row(i + 1))
  const { id } = await p.submit([{ name: 'p.csv', bytes: csv(rows), type: 'text/csv' }])
  await p.pool.query('update chunk set launches = 3')
  const log = logOf(p)
  p.work()
  await p.finished(id)
  t.match(
    log().map(({ msg, records, chunks, accepted, launches }) => ({ msg, records, chunks, accepted, launches })),
    [
      { msg: 'chunk cut in two', records: 21, chunks: 2, launches: 4 },
      { msg: 'chunk committed', accepted: /1[01]/, launches: 1 },
      { msg: 'chunk committed', accepted: /1[01]/, launches: 1 }
    ],
    'one line for every chunk'
  )
  const { rows: chunks } = await p.pool.query(
    'select first_item, record_count, accepted from chunk order by first_item'
  )
  t.same(chunks, [
    { first_item: 1, record_count: 11, accepted: 11 },
    { first_item: 12, record_count: 10, accepted: 10 }
  ])
  const records = await p.records(id)
  t.same(
    records.map(record => record.line),
    rows.map((_, i) => i + 2)
  )
})

/** Enters workers that gave their last sign some minutes ago and were never taken off the list. */
const endWorkers = (p: TestPipeline, count: number): Promise<unknown> =>
  p.pool.query(
    `insert into worker (id, host, seen_at)
     select gen_random_uuid(), 'gone', now() - interval '3 minutes' from generate_series(1, $1)`,
    [count]
  )

t.test('a chunk is not held for workers that die of something else, unless it never ends', async t => {
  for (const [ended, before, codes, launches] of [
    [18, 3, ['PROCESSING_CRASH'], 4],
    [19, 3, [], 4],
    [43, 8, ['PROCESSING_CRASH'], 9],
    [42, 7, ['PROCESSING_CRASH'], 8],
    [43, 7, [], 8]
  ] as const) {
    const p = await testPipeline(t)
    await endWorkers(p, ended)
    const { id } = await p.submit([{ name: 'p.csv', bytes: csv([row(1)]), type: 'text/csv' }])
    await p.pool.query('update chunk set launches = $1', [before])
    p.work()
    await p.finished(id)
    const name = `${ended} ended, ${before} launches`
    t.match(await p.records(id), [{ state: codes.length === 0 ? 'accepted' : 'quarantined', codes }], name)
    t.same((await p.pool.query('select launches from chunk')).rows, [{ launches }], name)
  }
})

t.test('a record that kills its worker is held alone; its neighbour goes through', async t => {
  const profiles = await deadlyProfile(t)
  const submitter = await testPipeline(t, { DOCKET_PROFILES: profiles })
  const { id } = await submitter.submit(
    [{ name: 'd.csv', bytes: 'number,note\nGOOD-1,a\nKILL,b\n', type: 'text/csv' }],
    {
      profile: 'deadly'
    }
  )
  let launches = 0
  const done = submitter.finished(id)
  const isOver = async (): Promise<boolean> =>
    (await submitter.pool.query(`select 1 from batch where state = 'completed'`)).rowCount === 1
  while (!(await isOver())) {
    const worker = spawnWorker(t, {
      url: submitter.url,
      folder: submitter.folder,
      extra: { DOCKET_PROFILES: profiles }
    })
    launches += 1
    const hurrying = setInterval(() => void hurryRetries(submitter).catch(() => undefined), 300)
    await Promise.race([worker.exited, done])
    clearInterval(hurrying)
    worker.kill('SIGKILL')
    await worker.exited
    await expireClaims(submitter)
  }
  t.match(await submitter.records(id), [
    { item: 1, state: 'accepted' },
    { item: 2, state: 'quarantined', codes: ['PROCESSING_CRASH'] }
  ])
  t.ok(launches <= 9, `${launches} workers were needed`)
})

t.test('lost payload bytes hold their records with a reason, at once', async t => {
  const p = await testPipeline(t)
  const { id } = await p.submit([{ name: 'p.csv', bytes: csv([row(1), row(2)]), type: 'text/csv' }])
  await rm(join(p.config.payloadFolder, '53033'), { recursive: true })
  p.work()
  await p.finished(id)
  t.match(await p.records(id), [
    { state: 'quarantined', codes: ['PAYLOAD_DAMAGED'] },
    { state: 'quarantined', codes: ['PAYLOAD_DAMAGED'] }
  ])
})

t.test('what reaches the dead letters is settled: no chunk stays pending, no file unsplit', async t => {
  const p = await testPipeline(t)
  const document = await p.submit([{ name: 'a.txt', bytes: 'LEASE\nTenant: A', type: 'text/plain' }], {
    profile: 'lease'
  })
  const large = csv(Array.from({ length: 20_000 }, (_, i) => row(i)))
  const data = await p.submit([{ name: 'big.csv', bytes: large, type: 'text/csv' }])
  const { rows: subjects } = await p.pool.query<{ id: string; queue: string }>(
    `select id, 'document' as queue from chunk where batch_id = $1 union all select id, 'split' from file where batch_id = $2`,
    [document.id, data.id]
  )
  t.equal(subjects.length, 2)
  await p.pool.query(`delete from pgboss.job`)
  for (const { id } of subjects) await p.deps.boss.send('dead', { jurisdiction: '53033', subject: id, generation: 1 })
  const log = logOf(p)
  p.work()
  await Promise.all([p.finished(document.id), p.finished(data.id)])
  t.match(await p.records(document.id), [{ state: 'quarantined', codes: ['INTERNAL_ERROR'] }])
  t.match(
    log().filter(line => line['batch_id'] === document.id),
    [{ msg: 'chunk committed', quarantined: 1, accepted: 0 }]
  )
  t.match(await p.records(data.id), [{ state: 'quarantined', codes: ['INTERNAL_ERROR'], item: 0 }])
})

t.test('rows that were found before a split was given up are held, and all of them are counted', async t => {
  const p = await testPipeline(t)
  const { id } = await p.submit([{ name: 'p.csv', bytes: csv([row(1), row(2), row(3)]), type: 'text/csv' }])
  await p.pool.query('update file set format = null')
  p.work()
  await p.finished(id)
  t.match(
    await p.records(id),
    [1, 2, 3].map(() => ({ state: 'quarantined', codes: ['INTERNAL_ERROR'] }))
  )
  t.match((await p.pool.query('select launches, quarantined from chunk')).rows, [{ launches: 1, quarantined: 3 }])
})

t.test('a chunk whose file has changed is not cut into other counts, but held whole', async t => {
  const p = await testPipeline(t)
  const { id } = await p.submit([{ name: 'p.csv', bytes: csv([row(1), row(2), row(3), row(4)]), type: 'text/csv' }])
  await p.pool.query('update chunk set launches = 3, record_count = 5')
  p.work()
  await p.finished(id)
  t.match(
    await p.records(id),
    [1, 2, 3, 4, 5].map(() => ({ state: 'quarantined', codes: ['PROCESSING_CRASH'] }))
  )
})

t.test('a record that one of our steps fails on is held with a diagnostic that quotes nothing', async t => {
  const p = await testPipeline(t)
  const profile = p.deps.profiles.get('permit')
  if (!profile) throw new Error('no permit profile')
  const failing = {
    ...profile,
    rules: [
      {
        name: 'fails',
        version: 1,
        check: (view: { fields: Record<string, { value: unknown } | undefined> }) => {
          if (view.fields['submission_id']?.value === 'PP-2') throw new TypeError('secret PP-2')
          return []
        }
      }
    ]
  }
  Object.assign(p.deps, { profiles: new Map([['permit', failing as never]]) })
  const { id } = await p.submit([{ name: 'p.csv', bytes: csv([row(1), row(2), row(3)]), type: 'text/csv' }])
  p.work()
  await p.finished(id)
  const records = await p.records(id)
  t.match(records, [
    { state: 'accepted' },
    {
      state: 'quarantined',
      codes: ['INTERNAL_ERROR'],
      diagnostic: { stage: 'validated', code: 'INTERNAL', name: 'TypeError' }
    },
    { state: 'accepted' }
  ])
  t.notMatch(JSON.stringify(records[1]?.diagnostic), /secret|PP-2/)
})
