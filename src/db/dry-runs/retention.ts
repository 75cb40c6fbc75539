import type { Queryable } from '../pool.ts'

/** Dry runs that ended so many days ago and whose report is still there, oldest first. */
export async function listOldDryRuns(
  db: Queryable,
  days: number,
  limit: number
): Promise<{ jurisdiction: string; id: string }[]> {
  const { rows } = await db.query<{ jurisdiction: string; id: string }>(
    `select b.jurisdiction, b.id from batch b
     where b.options @> '{"dry_run": true}' and b.finished_at < now() - make_interval(days => $1)
       and (exists (select 1 from dry_run_record r where r.jurisdiction = b.jurisdiction and r.batch_id = b.id)
         or exists (select 1 from dry_run_head h where h.jurisdiction = b.jurisdiction and h.batch_id = b.id))
     order by b.id limit $2`,
    [days, limit]
  )
  return rows
}

/** Notes that the report of a dry run is no longer kept, so that nobody takes its absence for a loss. */
export async function noteReportRemoved(db: Queryable, jurisdiction: string, batchId: string): Promise<void> {
  await db.query(
    `update batch set options = options || '{"report_removed": true}' where jurisdiction = $1 and id = $2`,
    [jurisdiction, batchId]
  )
}

/** Deletes up to so many rows of a dry run's report; answers how many. */
export async function deleteReport(
  db: Queryable,
  jurisdiction: string,
  batchId: string,
  limit: number
): Promise<number> {
  const { rowCount: records } = await db.query(
    `delete from dry_run_record where ctid = any(array(
       select ctid from dry_run_record where jurisdiction = $1 and batch_id = $2 limit $3))`,
    [jurisdiction, batchId, limit]
  )
  const { rowCount: heads } = await db.query(
    `delete from dry_run_head where ctid = any(array(
       select ctid from dry_run_head where jurisdiction = $1 and batch_id = $2 limit $3))`,
    [jurisdiction, batchId, limit]
  )
  return (records ?? 0) + (heads ?? 0)
}
