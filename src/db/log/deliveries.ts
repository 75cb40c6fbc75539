import type { Queryable } from '../pool.ts'

/** A checkpoint that a place outside does not have yet. */
export interface DueDelivery {
  readonly jurisdiction: string
  readonly destination: string
  readonly size: number
  readonly note: string
}

/** Every jurisdiction that has a checkpoint, and one null, from one step of an index each: the table `code`. */
export const SEALED_JURISDICTIONS = `with recursive code as (
       (select jurisdiction from audit_checkpoint order by jurisdiction limit 1)
       union all
       select (select k.jurisdiction from audit_checkpoint k where k.jurisdiction > c.jurisdiction order by 1 limit 1)
       from code c where c.jurisdiction is not null
     )`

/** The newest checkpoint of every jurisdiction for each destination that lacks it and is not waiting after a failure. */
export async function listDueDeliveries(
  db: Queryable,
  destinations: readonly string[],
  limit: number
): Promise<DueDelivery[]> {
  const { rows } = await db.query<DueDelivery>(
    `${SEALED_JURISDICTIONS}
     select code.jurisdiction, d.destination, k.size, k.note
     from code
     cross join unnest($1::text[]) d(destination)
     cross join lateral (select size, note from audit_checkpoint a where a.jurisdiction = code.jurisdiction
       order by size desc limit 1) k
     left join checkpoint_delivery s on s.jurisdiction = code.jurisdiction and s.destination = d.destination
     where s.size is null or (s.size < k.size and s.next_at <= now())
     order by s.delivered_at nulls first limit $2`,
    [destinations, limit]
  )
  return rows
}

/** Notes that a destination has a jurisdiction's checkpoint of this size. */
export async function noteDelivered(db: Queryable, delivery: Omit<DueDelivery, 'note'>): Promise<void> {
  await db.query(
    `insert into checkpoint_delivery (jurisdiction, destination, size, delivered_at) values ($1, $2, $3, now())
     on conflict (jurisdiction, destination) do update set size = greatest(checkpoint_delivery.size, excluded.size),
       delivered_at = now(), failures = 0, fault = null, next_at = now()`,
    [delivery.jurisdiction, delivery.destination, delivery.size]
  )
}

/** Notes that it could not be delivered; it is tried again after 2, 4, 8 … seconds, at most 5 minutes. */
export async function noteUndelivered(
  db: Queryable,
  delivery: Omit<DueDelivery, 'note' | 'size'>,
  fault: string
): Promise<void> {
  await db.query(
    `insert into checkpoint_delivery as s (jurisdiction, destination, failures, fault, next_at)
     values ($1, $2, 1, $3, now() + interval '2 seconds')
     on conflict (jurisdiction, destination) do update set failures = s.failures + 1, fault = excluded.fault,
       next_at = now() + make_interval(secs => least(300, 2 ^ least(s.failures + 1, 9)))`,
    [delivery.jurisdiction, delivery.destination, fault]
  )
}
