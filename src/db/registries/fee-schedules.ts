import type { Json } from '../../model/json.ts'
import type { Queryable, Tx } from '../pool.ts'

export interface FeeScheduleRow {
  readonly id: string
  /** Of a table of brackets; null: for every type of permit without a schedule of its own. */
  readonly permitTypeCode: string | null
  /** `YYYY-MM-DD`. */
  readonly effectiveFrom: string
  /** The first day it is no longer in force; null: without end. */
  readonly effectiveTo: string | null
  /** A table of brackets, as loaded before schedules had lines; null beside a definition. */
  readonly brackets: Json
  /** The whole schedule as in its file; null beside brackets. */
  readonly definition: Json
  readonly version: number
}

/** All fee schedules of a jurisdiction, past and future ones too: there are few. */
export async function listFeeSchedules(db: Queryable, jurisdiction: string): Promise<FeeScheduleRow[]> {
  const { rows } = await db.query<FeeScheduleRow>({
    name: 'list-fee-schedules',
    text: `select id, permit_type_code as "permitTypeCode", effective_from as "effectiveFrom",
       effective_to as "effectiveTo", brackets, definition, version
     from registry_fee_schedule where jurisdiction = $1 order by id`,
    values: [jurisdiction]
  })
  return rows
}

/** Lets one load of a jurisdiction's schedules go on at a time, until the transaction ends. */
export async function lockFeeSchedules(tx: Tx, jurisdiction: string): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, 40))`, [jurisdiction])
}

export interface NewFeeSchedule {
  readonly id: string
  readonly effectiveFrom: string
  readonly effectiveTo: string | null
  readonly definition: Json
}

/**
 * Makes these the current schedules of their ids. Each becomes the next version of its id and is kept as such for ever, and
 * so is what it takes the place of, where that was never kept. Under `lockFeeSchedules`.
 */
export async function saveFeeSchedules(
  tx: Tx,
  jurisdiction: string,
  schedules: readonly NewFeeSchedule[],
  loadedBy: string
): Promise<void> {
  const ids = schedules.map(({ id }) => id)
  await tx.query(
    `insert into registry_fee_schedule_version
       (jurisdiction, id, version, effective_from, effective_to, definition, brackets, loaded_by, loaded_at)
     select s.jurisdiction, s.id, s.version, s.effective_from, s.effective_to, s.definition, s.brackets, 'unknown', s.loaded_at
     from registry_fee_schedule s where s.jurisdiction = $1 and s.id = any($2::text[])
     on conflict do nothing`,
    [jurisdiction, ids]
  )
  await tx.query(
    `with given as (
       select * from jsonb_to_recordset($2::jsonb)
         as g(id text, "effectiveFrom" date, "effectiveTo" date, definition jsonb)
     ), saved as (
       insert into registry_fee_schedule as s (jurisdiction, id, effective_from, effective_to, definition)
       select $1, id, "effectiveFrom", "effectiveTo", definition from given
       on conflict (jurisdiction, id) do update set effective_from = excluded.effective_from,
         effective_to = excluded.effective_to, definition = excluded.definition, brackets = null,
         permit_type_code = null, version = s.version + 1, loaded_at = now()
       returning *
     )
     insert into registry_fee_schedule_version
       (jurisdiction, id, version, effective_from, effective_to, definition, loaded_by)
     select jurisdiction, id, version, effective_from, effective_to, definition, $3 from saved`,
    [jurisdiction, JSON.stringify(schedules), loadedBy]
  )
}
