import t from 'tap'
import { formatReport } from '../../../src/audit/verify/report.ts'
import { verify } from '../../../src/audit/verify/verify.ts'
import { newId } from '../../../src/model/ids.ts'
import { createFileStore } from '../../../src/storage/file-store.ts'
import { JURISDICTION } from '../../helpers/factory.ts'
import { cleanDatabase } from './scenario.ts'

t.test('a database in which everything happened and nothing is wrong', async t => {
  const { pool, folder } = await cleanDatabase(t)
  const store = await createFileStore({ folder, newId })
  const steps: string[] = []
  const report = await verify({ pool, store, payloads: true, onProgress: step => steps.push(step.check) })
  t.same(report.offenders, [])
  t.equal(report.ok, true)
  const { rows } = await pool.query(
    `select (select count(*) from batch) as batches, (select count(*) from file) as files,
       (select count(*) from chunk) as chunks, (select count(*) from record) as records,
       (select count(*) from canonical_record) as versions, (select count(*) from current_version) as heads,
       (select count(*) from audit_trail) as entries, (select count(*) from audit_commit) as commits,
       (select count(*) from audit_checkpoint) as checkpoints,
       (select count(*) from file) as payloads`
  )
  t.same(report.checked, rows[0])
  t.match(steps, ['batch-sums'])
  t.ok(steps.includes('chains') && steps.includes('payloads'))
  t.match(formatReport(report), /^Checked \d+ batches.*\nEvery check passed\.$/)
  const { rows: states } = await pool.query<{ state: string; n: number }>(
    `select state || case when duplicate_of is null then '' else ' after another' end as state, count(*)::int as n
     from record group by 1 order by 1`
  )
  t.same(
    states.map(row => row.state),
    [
      'accepted',
      'accepted after another',
      'quarantined',
      'quarantined after another',
      'rejected',
      'rejected after another'
    ],
    'the database holds every kind of record'
  )

  const own = await verify({ pool, jurisdiction: JURISDICTION })
  t.same(own.checked, { ...report.checked, payloads: 0 })
  const other = await verify({ pool, store, jurisdiction: '06037' })
  t.equal(other.ok, true)
  t.equal(other.checked.records + other.checked.entries + other.checked.payloads, 0)
})

t.test('offenders are shown one line a check', async t => {
  const checked = {
    batches: 1, files: 1, chunks: 1, records: 2, versions: 1, heads: 1, entries: 4, commits: 2, checkpoints: 1, payloads: 0
  } // biome-ignore format: a list
  const offender = {
    check: 'chain-end',
    invariant: 4,
    jurisdiction: '53033',
    subject: 'a',
    message: 'it ends',
    count: 3
  } as const
  t.equal(
    formatReport({ ok: false, checked, offenders: [offender, { ...offender, check: 'commit-root', count: 1 }] }),
    [
      'Checked 1 batches, 1 files, 1 chunks, 2 records, 1 versions, 1 heads, 4 entries, 2 commits, 1 checkpoints, 0 payloads.',
      'FAILED chain-end (invariant 4): 53033 a: it ends; and 2 more',
      'FAILED commit-root (invariant 4): 53033 a: it ends',
      '2 of the checks failed.'
    ].join('\n')
  )
})
