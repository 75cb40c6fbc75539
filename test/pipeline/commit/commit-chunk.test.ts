import t from 'tap'
import type { Pool } from '../../../src/db/pool.ts'
import { launchChunk } from '../../../src/db/work/chunks.ts'
import { newId, newSalt } from '../../../src/model/ids.ts'
import { reasonOf } from '../../../src/model/reasons.ts'
import { commitChunk } from '../../../src/pipeline/commit/commit-chunk.ts'
import { commitStorable } from '../../../src/pipeline/commit/commit-storable.ts'
import { completeBatch } from '../../../src/pipeline/commit/complete-batch.ts'
import type { CommitDeps } from '../../../src/pipeline/commit/end-chunk.ts'
import type { JudgedRecord } from '../../../src/pipeline/commit/judged-record.ts'
import type { ClaimedJob } from '../../../src/queue/slots.ts'
import { testDatabase } from '../../helpers/database.ts'
import { claim, JURISDICTION, judged, seedBatch, sha, testBoss } from '../../helpers/factory.ts'
import { until } from '../../helpers/worker-process.ts'

async function setup(t: Parameters<typeof testDatabase>[0]) {
  const { pool, url } = await testDatabase(t)
  const boss = await testBoss(t, url)
  const deps: CommitDeps = { pool, boss, newId, newSalt, now: () => performance.now(), actor: 'worker:test' }
  const work = async (job: ClaimedJob, records: readonly JudgedRecord[]) => {
    const chunk = await launchChunk(pool, JURISDICTION, job.data.subject)
    if (!chunk) throw new Error('the chunk is not pending')
    return { chunk, job, records, stageMs: { read: 1 }, stageEnds: [['extracted', performance.now()]] as const }
  }
  return { pool, boss, deps, work }
}

const count = async (pool: Pool, table: string): Promise<number> =>
  (await pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? -1

const heads = async (pool: Pool) =>
  (
    await pool.query(
      `select h.natural_key, h.version, h.last_version, c.content ->> 'submission_id' as content
       from current_version h join canonical_record c using (jurisdiction, profile, natural_key, version) order by 1`
    )
  ).rows

t.test('records, versions, heads, audit, counts and the job become durable together', async t => {
  const { pool, boss, deps, work } = await setup(t)
  const { batchId, chunks } = await seedBatch(pool, boss, { chunks: [3] })
  const outcome = await commitChunk(
    deps,
    await work(await claim(boss), [
      judged(1, 'A'),
      judged(2, 'B', { state: 'quarantined', reasons: [reasonOf('FIELD_MISSING', { field: 'parcel_id' })] }),
      judged(3, 'C', { state: 'rejected', naturalKey: null, reasons: [reasonOf('FILE_EMPTY')] })
    ])
  )
  t.same(outcome, { kind: 'committed', counts: { accepted: 1, duplicate: 0, quarantined: 1, rejected: 1 } })
  t.equal(await count(pool, 'record'), 3)
  t.equal(await count(pool, 'canonical_record'), 1)
  t.equal(await count(pool, 'audit_trail'), 5, 'batch, file and three records')
  t.equal(await count(pool, 'audit_commit'), 2)
  t.match((await pool.query('select state, accepted, quarantined, rejected from chunk')).rows, [
    { state: 'committed', accepted: 1, quarantined: 1, rejected: 1 }
  ])
  t.match((await pool.query(`select state from pgboss.job where name = 'chunk'`)).rows, [{ state: 'completed' }])
  const { rows } = await pool.query<{ state: string; transitions: string[]; first: string }>(
    `select r.state, array_agg(t.transition order by t.step) as transitions, min(t.at)::text as first
     from record r join audit_transition t on t.subject_id = r.id group by r.id, r.state order by r.state`
  )
  t.same(
    rows.map(row => row.transitions),
    ['accepted', 'quarantined', 'rejected'].map(end => ['received', 'chunked', 'extracted', end])
  )
  t.equal(await completeBatch(deps, JURISDICTION, batchId), true)
  t.equal(await completeBatch(deps, JURISDICTION, batchId), false, 'only once')
  t.equal(chunks.length, 1)
})

t.test('a stale claim rolls everything back', async t => {
  const { pool, boss, deps, work } = await setup(t)
  await seedBatch(pool, boss)
  const job = await claim(boss)
  const stale = { ...job, attempt: { ...job.attempt, retryCount: 7 } }
  await t.rejects(commitChunk(deps, await work(stale, [judged(1, 'A')])), { code: 'CLAIM_LOST' })
  t.equal(await count(pool, 'record'), 0)
  t.equal(await count(pool, 'current_version'), 0)
  t.match((await commitChunk(deps, await work(job, [judged(1, 'A')]))).kind, 'committed')
})

t.test('two live jobs for one chunk: one commits, the other changes nothing', async t => {
  const { pool, boss, deps, work } = await setup(t)
  const { chunks } = await seedBatch(pool, boss)
  await pool.query(
    `insert into pgboss.job (id, name, data, policy) select gen_random_uuid(), name, data, policy from pgboss.job where name = 'chunk'`
  )
  const jobs = [await claim(boss), await claim(boss)]
  const works = [
    await work(jobs[0] as ClaimedJob, [judged(1, 'A')]),
    await work(jobs[1] as ClaimedJob, [judged(1, 'A')])
  ]
  const outcomes = await Promise.all(works.map(one => commitChunk(deps, one)))
  t.same(outcomes.map(outcome => outcome.kind).toSorted(), ['committed', 'gone'])
  t.equal(await count(pool, 'record'), 1)
  t.equal(chunks.length, 1)
})

t.test('cancel and commit: whoever is first wins, the other changes nothing', async t => {
  const { pool, boss, deps, work } = await setup(t)
  for (let round = 0; round < 10; round++) {
    const { chunks } = await seedBatch(pool, boss)
    const ready = await work(await claim(boss), [judged(1, `A${round}`, { naturalKey: `k${round}` })])
    const cancel = pool.query(`update chunk set state = 'cancelled' where id = $1 and state = 'pending'`, [
      chunks[0]?.id
    ])
    const [outcome, cancelled] = await Promise.all([commitChunk(deps, ready), cancel])
    t.equal(outcome.kind === 'committed', cancelled.rowCount === 0, 'exactly one of them')
    const { rows } = await pool.query('select count(*)::int as n from record where chunk_id = $1', [chunks[0]?.id])
    t.equal(rows[0]?.n, outcome.kind === 'committed' ? 1 : 0)
  }
})

t.test('the same bytes twice at the same time: one version, one duplicate', async t => {
  const { pool, boss, deps, work } = await setup(t)
  await seedBatch(pool, boss)
  await seedBatch(pool, boss)
  const works = [await work(await claim(boss), [judged(1, 'A')]), await work(await claim(boss), [judged(1, 'A')])]
  const outcomes = await Promise.all(works.map(one => commitChunk(deps, one)))
  t.equal(outcomes.filter(one => one.kind === 'committed' && one.counts.duplicate === 1).length, 1)
  t.equal(outcomes.filter(one => one.kind === 'committed' && one.counts.accepted === 1).length, 1)
  t.same(await heads(pool), [{ natural_key: 'permit-1', version: 1, last_version: 1, content: 'A' }])
})

t.test('two sets that bring the same key twice each at once: both commit', async t => {
  const { pool, boss, deps, work } = await setup(t)
  const blocker = await pool.connect()
  t.teardown(() => blocker.release())
  await seedBatch(pool, boss, { chunks: [2] })
  await seedBatch(pool, boss, { chunks: [2] })
  const twice = (name: string) => [
    judged(1, `${name}1`, { naturalKey: 'same' }),
    judged(2, `${name}2`, { naturalKey: 'same' })
  ]
  const works = [await work(await claim(boss), twice('A')), await work(await claim(boss), twice('B'))]
  await blocker.query('begin')
  await blocker.query('lock table canonical_head in share mode')
  const outcomes = Promise.all(works.map(one => commitChunk(deps, one)))
  await until(async () => {
    const { rowCount } = await blocker.query(
      `select 1 from pg_locks where not granted and relation = 'canonical_head'::regclass`
    )
    return rowCount === 2
  })
  await blocker.query('rollback')
  for (const outcome of await outcomes) t.match(outcome, { kind: 'committed', counts: { accepted: 2 } })
  t.match(await heads(pool), [{ natural_key: 'same', last_version: 4, content: 'B2' }])
})

t.test('A then B then A again in later batches: three versions, the head is A', async t => {
  const { pool, boss, deps, work } = await setup(t)
  for (const content of ['A', 'B', 'A']) {
    await seedBatch(pool, boss)
    await commitChunk(deps, await work(await claim(boss), [judged(1, content)]))
  }
  t.same(await heads(pool), [{ natural_key: 'permit-1', version: 3, last_version: 3, content: 'A' }])
})

t.test('chunks committed out of order: the head is the latest place', async t => {
  const { pool, boss, deps, work } = await setup(t)
  await seedBatch(pool, boss, { chunks: [1, 1, 1] })
  const jobs = [await claim(boss), await claim(boss), await claim(boss)]
  const works = await Promise.all(jobs.map(job => work(job, [])))
  works.sort((a, b) => b.chunk.firstItem - a.chunk.firstItem)
  for (const one of works) {
    const item = one.chunk.firstItem
    await commitChunk(deps, { ...one, records: [judged(item, `content ${item}`, { naturalKey: 'same' })] })
  }
  t.same(await heads(pool), [{ natural_key: 'same', version: 1, last_version: 3, content: 'content 3' }])
})

t.test('the last two chunks finishing together complete their batch once', async t => {
  const { pool, boss, deps, work } = await setup(t)
  for (let round = 0; round < 5; round++) {
    const { batchId } = await seedBatch(pool, boss, { chunks: [1, 1] })
    const works = [await work(await claim(boss), []), await work(await claim(boss), [])]
    const finish = async (one: (typeof works)[number]) => {
      const item = one.chunk.firstItem
      await commitChunk(deps, {
        ...one,
        records: [judged(item, `${round}/${item}`, { naturalKey: `${round}/${item}` })]
      })
      return completeBatch(deps, JURISDICTION, batchId)
    }
    const done = await Promise.all(works.map(finish))
    t.ok(done.filter(Boolean).length <= 1, 'at most one closes it')
    await completeBatch(deps, JURISDICTION, batchId)
    const { rows } = await pool.query('select state, audit_seq from batch where id = $1', [batchId])
    t.same(rows, [{ state: 'completed', audit_seq: 2 }])
  }
})

t.test('content that is held already: the second follows the first', async t => {
  const { pool, boss, deps, work } = await setup(t)
  const held = { state: 'quarantined', reasons: [reasonOf('FIELD_MISSING')] } as const
  await seedBatch(pool, boss, { chunks: [2] })
  await commitChunk(deps, await work(await claim(boss), [judged(1, 'A', held), judged(2, 'A', held)]))
  await seedBatch(pool, boss)
  await commitChunk(deps, await work(await claim(boss), [judged(1, 'A', held)]))
  const { rows } = await pool.query<{ id: string; duplicate_of: string | null; code: string }>(
    `select id, duplicate_of, reasons -> -1 ->> 'code' as code from record order by batch_id, item`
  )
  t.equal(rows[0]?.duplicate_of, null)
  t.match(rows.slice(1), [
    { duplicate_of: rows[0]?.id, code: 'DUPLICATE_RECORD' },
    { duplicate_of: rows[0]?.id, code: 'DUPLICATE_RECORD' }
  ])
})

t.test('a twin that comes and is decided beside a claim leaves no held record that nobody speaks for', async t => {
  const { pool, boss, deps, work } = await setup(t)
  await seedBatch(pool, boss)
  // Stand for another commit and the decision about its record, just before and just after the first claim of this one.
  await pool.query(`
    create sequence claims;
    create function twin_comes() returns trigger language plpgsql as $$ begin
      if pg_trigger_depth() = 1 and nextval('claims') = 1 then
        insert into held_content values ('${JURISDICTION}', '\\x${sha('A')}', gen_random_uuid());
      end if;
      return null;
    end $$;
    create function twin_goes() returns trigger language plpgsql as $$ begin
      if pg_trigger_depth() = 1 and currval('claims') = 1 then delete from held_content; end if;
      return null;
    end $$;
    create trigger comes before insert on held_content for each statement execute function twin_comes();
    create trigger goes after insert on held_content for each statement execute function twin_goes()`)
  const held = judged(1, 'A', { state: 'quarantined', reasons: [reasonOf('FIELD_MISSING')] })
  await commitChunk(deps, await work(await claim(boss), [held]))
  const { rows } = await pool.query(
    `select r.duplicate_of, h.record_id = r.id as speaks from record r left join held_content h using (idempotency_key)`
  )
  t.same(rows, [{ duplicate_of: null, speaks: true }])
})

t.test('a value the database refuses holds its record, never the neighbours', async t => {
  const { pool, boss, deps, work } = await setup(t)
  await seedBatch(pool, boss, { chunks: [40] })
  const records = Array.from({ length: 40 }, (_, i) => judged(i + 1, `row ${i + 1}`))
  records[17] = judged(18, 'row 18', { content: { text: 'a\u0000b' } })
  records[31] = judged(32, 'row 32', { fields: { x: '\ud800' } })
  const outcome = await commitStorable(deps, await work(await claim(boss), records))
  t.match(outcome, { counts: { accepted: 38, quarantined: 2 } })
  t.same(
    (
      await pool.query(
        `select item, reasons -> 0 ->> 'code' as code from record where state = 'quarantined' order by item`
      )
    ).rows,
    [18, 32].map(item => ({ item, code: 'VALUE_NOT_STORABLE' }))
  )
})

t.test('audit entries cannot be changed or deleted, and their hash is over their bytes', async t => {
  const { pool, boss, deps, work } = await setup(t)
  await seedBatch(pool, boss)
  await commitChunk(deps, await work(await claim(boss), [judged(1, 'A')]))
  for (const statement of [
    `update audit_entry set hash = '\\x00'`,
    'delete from audit_entry',
    'truncate audit_entry',
    `update audit_page set codes = '{x}'`,
    'delete from audit_page',
    'truncate audit_page',
    'update audit_commit set entries = 99',
    'delete from audit_commit',
    'truncate audit_commit',
    'delete from canonical_record'
  ]) {
    await t.rejects(pool.query(statement), { code: '42501' }, statement)
  }
  const { rows } = await pool.query<{ hash: Buffer; text: string }>(
    `select a.hash, convert_from(a.entry, 'UTF8') as text from audit_trail a join record r on r.id = a.subject_id and r.audit_hash = a.hash`
  )
  t.equal(rows.length, 1)
  t.equal(rows[0]?.hash.toString('hex'), sha(rows[0]?.text ?? ''))
  const entry = JSON.parse(rows[0]?.text ?? '{}') as Record<string, unknown>
  t.same(Object.keys(entry), Object.keys(entry).toSorted(), 'members stand in canonical order')
  t.match(entry, { actor: 'worker:test', kind: 'record', seq: 1, manifest: 'permit@1+00000000', reasons: [] })
})
