import t from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import { getBatch } from '../../../src/db/batches.ts'
import { listRecordsOfBatch } from '../../../src/db/reads/record-pages.ts'
import { sweepReports } from '../../../src/pipeline/dry-run/sweep-reports.ts'
import { rejectRecord } from '../../../src/review/decide.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'
import { errorsOf, fates } from '../corrections/round-trip.ts'

const HEADER = 'permit_number,parcel_id,permit_type,issued_date,valuation'
const file = (...lines: string[]) => ({ name: 'a.csv', bytes: `${HEADER}\n${lines.join('\n')}\n`, type: 'text/csv' })

/** The report of a batch, with records named by their place instead of their id. */
async function reportOf(p: TestPipeline, batchId: string, dryRun: boolean) {
  const filter = { state: null, row: null, line: null, file: null, reason: null, after: null, limit: 1000 }
  const records = await listRecordsOfBatch(p.pool, { jurisdiction: JURISDICTION, batchId, dryRun, ...filter })
  const placeOf = new Map(records.map(({ id, item }) => [id, item]))
  return records.map(record => {
    const { duplicateOf } = record
    const ids = { id: '', batchId: '', fileId: '' }
    const times = { createdAt: null, createdAtText: '', updatedAt: null }
    const twin = duplicateOf === null ? null : (placeOf.get(duplicateOf) ?? duplicateOf)
    return { ...record, ...ids, ...times, duplicateOf: twin }
  })
}

const countsOf = async (p: TestPipeline, id: string) => {
  const batch = await getBatch(p.pool, id, null)
  if (!batch) throw new Error('no batch')
  const { total, pending, accepted, duplicate, quarantined, rejected, cancelled, state, dryRun } = batch
  return { total, pending, accepted, duplicate, quarantined, rejected, cancelled, state, dryRun }
}

const LEFT = `select (select count(*) from record)::int as records, (select count(*) from canonical_record)::int as versions,
  (select count(*) from current_version)::int as heads, (select count(*) from held_content)::int as held,
  (select count(*) from submission_key where scope = 'digest')::int as keys,
  (select count(*) from audit_trail where convert_from(entry, 'UTF8')::jsonb ->> 'kind' = 'record')::int as entries`

async function run(p: TestPipeline, files: Parameters<TestPipeline['submit']>[0], dryRun: boolean): Promise<string> {
  const { id } = await p.submit(files, { dryRun })
  await p.finished(id)
  return id
}

t.test('a dry run reports record by record what the submission makes then, and leaves nothing', async t => {
  const p = await testPipeline(t, { DOCKET_CHUNK_RECORDS: '3', DOCKET_CHUNK_PREFETCH: '1' })
  p.work()
  await run(
    p,
    [
      file(
        'OLD-1,22-1,roof,2024-02-01,1.00',
        'OLD-2,22-1,roof,2024-02-01,1.00',
        'OLD-2,22-1,roof,2024-02-01,2.00',
        'HELD-1,22-1,roof,2024-02-30,1.00'
      )
    ],
    false
  )
  const files = [
    file(
      'OLD-1,22-1,roof,2024-02-01,1.00',
      'OLD-2,22-1,roof,2024-02-01,9.00',
      'OLD-2,22-1,roof,2024-02-01,9.50',
      'NEW-1,22-1,roof,2024-02-01,1.00',
      'HELD-1,22-1,roof,2024-02-30,1.00',
      'NEW-1,22-1,roof,2024-02-01,1.00',
      'NEW-1,22-1,roof,2024-02-02,1.00',
      'HELD-2,22-1,roof,2024-02-30,1.00',
      'HELD-2,22-1,roof,2024-02-30,1.00',
      '22-1,roof',
      'NEW-2,22-1,roof,2024-02-01,1.00',
      'OLD-2,22-1,roof,2024-02-01,2.00'
    ),
    { name: 'b.json', bytes: JSON.stringify([{ permit_number: 'NEW-2', parcel_id: '1' }, { odd: 'a\0b' }]) },
    { name: 'empty.csv', bytes: '' }
  ]
  const { rows: before } = await p.pool.query(LEFT)
  const dry = await run(p, files, true)
  t.strictSame((await p.pool.query(LEFT)).rows, before, 'no record, head, version, held content, key or entry more')
  const again = await run(p, files, true)
  t.not(again, dry, 'a dry run answers for no other')
  t.strictSame(await reportOf(p, again, true), await reportOf(p, dry, true))
  const { answer } = { answer: await p.submit(files) }
  t.not(answer.id, dry, 'and for no submission')
  t.equal(answer.dry_run, undefined)
  await p.finished(answer.id)
  const report = await reportOf(p, dry, true)
  t.strictSame(report, await reportOf(p, answer.id, false))
  t.equal(report.length, 15)
  const { dryRun, ...counts } = await countsOf(p, dry)
  t.ok(dryRun)
  t.strictSame({ ...counts, dryRun: false }, await countsOf(p, answer.id))
  t.ok(counts.accepted > 3 && counts.duplicate > 1 && counts.quarantined > 3 && counts.rejected > 0)
  t.strictSame((await verify({ pool: p.pool })).offenders, [])
})

t.test('an errors file that is tried out settles nothing', async t => {
  const p = await testPipeline(t)
  p.work()
  const first = await run(p, [file('A,22-1,roof,2024-02-30,1.00', 'B,22-1,roof,2024-02-30,1.00')], false)
  const before = await fates(p, first)
  const mended = (await errorsOf(p, first)).toString('utf8').replace('2024-02-30', '2024-02-29')
  const dry = await run(p, [{ name: 'e.csv', bytes: mended }], true)
  t.match(await reportOf(p, dry, true), [
    { state: 'accepted' },
    {
      state: 'quarantined',
      duplicateOf: before[1]?.id,
      reasons: [{ code: 'INVALID_DATE' }, { code: 'DUPLICATE_RECORD' }]
    }
  ])
  t.strictSame(await fates(p, first), before)
  t.equal((await p.pool.query('select 1 from correction')).rowCount, 0)
})

t.test('a rejection that repeats one is reported with the record it repeats', async t => {
  const p = await testPipeline(t)
  p.work()
  const first = await run(p, [file('HELD-1,22-1,roof,2024-02-30,1.00')], false)
  const [held] = await p.records(first)
  const target = { jurisdiction: JURISDICTION, recordId: held?.id ?? '', revision: 1, actor: 'key:clerk' }
  await rejectRecord(p.deps, target, { reason: 'INVALID_DATE', comment: 'no such day' })
  const again = [file('HELD-1,22-1,roof,2024-02-30,1.00', 'NEW-1,22-1,roof,2024-02-01,1.00')]
  const dry = await run(p, again, true)
  const real = await run(p, again, false)
  t.strictSame(await reportOf(p, dry, true), await reportOf(p, real, false))
})

t.test('a dry run holds just the records that the commit would be refused for, at the first attempt', async t => {
  const p = await testPipeline(t)
  p.work()
  // No word of it repeats, or the database would fold it until it fits.
  const long = Array.from({ length: 900 }, (_, i) => ((i * 2654435761) % 4294967296).toString(36)).join('')
  const files = [
    file(
      'FINE-1,22-1,roof,2024-02-01,1.00',
      `${long},22-1,roof,2024-02-01,1.00`,
      'FINE-2,22-1,roof,2024-02-01,1.00',
      `${long}x,22-1,roof,2024-02-01,1.00`
    )
  ]
  const tried = await run(p, files, true)
  const { rows: launches } = await p.pool.query('select launches from chunk where batch_id = $1', [tried])
  t.same(launches, [{ launches: 1 }], 'no attempt is lost')
  const done = await run(p, files, false)
  const report = await reportOf(p, tried, true)
  t.same(
    report.map(({ state, reasons }) => [state, reasons.map(reason => reason.code)]),
    (await reportOf(p, done, false)).map(({ state, reasons }) => [state, reasons.map(reason => reason.code)]),
    'the submission makes the same of them'
  )
  t.match(report[0], { state: 'accepted' })
  t.match(report[1], { state: 'quarantined' })
})

t.test('the errors file of a dry run has what would be held, and mended it is a submission of its own', async t => {
  const p = await testPipeline(t)
  p.work()
  const rows = ['E-1,22-1,roof,2024-02-01,1.00', 'E-2,22-2,roof,2024-02-30,1.00', 'E-3,22-3,roof,2024-02-31,1.00']
  for (const files of [
    [file(...rows)],
    [
      {
        name: 'a.json',
        bytes: JSON.stringify(
          rows.map(row => Object.fromEntries(row.split(',').map((cell, i) => [HEADER.split(',')[i], cell])))
        ),
        type: 'application/json'
      }
    ]
  ]) {
    const tried = await run(p, files, true)
    const [header = '', first = '', second = '', ...rest] = (await errorsOf(p, tried)).toString('utf8').split(/\r?\n/)
    t.equal(header, `${HEADER},_record_id,_line,_codes,_messages`)
    t.match(first, /^E-2,22-2,roof,2024-02-30,1.00,,\d*,INVALID_DATE,/, 'no record is named: there is none')
    t.match(second, /^E-3,/)
    t.same(rest, [''])
    const mended = [header, first, second].join('\n').replaceAll('2024-02-3', '2024-02-1')
    const done = await run(p, [{ name: 'mended.csv', bytes: `${mended}\n`, type: 'text/csv' }], false)
    t.match(await countsOf(p, done), { total: 2, quarantined: 0 })
  }
  t.same((await verify({ pool: p.pool })).offenders, [])
})

t.test(
  'the report of a dry run is removed a month after its end, its counts stay, and nobody takes it for a loss',
  async t => {
    const p = await testPipeline(t)
    p.work()
    const old = await run(p, [file('R-1,22-1,roof,2024-02-01,1.00', 'R-2,22-1,roof,2024-02-30,1.00')], true)
    const young = await run(p, [file('R-3,22-1,roof,2024-02-01,1.00')], true)
    const real = await run(p, [file('R-4,22-1,roof,2024-02-01,1.00')], false)
    const age = (id: string, days: number) =>
      p.pool.query('update batch set finished_at = finished_at - make_interval(days => $2) where id = $1', [id, days])
    await age(old, 31)
    await age(young, 29)
    await age(real, 400)
    t.equal(await sweepReports(p.deps), 1)
    t.equal(await sweepReports(p.deps), 0)
    t.equal((await reportOf(p, old, true)).length, 0)
    t.equal((await reportOf(p, young, true)).length, 1)
    t.equal((await reportOf(p, real, false)).length, 1)
    t.match(await countsOf(p, old), { total: 2, accepted: 1, quarantined: 1 })
    t.same((await verify({ pool: p.pool })).offenders, [])
    await p.pool.query('delete from dry_run_record where batch_id = $1', [young])
    t.match((await verify({ pool: p.pool })).offenders, [{ count: 1 }], 'a report that is lost is found')
  }
)
