import type { Queryable } from '../pool.ts'

/** Says that a worker lives; its first sign enters it. */
export async function giveSign(db: Queryable, id: string, host: string): Promise<void> {
  await db.query(`insert into worker (id, host) values ($1, $2) on conflict (id) do update set seen_at = now()`, [
    id,
    host
  ])
}

/** Takes a worker off the list that has ended in order. */
export async function removeWorker(db: Queryable, id: string): Promise<void> {
  await db.query('delete from worker where id = $1', [id])
}

export interface Sign {
  readonly id: string
  /** The moment of its last sign as text: another text is another sign. */
  readonly seenAt: string
  readonly isSilent: boolean
}

/** The last signs of these workers; `isSilent` after so many seconds without one, by the database's clock. */
export async function lastSigns(db: Queryable, ids: readonly string[], silentSeconds: number): Promise<Sign[]> {
  const { rows } = await db.query<{ id: string; seenAt: string; isSilent: boolean }>(
    `select id, seen_at::text as "seenAt", seen_at < now() - make_interval(secs => $2) as "isSilent"
     from worker where id = any($1::uuid[])`,
    [ids, silentSeconds]
  )
  return rows
}

/** A living worker gives a sign every ten seconds. */
const ENDED_SECONDS = 25

/** How many workers gave their last sign within so many seconds and have given none since: they did not end in order. */
export async function countEndedWorkers(db: Queryable, withinSeconds: number): Promise<number> {
  const { rows } = await db.query<{ ended: number }>(
    `select count(*)::int as ended from worker
     where seen_at between now() - make_interval(secs => $1) and now() - make_interval(secs => $2)`,
    [withinSeconds, ENDED_SECONDS]
  )
  return rows[0]?.ended ?? 0
}

/** Forgets workers without a sign for so many days; answers how many. */
export async function forgetWorkers(db: Queryable, days: number): Promise<number> {
  const { rowCount } = await db.query('delete from worker where seen_at < now() - make_interval(days => $1)', [days])
  return rowCount ?? 0
}
