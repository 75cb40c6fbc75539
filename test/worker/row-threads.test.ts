import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { STOPPED } from '../../src/queue/slots.ts'
import { createPlaces } from '../../src/registries/limits/places.ts'
import type { RegistryNews } from '../../src/worker/registry-meters.ts'
import { type RowThreads, startRowThreads } from '../../src/worker/threads/row-threads.ts'
import { claim, JURISDICTION, silent } from '../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../helpers/pipeline.ts'

const csv = (name: string, rows: number): string =>
  `permit_number,parcel_id,permit_type,valuation\n${Array.from({ length: rows }, (_, i) => `${name}-${i},22-${i},roof,${i + 1}.00`).join('\n')}\n`

/** A profile whose rule does what its record says to the thread that judges it. */
async function roguish(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'docket-profiles-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  await writeFile(
    join(folder, 'rogue.mjs'),
    `export const profile = {
      name: 'rogue', version: 1, title: 'Rogue',
      fields: { number: { type: 'identifier', title: 'Number', pii: 'P0', required: true } },
      naturalKey: ['number'],
      rules: [{ name: 'rogue', version: 1, check: view => {
        if (view.fields.number?.value === 'EXIT') process.exit(3)
        if (view.fields.number?.value === 'SPIN') for (;;);
        return []
      } }],
      gate: { threshold: 0.8 }
    }`
  )
  return folder
}

async function threadsOf(t: Test, p: TestPipeline, count = 2, silenceMs = 60_000) {
  let died: () => void = () => undefined
  const death = new Promise<void>(resolve => {
    died = resolve
  })
  const waits: number[] = []
  const registryNews: RegistryNews[] = []
  const threads = await startRowThreads(count, {
    config: { ...p.config, databaseUrl: p.url, logLevel: 'silent' },
    workerId: 'test',
    tempFolder: p.deps.tempFolder,
    slots: 2,
    places: createPlaces(),
    logger: silent,
    silenceMs,
    onWait: waited => waits.push(waited),
    onRegistry: news => registryNews.push(news),
    onDeath: () => died()
  })
  t.teardown(() => threads.close())
  return { threads, death, waits, registryNews }
}

const take = async (p: TestPipeline, threads: RowThreads) => threads.run(await claim(p.deps.boss))

t.test('chunks of rows are worked side by side, and what their pools and registries do is told', async t => {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '5' })
  await p.pool.query(
    `insert into registry_parcel (jurisdiction, parcel_id) select $1, '22-' || n from generate_series(0, 20) n`,
    [JURISDICTION]
  )
  const { threads, waits, registryNews } = await threadsOf(t, p)
  const { id } = await p.submit([{ name: 'p.csv', bytes: csv('TH', 20), type: 'text/csv' }])
  await Promise.all(Array.from({ length: 4 }, () => take(p, threads)))
  t.match((await p.pool.query('select state from batch where id = $1', [id])).rows, [{ state: 'completed' }])
  t.equal((await p.records(id)).filter(record => record.state === 'accepted').length, 20)
  t.match(registryNews[0], { kind: 'call', registry: 'parcel', adapter: 'table', outcome: 'ok' })
  t.equal(registryNews.length, 4)
  t.ok(waits.length >= 4 && waits.every(seconds => seconds >= 0))
  t.ok(
    threads.pools().every(counts => counts.totalCount > 0),
    'both threads had work'
  )
})

t.test('a fault of a thread comes back with its code and without its message', async t => {
  const p = await testPipeline(t)
  const { threads } = await threadsOf(t, p, 1)
  await p.submit([{ name: 'p.csv', bytes: csv('FT', 1), type: 'text/csv' }])
  const job = await claim(p.deps.boss)
  await p.pool.query('alter table record add constraint none check (false) not valid')
  await t.rejects(threads.run(job), { message: 'A chunk failed in its thread.', code: /^[A-Z_]+$/ })
  await p.pool.query('alter table record drop constraint none')
  t.equal(await threads.run(job), 'settled', 'the thread goes on')
})

t.test('a job whose worker stops is let go of, and its start not counted', async t => {
  const p = await testPipeline(t)
  const { threads } = await threadsOf(t, p, 1)
  await p.submit([{ name: 'p.csv', bytes: csv('ST', 1), type: 'text/csv' }])
  const abort = new AbortController()
  const job = await claim(p.deps.boss)
  const bar = await p.pool.connect()
  await bar.query('begin; lock table record in access exclusive mode')
  const running = threads.run({ ...job, signal: abort.signal })
  await p.deps.boss.fail('chunk', job.attempt, { code: 'WORKER_STOPPED' })
  abort.abort(STOPPED)
  await bar.query('commit')
  bar.release()
  t.equal(await running, 'settled')
  t.match((await p.pool.query('select state, launches from chunk')).rows, [{ state: 'pending', launches: 0 }])
})

for (const [number, what, silenceMs] of [
  ['EXIT', 'ends', 60_000],
  ['SPIN', 'no longer answers', 5000]
] as const) {
  t.test(`a thread that ${what} by what it judges is told of`, async t => {
    const p = await testPipeline(t, { DOCKET_PROFILES: await roguish(t) })
    const { threads, death } = await threadsOf(t, p, 2, silenceMs)
    await p.submit([{ name: 'r.csv', bytes: `number\n${number}\n`, type: 'text/csv' }], { profile: 'rogue' })
    void take(p, threads).catch(() => undefined)
    await death
    t.match((await p.pool.query('select state, launches from chunk')).rows, [{ state: 'pending', launches: 1 }])
  })
}
