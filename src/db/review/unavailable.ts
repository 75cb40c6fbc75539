import type { Queryable, Tx } from '../pool.ts'

/** A held record that waits for a registry; the index on them is built with the same words. */
const WAITS = `state = 'quarantined' and duplicate_of is null and reasons @> '[{"code": "ENRICH_UNAVAILABLE"}]'`

/** Jurisdictions with records that wait for a registry, each found by one step through the index. */
export async function listWaitingJurisdictions(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ jurisdiction: string }>({
    name: 'list-waiting-jurisdictions',
    text: `with recursive step as (
        (select jurisdiction from record where ${WAITS} order by jurisdiction limit 1)
        union all
        select (select jurisdiction from record where jurisdiction > step.jurisdiction and ${WAITS}
          order by jurisdiction limit 1)
        from step where step.jurisdiction is not null
      )
      select jurisdiction from step where jurisdiction is not null`,
    values: []
  })
  return rows.map(row => row.jurisdiction)
}

/** What a waiting record would have to be told: a registry, as its origins call it, and a key. */
export interface WaitingKey {
  readonly registry: string
  readonly key: string
}

/** A key for each registry that the next few records wait for. */
export async function listWaitingKeys(db: Queryable, jurisdiction: string): Promise<WaitingKey[]> {
  const { rows } = await db.query<WaitingKey>(
    `select distinct on (x -> 'origin' ->> 'registry') x -> 'origin' ->> 'registry' as registry, x -> 'origin' ->> 'key' as key
     from (select id, reasons from record where jurisdiction = $1 and ${WAITS} order by id limit 500) held,
       jsonb_array_elements(held.reasons) x
     where x ->> 'code' = 'ENRICH_UNAVAILABLE'
     order by x -> 'origin' ->> 'registry', held.id`,
    [jurisdiction]
  )
  return rows
}

/**
 * The next records behind `after` that wait for none but registries that answer, and have not been asked to run again.
 * `away`: registries that do not answer, as origins call them.
 */
export async function listAnswerable(
  db: Queryable,
  jurisdiction: string,
  { away, after, limit }: { readonly away: readonly string[]; readonly after: string; readonly limit: number }
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from record where jurisdiction = $1 and ${WAITS} and not retry_requested and id > $3
       and not exists (select 1 from jsonb_array_elements(reasons) x
         where x ->> 'code' = 'ENRICH_UNAVAILABLE' and x -> 'origin' ->> 'registry' = any($2::text[]))
     order by id limit $4`,
    [jurisdiction, away, after, limit]
  )
  return rows.map(row => row.id)
}

/** Whether this transaction may ask records of a jurisdiction to run again; one does at a time. */
export async function claimRedrives(tx: Tx, jurisdiction: string): Promise<boolean> {
  const { rows } = await tx.query<{ got: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 39)) as got',
    [jurisdiction]
  )
  return rows[0]?.got === true
}
