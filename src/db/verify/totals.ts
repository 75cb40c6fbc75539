import type { Tx } from '../pool.ts'

/** Every jurisdiction that any row names, registered or not, in order. */
export async function listJurisdictions(tx: Tx): Promise<string[]> {
  const { rows } = await tx.query<{ code: string }>(
    `with recursive named as (
       select 'batch' as source, (select min(jurisdiction) from batch) as code
       union all select 'file', (select min(jurisdiction) from file)
       union all select 'chunk', (select min(jurisdiction) from chunk)
       union all select 'record', (select min(jurisdiction) from record)
       union all select 'version', (select min(jurisdiction) from canonical_record)
       union all select 'head', (select min(jurisdiction) from canonical_head)
       union all select 'held', (select min(jurisdiction) from held_content)
       union all select 'entry', (select min(jurisdiction) from audit_entry)
       union all select 'page', (select min(jurisdiction) from audit_page)
       union all select 'commit', (select min(jurisdiction) from audit_commit)
     ), walk as (
       select source, code from named where code is not null
       union all
       select w.source, n.code from walk w cross join lateral (
         select case w.source
           when 'batch' then (select min(jurisdiction) from batch where jurisdiction > w.code)
           when 'file' then (select min(jurisdiction) from file where jurisdiction > w.code)
           when 'chunk' then (select min(jurisdiction) from chunk where jurisdiction > w.code)
           when 'record' then (select min(jurisdiction) from record where jurisdiction > w.code)
           when 'version' then (select min(jurisdiction) from canonical_record where jurisdiction > w.code)
           when 'head' then (select min(jurisdiction) from canonical_head where jurisdiction > w.code)
           when 'held' then (select min(jurisdiction) from held_content where jurisdiction > w.code)
           when 'entry' then (select min(jurisdiction) from audit_entry where jurisdiction > w.code)
           when 'page' then (select min(jurisdiction) from audit_page where jurisdiction > w.code)
           when 'commit' then (select min(jurisdiction) from audit_commit where jurisdiction > w.code)
         end as code
       ) n where n.code is not null
     )
     select distinct code from walk order by code`
  )
  return rows.map(row => row.code)
}

export interface Totals {
  readonly batches: number
  readonly files: number
  readonly chunks: number
  readonly records: number
  readonly versions: number
  readonly heads: number
}

/** How many rows of each kind a jurisdiction has. */
export async function countRows(tx: Tx, jurisdiction: string): Promise<Totals> {
  const { rows } = await tx.query<Totals>(
    `select (select count(*) from batch where jurisdiction = $1) as batches,
       (select count(*) from file where jurisdiction = $1) as files,
       (select count(*) from chunk where jurisdiction = $1) as chunks,
       (select count(*) from record where jurisdiction = $1) as records,
       (select count(*) from canonical_record where jurisdiction = $1) as versions,
       (select count(*) from current_version where jurisdiction = $1) as heads`,
    [jurisdiction]
  )
  return rows[0] ?? { batches: 0, files: 0, chunks: 0, records: 0, versions: 0, heads: 0 }
}
