import type { Queryable } from '../pool.ts'
import { MAY_RUN } from '../review/retries.ts'

/** Which held records of a jurisdiction are meant. */
export interface RedriveFilter {
  readonly jurisdiction: string
  /** Null: those whose reason is transient. */
  readonly codes: readonly string[] | null
  readonly batchId: string | null
  readonly source: string | null
  /** Held for at least so many seconds. */
  readonly minAgeSeconds: number | null
}

/** How many records there are of a reason, of a source and of an age. */
export interface RedriveGroup {
  /** The reason by which it is meant; the first by name of several. */
  readonly code: string
  readonly source: string | null
  readonly age: 'under an hour' | 'under a day' | 'under a week' | 'older'
  readonly records: number
  /** Of them, how many were asked to run again already and have not. */
  readonly asked: number
}

const DUE = `(select * from record where jurisdiction = $1 and ${MAY_RUN}
    and ($2::uuid is null or batch_id = $2)
    and ($3::text is null or exists (select 1 from batch b where b.jurisdiction = $1 and b.id = record.batch_id and b.source = $3))
    and ($4::float8 is null or created_at <= now() - make_interval(secs => $4))
    and case when $5::text[] is null then reasons @> '[{"failure_class": "transient"}]'
      else exists (select 1 from jsonb_array_elements(reasons) x where x ->> 'code' = any($5)) end)`

const valuesOf = (filter: RedriveFilter): unknown[] => [
  filter.jurisdiction,
  filter.batchId,
  filter.source,
  filter.minAgeSeconds,
  filter.codes
]

/** What another run would take, counted: nothing is asked to run. */
export async function countRedrivable(db: Queryable, filter: RedriveFilter): Promise<RedriveGroup[]> {
  const { rows } = await db.query<RedriveGroup>(
    `select (select min(x ->> 'code') from jsonb_array_elements(r.reasons) x
         where case when $5::text[] is null then x ->> 'failure_class' = 'transient' else x ->> 'code' = any($5) end) as code,
       b.source,
       case when r.created_at > now() - interval '1 hour' then 'under an hour'
         when r.created_at > now() - interval '1 day' then 'under a day'
         when r.created_at > now() - interval '7 days' then 'under a week' else 'older' end as age,
       count(*)::int as records, (count(*) filter (where r.retry_requested))::int as asked
     from ${DUE} r join batch b on b.jurisdiction = r.jurisdiction and b.id = r.batch_id
     group by 1, 2, 3 order by 1, 2 nulls first, max(r.created_at) desc`,
    valuesOf(filter)
  )
  return rows
}

/** The next records of them behind `after`, by id. */
export async function listRedrivable(
  db: Queryable,
  filter: RedriveFilter,
  { after, limit }: { readonly after: string | null; readonly limit: number }
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from ${DUE} r where $6::uuid is null or id > $6 order by id limit $7`,
    [...valuesOf(filter), after, limit]
  )
  return rows.map(row => row.id)
}
