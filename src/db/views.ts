import type { Pool } from './pool.ts'
import { withTransaction } from './transaction.ts'

/** Any number of processes may start at once; they make the views one after another. */
const LOCK = 7_301_265

/**
 * Makes the typed views of profiles anew. A view is dropped first, since a later version of a profile may have other
 * columns. `views` holds names and statements derived from checked profiles.
 */
export async function replaceViews(
  pool: Pool,
  views: readonly { readonly name: string; readonly statement: string }[]
): Promise<void> {
  await withTransaction(pool, async tx => {
    await tx.query('select pg_advisory_xact_lock($1)', [LOCK])
    for (const { name, statement } of views) {
      await tx.query(`drop view if exists "${name}"`)
      await tx.query(statement)
    }
  })
}
