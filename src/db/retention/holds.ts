import type { Queryable, Tx } from '../pool.ts'

/** Which of these records must not be erased: a hold is on them or on their batch. */
export async function selectHeld(
  db: Pick<Queryable, 'query'>,
  jurisdiction: string,
  recordIds: readonly string[]
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select r.id from record r where r.jurisdiction = $1 and r.id = any($2::uuid[]) and exists (
       select 1 from legal_hold h where h.jurisdiction = $1 and h.lifted_at is null and h.subject_id in (r.id, r.batch_id))`,
    [jurisdiction, recordIds]
  )
  return rows.map(row => row.id)
}

/** Places a hold; false when there is one. */
export async function insertHold(
  tx: Tx,
  hold: {
    readonly jurisdiction: string
    readonly id: string
    readonly kind: 'batch' | 'record'
    readonly subjectId: string
    readonly actor: string
  }
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into legal_hold (jurisdiction, id, kind, subject_id, placed_by) values ($1, $2, $3, $4, $5)
     on conflict (jurisdiction, subject_id) where lifted_at is null do nothing`,
    [hold.jurisdiction, hold.id, hold.kind, hold.subjectId, hold.actor]
  )
  return rowCount === 1
}

/** Lifts the hold on a batch or record; false when there is none. */
export async function liftHold(tx: Tx, jurisdiction: string, subjectId: string, actor: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update legal_hold set lifted_by = $3, lifted_at = now()
     where jurisdiction = $1 and subject_id = $2 and lifted_at is null`,
    [jurisdiction, subjectId, actor]
  )
  return rowCount === 1
}
