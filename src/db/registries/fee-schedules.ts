import type { Queryable } from '../pool.ts'

export interface FeeScheduleRow {
  readonly id: string
  /** Null: for every type of permit without a schedule of its own. */
  readonly permitTypeCode: string | null
  /** `YYYY-MM-DD`. */
  readonly effectiveFrom: string
  /** The first day it is no longer in force; null: without end. */
  readonly effectiveTo: string | null
  /** As loaded. */
  readonly brackets: unknown
}

/** All fee schedules of a jurisdiction, past and future ones too: there are few. */
export async function listFeeSchedules(db: Queryable, jurisdiction: string): Promise<FeeScheduleRow[]> {
  const { rows } = await db.query<FeeScheduleRow>(
    `select id, permit_type_code as "permitTypeCode", effective_from as "effectiveFrom",
       effective_to as "effectiveTo", brackets
     from registry_fee_schedule where jurisdiction = $1 order by id`,
    [jurisdiction]
  )
  return rows
}
