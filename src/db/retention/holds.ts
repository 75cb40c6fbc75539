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

/** What is on hold of what an object of the store holds: its batch, or records in it that were not erased. */
export async function selectHeldInside(
  db: Pick<Queryable, 'query'>,
  jurisdiction: string,
  fileId: string
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `with recursive inside as (
       select batch_id, id, number from file where jurisdiction = $1 and id = $2
       union all
       select f.batch_id, f.id, f.number from inside i
       join file f on f.jurisdiction = $1 and f.batch_id = i.batch_id and f.archive_id = i.id
     )
     select h.subject_id as id from legal_hold h where h.jurisdiction = $1 and h.lifted_at is null and (
       h.subject_id = (select batch_id from file where jurisdiction = $1 and id = $2)
       or exists (select 1 from record r join inside i on i.batch_id = r.batch_id and i.number = r.file_number
         where r.jurisdiction = $1 and r.id = h.subject_id
           and not exists (select 1 from record_erasure e where e.jurisdiction = $1 and e.record_id = r.id)))
     order by 1`,
    [jurisdiction, fileId]
  )
  return rows.map(row => row.id)
}

/** Keeps the file of a record, and what that came in, from being removed until the transaction ends. */
export async function lockFilesOf(tx: Tx, jurisdiction: string, recordId: string): Promise<void> {
  await tx.query(
    `select 1 from file where jurisdiction = $1 and id in (
       with recursive around as (
         select f.id, f.archive_id from record r join file f on f.jurisdiction = $1 and f.id = r.file_id
         where r.jurisdiction = $1 and r.id = $2
         union all
         select f.id, f.archive_id from around a join file f on f.jurisdiction = $1 and f.id = a.archive_id
       ) select id from around)
     order by id for share`,
    [jurisdiction, recordId]
  )
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
