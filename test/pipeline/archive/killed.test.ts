import t, { type Test } from 'tap'
import { verify } from '../../../src/audit/verify/verify.ts'
import { type TestPipeline, testPipeline } from '../../helpers/pipeline.ts'
import { barTable, isBlocked, spawnWorker, until } from '../../helpers/worker-process.ts'
import { makeZip } from '../../media/zip-builder.ts'

const csv = (tag: string, rows: number): Buffer => {
  const lines = Array.from({ length: rows }, (_, i) => `${tag}-${i},22-${i},roof,${i + 1}.00`)
  return Buffer.from(`permit_number,parcel_id,permit_type,valuation\n${lines.join('\n')}\n`)
}

const FILES = 6
const ROWS = 5

/** An archive of small files and one within it. */
const archive = (tag: string): Buffer => {
  const inner = makeZip([{ name: 'in.csv', content: csv(`${tag}-in`, ROWS) }])
  const files = Array.from({ length: FILES }, (_, i) => ({ name: `${i}.csv`, content: csv(`${tag}-${i}`, ROWS) }))
  return makeZip([...files.slice(0, 3), { name: 'in.zip', content: inner }, ...files.slice(3)])
}

async function assertWhole(t: Test, p: TestPipeline, batchId: string): Promise<void> {
  const { rows } = await p.pool.query<{ number: number; filename: string; records: number }>(
    `select f.number, f.filename, count(r.id) filter (where r.state = 'accepted' and r.duplicate_of is null)::int as records
     from file f left join record r on r.jurisdiction = f.jurisdiction and r.file_id = f.id
     where f.batch_id = $1 group by f.number, f.filename order by f.number`,
    [batchId]
  )
  const names = ['0.csv', '1.csv', '2.csv', 'in.zip', 'in.zip/in.csv', '3.csv', '4.csv', '5.csv'].map(
    name => `a.zip/${name}`
  )
  const expected = ['a.zip', ...names].map((filename, i) => ({
    number: i + 1,
    filename,
    records: filename.endsWith('.csv') ? ROWS : 0
  }))
  t.strictSame(rows, expected)
}

/** What the dead worker's sessions still hold ends with them; its claim would run out with its heartbeat. */
async function forget(p: TestPipeline): Promise<void> {
  await p.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'docket-worker%'`
  )
  await p.pool.query(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`)
}

// What saving the files of an archive touches, in its order, from the launch of the job on.
t.test('a worker killed while it takes an archive apart loses no file and takes none twice', async t => {
  const p = await testPipeline(t)
  for (const table of ['file', 'audit_entry', 'chunk', 'pgboss.job']) {
    const { id } = await p.submit([{ name: 'a.zip', bytes: archive(table), type: 'application/zip' }])
    const bar = await barTable(p.pool, table)
    const worker = spawnWorker(t, p)
    await until(() => isBlocked(p.pool))
    worker.kill('SIGKILL')
    await worker.exited
    await bar.lift()
    await forget(p)
    const next = spawnWorker(t, p)
    await p.finished(id)
    await assertWhole(t, p, id)
    next.kill('SIGKILL')
    await next.exited
    await forget(p)
  }
  t.strictSame((await verify({ pool: p.pool, store: p.deps.store, payloads: true })).offenders, [])
})
