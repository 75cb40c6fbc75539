import type { Pool, Queryable } from '../pool.ts'
import { withTransaction } from '../transaction.ts'

export interface OutcomeTotals {
  readonly accepted: number
  readonly duplicate: number
  readonly quarantined: number
  readonly rejected: number
  readonly pending: number
}

interface Totals extends OutcomeTotals {
  /** Whether so much has been committed since the last summing up that it is worth another. */
  readonly isDue: boolean
}

/** Of chunks: not those of dry runs. */
const COUNTS = `not exists (select 1 from batch b where b.jurisdiction = c.jurisdiction and b.id = c.batch_id
  and b.options @> '{"dry_run": true}')`

/**
 * Records per outcome over all batches, for the metrics page: the sum kept, the chunks committed since, and what decisions
 * moved in those before. It reads what is recent or waits, whatever there is in all.
 */
export async function sumOutcomes(db: Queryable): Promise<Totals> {
  const { rows } = await db.query<Totals>(
    `with later as (
       select coalesce(sum(accepted), 0) as accepted, coalesce(sum(duplicate), 0) as duplicate,
         coalesce(sum(quarantined), 0) as quarantined, coalesce(sum(rejected), 0) as rejected
       from chunk c where state = 'committed' and committed_at > (select through from outcome_sum) and ${COUNTS}
     ), moved as (
       select coalesce(sum(accepted), 0) as accepted, coalesce(sum(duplicate), 0) as duplicate,
         coalesce(sum(rejected), 0) as rejected
       from outcome_move where chunk_committed_at <= (select through from outcome_sum)
     ), waiting as (
       select coalesce(sum(record_count), 0) as pending from chunk c where state = 'pending' and ${COUNTS}
     )
     select (s.accepted + l.accepted + m.accepted)::int8 as accepted, (s.duplicate + l.duplicate + m.duplicate)::int8 as duplicate,
       (s.quarantined + l.quarantined - m.accepted - m.duplicate - m.rejected)::int8 as quarantined,
       (s.rejected + l.rejected + m.rejected)::int8 as rejected, w.pending::int8 as pending,
       s.through < now() - interval '30 minutes' as "isDue"
     from outcome_sum s cross join later l cross join moved m cross join waiting w`
  )
  return rows[0] ?? { accepted: 0, duplicate: 0, quarantined: 0, rejected: 0, pending: 0, isDue: false }
}

/**
 * Sums up what was committed until a quarter of an hour ago: no transaction that commits a chunk lives that long, so none
 * is missed. One snapshot sees chunks and moves alike: a move it does not see is not in its chunk's counts either, and is
 * added when totals are read. Throws `DATABASE_CONFLICT` when somebody else sums up at the same time.
 */
export async function foldOutcomes(pool: Pool): Promise<void> {
  await withTransaction(pool, async tx => {
    await tx.query('set transaction isolation level repeatable read')
    await tx.query(
      `with old as (select through from outcome_sum for update), upto as (select now() - interval '15 minutes' as through),
       later as (
         select coalesce(sum(accepted), 0) as accepted, coalesce(sum(duplicate), 0) as duplicate,
           coalesce(sum(quarantined), 0) as quarantined, coalesce(sum(rejected), 0) as rejected
         from chunk c where state = 'committed' and committed_at > (select through from old)
           and committed_at <= (select through from upto) and ${COUNTS}
       ), taken as (
         delete from outcome_move where chunk_committed_at <= (select through from upto)
         returning accepted, duplicate, rejected, chunk_committed_at <= (select through from old) as is_earlier
       ), moved as (
         select coalesce(sum(accepted), 0) as accepted, coalesce(sum(duplicate), 0) as duplicate,
           coalesce(sum(rejected), 0) as rejected
         from taken where is_earlier
       )
       update outcome_sum s set through = upto.through, accepted = s.accepted + l.accepted + m.accepted,
         duplicate = s.duplicate + l.duplicate + m.duplicate, rejected = s.rejected + l.rejected + m.rejected,
         quarantined = s.quarantined + l.quarantined - m.accepted - m.duplicate - m.rejected
       from upto, later l, moved m where s.through < upto.through`
    )
  })
}
