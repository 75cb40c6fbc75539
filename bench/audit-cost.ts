import { createPool } from '../src/db/pool.ts'
import { type Deployment, percentile, post, startDeployment, untilEnded } from './deployment.ts'
import { median } from './final-rows.ts'
import { permitCsv, permitRows } from './permits.ts'

const RECORDS = 50_000
const ROUNDS = 5

/**
 * Lets the database drop the entries and commits of chunks as they are written, or keep them again: what is not written is
 * not sealed either. What remains of the audit trail is the worker's hashing, which is told in `docs/performance.md`.
 */
const DROP = `
  create function drop_row() returns trigger language plpgsql as $$ begin return null; end $$;
  create trigger a_dropped before insert on audit_page for each row execute function drop_row();
  create trigger a_dropped before insert on audit_commit for each row execute function drop_row();`
const KEEP = `
  drop trigger a_dropped on audit_page;
  drop trigger a_dropped on audit_commit;
  drop function drop_row()`

interface Run {
  readonly rate: number
  /** Microseconds of processor time a record. */
  readonly cpu: number
}

async function run(deployment: Deployment, tag: string, records: number): Promise<Run> {
  const csv = permitCsv(permitRows(records, tag))
  const [begun, used] = [performance.now(), deployment.cpuSeconds()]
  await untilEnded(deployment, (await post(deployment, csv, 'text/csv')).id)
  return {
    rate: (records / (performance.now() - begun)) * 1000,
    cpu: ((deployment.cpuSeconds() - used) / records) * 1e6
  }
}

/** Milliseconds from each commit to the first checkpoint that it stands under. */
const LAGS = `
  select extract(epoch from c.created_at - a.committed_at)::float8 * 1000 as lag
  from audit_commit a
  cross join lateral (select created_at from audit_checkpoint k where k.jurisdiction = a.jurisdiction and k.size > a.leaf_index
    order by k.size limit 1) c`

/**
 * The same permits with chain and sealing and without, in turn: records a second and processor time, then how long after
 * its commit an entry stands under a signed checkpoint.
 */
export async function auditCost({
  records = RECORDS,
  rounds = ROUNDS
}: Readonly<Record<string, number>> = {}): Promise<void> {
  const deployment = await startDeployment()
  const pool = createPool({ url: deployment.url, max: 1, applicationName: 'docket-bench', onError: () => undefined })
  try {
    await run(deployment, 'warm', 20_000)
    const [on, off]: [Run[], Run[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      on.push(await run(deployment, `on${round}`, records))
      await pool.query(DROP)
      off.push(await run(deployment, `off${round}`, records))
      await pool.query(KEEP)
    }
    const rates = [on, off].map(runs => median(runs.map(({ rate }) => rate)))
    const times = [on, off].map(runs => median(runs.map(({ cpu }) => cpu)))
    const [withAudit = 0, without = 1] = rates
    console.log(
      `records/s with chain and sealing ${Math.round(withAudit)}, without ${Math.round(without)}; ratio ${(withAudit / without).toFixed(2)}`
    )
    console.log(`microseconds of processor time a record: ${times.map(time => time.toFixed(1)).join(', ')}`)
    const { rows } = await pool.query<{ lag: number }>(LAGS)
    const lags = rows.map(({ lag }) => lag)
    console.log(
      `from commit to checkpoint, ${lags.length} commits: p50 ${Math.round(percentile(lags, 0.5))} ms, p99 ${Math.round(percentile(lags, 0.99))} ms`
    )
  } finally {
    await pool.end()
    await deployment.stop()
  }
}
