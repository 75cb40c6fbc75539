import { deleteReport, listOldDryRuns, noteReportRemoved } from '../../db/dry-runs/retention.ts'
import type { Pool } from '../../db/pool.ts'

/** A report is there to mend a file by; whoever needs it later tries the file again. */
const KEEP_DAYS = 30
const PAGE = 100
const ROWS = 20_000

/**
 * Removes the reports of dry runs that ended a month ago, with the values in them; their counts stay. Safe beside other
 * workers. Answers of how many dry runs.
 */
export async function sweepReports({ pool }: { readonly pool: Pool }): Promise<number> {
  let swept = 0
  for (;;) {
    const page = await listOldDryRuns(pool, KEEP_DAYS, PAGE)
    for (const { jurisdiction, id } of page) {
      await noteReportRemoved(pool, jurisdiction, id)
      while ((await deleteReport(pool, jurisdiction, id, ROWS)) > 0);
    }
    swept += page.length
    if (page.length < PAGE) return swept
  }
}
