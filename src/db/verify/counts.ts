import { finder } from './snapshot.ts'

/** Batches whose chunks do not account for every record found in them. */
export const findUnaccountedBatches = finder(
  `select s.batch_id as subject, format('%s records found, %s accounted for', s.total, s.accounted) as message
   from (
     select batch_id, sum(record_count) as total, sum(accepted + duplicate + quarantined + rejected
       + case when state = 'committed' then 0 else record_count end) as accounted
     from chunk where jurisdiction = $1 group by batch_id
   ) s where s.total <> s.accounted`
)

/** Committed chunks whose counts are not those of their records by state. The report of an old dry run is not kept. */
export const findMiscountedChunks = finder(
  `with found as (
     select chunk_id, count(*) as records,
       count(*) filter (where state = 'accepted' and duplicate_of is null) as accepted,
       count(*) filter (where state = 'accepted' and duplicate_of is not null) as duplicate,
       count(*) filter (where state = 'quarantined') as quarantined,
       count(*) filter (where state = 'rejected') as rejected
     from (
       select chunk_id, state, duplicate_of from record where jurisdiction = $1
       union all
       select chunk_id, state, duplicate_of from dry_run_record where jurisdiction = $1
     ) records group by chunk_id
   )
   select c.id as subject, format(
     'says %s records (%s accepted, %s duplicate, %s quarantined, %s rejected), has %s (%s, %s, %s, %s)',
     c.record_count, c.accepted, c.duplicate, c.quarantined, c.rejected, coalesce(f.records, 0),
     coalesce(f.accepted, 0), coalesce(f.duplicate, 0), coalesce(f.quarantined, 0), coalesce(f.rejected, 0)) as message
   from chunk c left join found f on f.chunk_id = c.id
   where c.jurisdiction = $1 and c.state = 'committed'
     and c.batch_id not in (select id from batch where jurisdiction = $1 and options @> '{"dry_run": true}'
       and options @> '{"report_removed": true}')
     and (c.record_count, c.accepted, c.duplicate, c.quarantined, c.rejected) is distinct from (coalesce(f.records, 0),
       coalesce(f.accepted, 0), coalesce(f.duplicate, 0), coalesce(f.quarantined, 0), coalesce(f.rejected, 0))`
)

/** Chunks that are not committed and have records. */
export const findPrematureRecords = finder(
  `select c.id as subject, format('is %s and has %s records', c.state, count(*)) as message
   from chunk c join record r on r.jurisdiction = $1 and r.chunk_id = c.id
   where c.jurisdiction = $1 and c.state <> 'committed' group by c.id, c.state`
)
