import type { Lane } from '../../model/states.ts'
import type { Queryable } from '../pool.ts'

/** What a pause holds back; null stands for all of them, and one of the two is always named. */
export interface PauseScope {
  readonly jurisdiction: string | null
  readonly lane: Lane | null
}

export interface Pause extends PauseScope {
  readonly id: string
  readonly reason: string
  readonly pausedBy: string
  readonly pausedAt: Date
}

const PAUSE = `id, jurisdiction, lane, reason, paused_by as "pausedBy", paused_at as "pausedAt"`

/** Begins a pause; undefined when there is one of exactly this scope already. */
export async function insertPause(
  db: Queryable,
  pause: PauseScope & { readonly id: string; readonly reason: string; readonly actor: string }
): Promise<Pause | undefined> {
  const { rows } = await db.query<Pause>(
    `insert into work_pause (id, jurisdiction, lane, reason, paused_by) values ($1, $2, $3, $4, $5)
     on conflict (coalesce(jurisdiction, ''), coalesce(lane, '')) where resumed_at is null do nothing
     returning ${PAUSE}`,
    [pause.id, pause.jurisdiction, pause.lane, pause.reason, pause.actor]
  )
  return rows[0]
}

/** Ends the pause of exactly this scope; undefined when there is none. */
export async function endPause(
  db: Queryable,
  end: PauseScope & { readonly reason: string; readonly actor: string }
): Promise<Pause | undefined> {
  const { rows } = await db.query<Pause>(
    `update work_pause set resumed_at = now(), resumed_by = $3, resume_reason = $4
     where resumed_at is null and jurisdiction is not distinct from $1 and lane is not distinct from $2
     returning ${PAUSE}`,
    [end.jurisdiction, end.lane, end.actor, end.reason]
  )
  return rows[0]
}

/** Pauses in force, the oldest first: those of these jurisdictions and those of all; null for every one. */
export async function listPauses(db: Queryable, jurisdictions: readonly string[] | null): Promise<Pause[]> {
  const { rows } = await db.query<Pause>(
    `select ${PAUSE} from work_pause
     where resumed_at is null and ($1::text[] is null or jurisdiction is null or jurisdiction = any($1))
     order by paused_at, id`,
    [jurisdictions]
  )
  return rows
}
