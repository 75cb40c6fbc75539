import { SEALED_JURISDICTIONS } from '../log/deliveries.ts'
import type { Queryable } from '../pool.ts'

/** Something that stands still, by its id. */
export interface Stuck {
  readonly jurisdiction: string
  readonly id: string
}

/** Most of each that are told; whoever mends the first ones looks again. */
const MOST = 100

const list = async (db: Queryable, text: string, values: unknown[]): Promise<Stuck[]> =>
  (await db.query<Stuck>(`${text} limit ${MOST}`, values)).rows

/** Batches with nothing left to do for so many seconds that are not ended. */
export const listUnclosed = (db: Queryable, seconds: number): Promise<Stuck[]> =>
  list(
    db,
    `select b.jurisdiction, b.id from batch b
     where b.state in ('queued', 'processing') and b.received_at < now() - make_interval(secs => $1)
       and not exists (select 1 from file f where f.jurisdiction = b.jurisdiction and f.batch_id = b.id and f.state in ('received', 'splitting'))
       and not exists (select 1 from chunk c where c.jurisdiction = b.jurisdiction and c.batch_id = b.id
         and (c.state = 'pending' or c.committed_at > now() - make_interval(secs => $1)))
     order by b.id`,
    [seconds]
  )

/** Files that have been taken apart for so many seconds, work that is held back aside. */
export const listSlowSplits = (db: Queryable, seconds: number): Promise<Stuck[]> =>
  list(
    db,
    `select f.jurisdiction, f.id from file f join batch b on b.jurisdiction = f.jurisdiction and b.id = f.batch_id
     where f.state in ('received', 'splitting') and b.received_at < now() - make_interval(secs => $1)
       and not exists (select 1 from work_pause p where p.resumed_at is null
         and (p.jurisdiction is null or p.jurisdiction = b.jurisdiction) and (p.lane is null or p.lane = b.lane))
     order by f.id`,
    [seconds]
  )

/** Held records that wait for registries of which none is left alone, and that nobody asked to run again. */
export const listForgotten = (db: Queryable, seconds: number): Promise<Stuck[]> =>
  list(
    db,
    `select r.jurisdiction, r.id from record r
     where r.state = 'quarantined' and r.duplicate_of is null and r.reasons @> '[{"code": "ENRICH_UNAVAILABLE"}]'
       and not r.retry_requested and r.updated_at < now() - make_interval(secs => $1)
       and not exists (select 1 from registry_breaker b where b.jurisdiction = r.jurisdiction
         and (b.state = 'open' or b.changed_at > now() - make_interval(secs => $1)))
       and not exists (select 1 from jsonb_each(r.fields) f where f.value ->> 'status' = 'human')
       and not exists (select 1 from correction c where c.jurisdiction = r.jurisdiction and c.record_id = r.id)
     order by r.id`,
    [seconds]
  )

/** Chunks whose held records were asked to run again, each with the generation of the job that should do it. */
export async function listAskedChunks(db: Queryable): Promise<(Stuck & { readonly generation: number })[]> {
  const { rows } = await db.query<Stuck & { generation: number }>(
    `select c.jurisdiction, c.id, c.redrives as generation
     from (select distinct jurisdiction, chunk_id from record where retry_requested and state = 'quarantined' limit ${MOST}) r
     join chunk c on c.jurisdiction = r.jurisdiction and c.id = r.chunk_id order by c.id`
  )
  return rows
}

/** Pending chunks, older than so many seconds, whose job should be alive. */
export async function listDueChunks(
  db: Queryable,
  seconds: number
): Promise<(Stuck & { readonly generation: number })[]> {
  const { rows } = await db.query<Stuck & { generation: number }>(
    `select jurisdiction, id, generation from chunk
     where state = 'pending' and generation >= 1 and created_at < now() - make_interval(secs => $1) order by id limit 5000`,
    [seconds]
  )
  return rows
}

/** How far sealing the audit log and bringing its checkpoints outside are behind. */
export interface LogLag {
  readonly jurisdiction: string
  readonly seconds: number
}

/** Jurisdictions with a commit that has not been sealed for so many seconds. */
export async function listSealLags(db: Queryable, seconds: number): Promise<LogLag[]> {
  const { rows } = await db.query<LogLag>(
    `select jurisdiction, extract(epoch from now() - min(committed_at))::float8 as seconds from audit_commit
     where leaf_index is null group by jurisdiction having min(committed_at) < now() - make_interval(secs => $1) limit ${MOST}`,
    [seconds]
  )
  return rows
}

/** A place outside that lacks the newest checkpoint of a jurisdiction. */
export interface MissingDelivery {
  readonly jurisdiction: string
  /** Of the places asked about, from 1: an address may hold a secret. */
  readonly place: number
  readonly failures: number
}

/** Places that have lacked a jurisdiction's newest checkpoint for so many seconds. */
export async function listMissingDeliveries(
  db: Queryable,
  destinations: readonly string[],
  seconds: number
): Promise<MissingDelivery[]> {
  const { rows } = await db.query<MissingDelivery>(
    `${SEALED_JURISDICTIONS}
     select k.jurisdiction, d.place::int as place, coalesce(s.failures, 0) as failures
     from code cross join lateral (select a.jurisdiction, a.size, a.created_at from audit_checkpoint a
       where a.jurisdiction = code.jurisdiction order by a.size desc limit 1) k
     cross join unnest($1::text[]) with ordinality d(destination, place)
     left join checkpoint_delivery s on s.jurisdiction = k.jurisdiction and s.destination = d.destination
     where coalesce(s.size, 0) < k.size and (k.created_at < now() - make_interval(secs => $2) or s.failures > 3)
     order by 1, 2 limit ${MOST}`,
    [destinations, seconds]
  )
  return rows
}

/** Workers that gave a sign of life within so many seconds. */
export async function countWorkers(db: Queryable, seconds: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from worker where seen_at > now() - make_interval(secs => $1)',
    [seconds]
  )
  return rows[0]?.count ?? 0
}
