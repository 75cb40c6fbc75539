import type { Json } from '../../model/json.ts'
import type { Queryable, Tx } from '../pool.ts'

export interface CacheScope {
  readonly jurisdiction: string
  readonly kind: string
  /** Of the configuration. */
  readonly version: number
}

/** What is known of a key. */
export interface CacheRow {
  readonly key: string
  /** Null: nothing that counts. */
  readonly answer: Json
  /** RFC 3339. */
  readonly fetchedAt: string | null
  readonly isFresh: boolean
  /** Not fresh, and still to be used while it is asked for anew. */
  readonly isUsable: boolean
  /** The caller is the one to ask for it now. */
  readonly isClaimed: boolean
}

/**
 * Reads what is kept of these keys and, with a claim, has the caller ask for those that are not fresh: of several callers
 * at once each key goes to one. One statement; keys are claimed in their order, so that two callers never wait in a circle.
 * `freshSeconds`: what is fresh for less than so many seconds more is claimed as well.
 */
export async function readCache(
  db: Queryable,
  { jurisdiction, kind, version }: CacheScope,
  keys: readonly string[],
  claim: { readonly by: string; readonly seconds: number; readonly freshSeconds: number } | null
): Promise<CacheRow[]> {
  const { rows } = await db.query<CacheRow>({
    name: 'read-registry-cache',
    text: `with wanted as materialized (
        select w.key, c.answer, c.fetched_at, coalesce(c.fresh_until > now() + make_interval(secs => $7), false) as fresh,
          coalesce(c.stale_until > now(), false) as usable
        from unnest($4::text[]) w(key) left join registry_cache c
          on c.jurisdiction = $1 and c.kind = $2 and c.key = w.key and c.version = $3 and c.answer is not null
      ), claimed as (
        insert into registry_cache as c (jurisdiction, kind, key, version, claimed_by, claimed_until)
        select $1, $2, key, $3, $5, now() + make_interval(secs => $6) from wanted
        where $5::uuid is not null and not fresh order by key
        on conflict (jurisdiction, kind, key) do update set claimed_by = excluded.claimed_by,
          claimed_until = excluded.claimed_until
        where (c.claimed_until is null or c.claimed_until <= now())
          and not (c.version = excluded.version and coalesce(c.fresh_until > now() + make_interval(secs => $7), false))
        returning key
      )
      select w.key, w.answer, w.fetched_at as "fetchedAt", w.fresh as "isFresh", w.usable as "isUsable",
        c.key is not null as "isClaimed"
      from wanted w left join claimed c on c.key = w.key`,
    values: [jurisdiction, kind, version, keys, claim?.by ?? null, claim?.seconds ?? 0, claim?.freshSeconds ?? 0]
  })
  return rows
}

export interface KeptAnswer {
  readonly key: string
  readonly answer: Json
  /** Seconds it is used without asking again, and seconds after that it is used beside being asked for. */
  readonly freshSeconds: number
  readonly staleSeconds: number
}

/** Keeps answers and lets go of the claims on keys that have none, in one statement. */
export async function writeCache(
  db: Queryable,
  { jurisdiction, kind, version }: CacheScope,
  answers: readonly KeptAnswer[],
  unanswered: { readonly keys: readonly string[]; readonly by: string }
): Promise<void> {
  await db.query({
    name: 'write-registry-cache',
    text: `with released as (
        update registry_cache set claimed_by = null, claimed_until = now()
        where jurisdiction = $1 and kind = $2 and key = any($5::text[]) and claimed_by = $6
      )
      insert into registry_cache as c (jurisdiction, kind, key, version, answer, fetched_at, fresh_until, stale_until)
      select $1, $2, a.key, $3, a.answer, now(), now() + make_interval(secs => a."freshSeconds"),
        now() + make_interval(secs => a."freshSeconds" + a."staleSeconds")
      from jsonb_to_recordset($4::jsonb) as a(key text, answer jsonb, "freshSeconds" float8, "staleSeconds" float8)
      order by a.key
      on conflict (jurisdiction, kind, key) do update set version = excluded.version, answer = excluded.answer,
        fetched_at = excluded.fetched_at, fresh_until = excluded.fresh_until, stale_until = excluded.stale_until,
        claimed_by = null, claimed_until = null`,
    values: [jurisdiction, kind, version, JSON.stringify(answers), unanswered.keys, unanswered.by]
  })
}

/** Removes, some at a time, what nobody may use any more; answers how many rows went. */
export async function sweepCache(db: Queryable, most: number): Promise<number> {
  const { rowCount } = await db.query(
    `delete from registry_cache where (jurisdiction, kind, key) in (
       select jurisdiction, kind, key from registry_cache
       where coalesce(stale_until, claimed_until) < now() - interval '1 hour'
         and (claimed_until is null or claimed_until <= now())
       limit $1 for update skip locked)`,
    [most]
  )
  return rowCount ?? 0
}

/** The texts by which registries were asked about a record: its own, those of its earlier revisions, and what they were found by. */
const ASKED_BY = `
    select r.content, r.fields from record r where r.jurisdiction = $1 and r.id = $2
    union all select v.content, '{}' from record r join canonical_record v on v.jurisdiction = r.jurisdiction
      and v.profile = r.profile and v.natural_key = r.natural_key and v.version = r.version and v.record_id = r.id
      where r.jurisdiction = $1 and r.id = $2
    union all select h.content, h.fields from record_revision h where h.jurisdiction = $1 and h.record_id = $2`

/**
 * Removes what is kept of the parcel and the property of a record, in whatever form they were asked for. Others that need it
 * ask again. Before the record's own values are destroyed, in the transaction that does that.
 */
export async function forgetCached(tx: Tx, jurisdiction: string, recordId: string): Promise<void> {
  await tx.query(
    `with told as materialized (${ASKED_BY}), texts as (
       select content ->> name as text from told, unnest(array['parcel_id', 'property_id']) name
       union select fields -> name ->> 'raw' from told, unnest(array['parcel_id', 'property_id']) name
     ), answered as (
       select convert_from(a.answers, 'UTF8')::jsonb -> kind -> texts.text ->> 'key' as text
       from record r join registry_answers a on a.jurisdiction = r.jurisdiction and a.chunk_id = r.chunk_id
       cross join texts cross join unnest(array['parcel', 'zoning', 'property']) kind
       where r.jurisdiction = $1 and r.id = $2 and texts.text is not null
     ), signs as (
       select distinct key_signs(text) as signs from (select text from texts union select text from answered) all_texts
     )
     delete from registry_cache where (jurisdiction, kind, key) in (
       select c.jurisdiction, c.kind, c.key from registry_cache c
       where c.jurisdiction = $1 and key_signs(c.key) in (select signs from signs where signs <> '')
       order by c.kind, c.key for update)`,
    [jurisdiction, recordId]
  )
}
