import { test } from 'tap'
import type { Pool } from '../../../../src/db/pool.ts'
import { foldOutcomes, sumOutcomes } from '../../../../src/db/reads/outcome-sums.ts'
import { rejectRecord, releaseRecord } from '../../../../src/review/decide.ts'
import { JURISDICTION } from '../../../helpers/factory.ts'
import { testPipeline } from '../../../helpers/pipeline.ts'

const HEADER = 'permit_number,parcel_id,permit_type,issued_date,valuation'

/** What all chunks say, read from end to end. */
async function wholeSum(pool: Pool): Promise<unknown> {
  const { rows } = await pool.query(
    `select sum(accepted)::int8 as accepted, sum(duplicate)::int8 as duplicate, sum(quarantined)::int8 as quarantined,
       sum(rejected)::int8 as rejected, coalesce(sum(record_count) filter (where state = 'pending'), 0)::int8 as pending
     from chunk where batch_id not in (select id from batch where options @> '{"dry_run": true}')`
  )
  return rows[0]
}

test('totals of outcomes stay right while chunks are summed up and records decided about', async t => {
  const p = await testPipeline(t)
  p.work()
  const send = async (number: string) => {
    const lines = [1, 2, 3].map(row => `${number}-${row},22-${row},roof,2024-02-${row === 1 ? '01' : '30'},100.00`)
    const bytes = `${[HEADER, ...lines].join('\n')}\n`
    const { id } = await p.submit([{ name: `${number}.csv`, bytes, type: 'text/csv' }])
    await p.finished(id)
    return (await p.records(id)).map(record => record.id)
  }
  const target = (recordId: string | undefined) => ({
    jurisdiction: JURISDICTION,
    recordId: recordId ?? '',
    revision: 1,
    actor: 'key:clerk'
  })
  const release = (id: string | undefined) => releaseRecord(p.deps, target(id), { issued_date: '2024-02-29' })
  const reject = (id: string | undefined) => rejectRecord(p.deps, target(id), { reason: 'INVALID_DATE', comment: 'x' })
  const age = (minutes: number) =>
    p.pool.query(`update chunk set committed_at = committed_at - make_interval(mins => $1::int)`, [minutes])
  const isRight = async (when: string) => {
    const { isDue: _isDue, ...totals } = await sumOutcomes(p.pool)
    t.same(totals, await wholeSum(p.pool), when)
  }
  const kept = async () =>
    (await p.pool.query('select through, accepted, quarantined, rejected from outcome_sum')).rows[0]

  const [, second, third] = await send('OS-1')
  await isRight('nothing summed up')
  await release(second)
  await isRight('a decision before')
  await age(20)
  await p.pool.query(`update outcome_move set chunk_committed_at = chunk_committed_at - interval '20 minutes'`)
  t.equal((await sumOutcomes(p.pool)).isDue, true)
  await foldOutcomes(p.pool)
  t.match(await kept(), { accepted: 2, quarantined: 1, rejected: 0 }, 'the old chunk is summed up as it is')
  t.equal((await sumOutcomes(p.pool)).isDue, false)
  await isRight('summed up')
  await reject(third)
  t.match(await kept(), { quarantined: 1, rejected: 0 })
  await isRight('a decision about a chunk that was summed up')
  const [, fifth] = await send('OS-2')
  await release(fifth)
  await isRight('later chunks and decisions beside it')
  await foldOutcomes(p.pool)
  t.match(await kept(), { accepted: 2, quarantined: 0, rejected: 1 }, 'moves of summed up chunks are taken in')
  await isRight('summed up again, the young chunk left for later')
  const results = await Promise.allSettled([foldOutcomes(p.pool), foldOutcomes(p.pool), foldOutcomes(p.pool)])
  t.ok(results.some(({ status }) => status === 'fulfilled'))
  await isRight('many at once')
})

test('a reading of totals looks at what is recent only', async t => {
  const p = await testPipeline(t)
  const { id } = await p.submit([{ name: 'a.csv', bytes: `${HEADER}\nA-1,1,roof,2024-01-01,1\n`, type: 'text/csv' }])
  await p.pool.query(
    `insert into chunk (jurisdiction, id, batch_id, file_id, file_number, ordinal, kind, state, record_count, accepted, committed_at)
     select jurisdiction, gen_random_uuid(), batch_id, file_id, 1, n, 'rows', 'committed', 1, 1, now() - interval '1 day'
     from chunk cross join generate_series(1, 30000) n where batch_id = $1`,
    [id]
  )
  await p.pool.query('analyze')
  await foldOutcomes(p.pool)
  const plans: string[] = []
  const explain = async (text: string) => {
    const { rows } = await p.pool.query<Record<string, string>>(`explain (analyze, costs off, timing off) ${text}`)
    plans.push(...rows.map(row => row['QUERY PLAN'] ?? ''))
    return p.pool.query(text)
  }
  t.match(await sumOutcomes({ query: explain }), { accepted: 30_000, pending: 1 })
  t.ok(plans.length > 5, 'saw a plan')
  t.notMatch(plans.join('\n'), /Seq Scan on chunk/)
  const rows = plans.map(line => Number(/actual rows=(\d+)/.exec(line)?.[1] ?? 0))
  t.ok(Math.max(...rows) < 10, `at most ${Math.max(...rows)} rows in a step`)
})
