import type { Json } from '../../model/json.ts'
import { readFeeSchedule } from './read-schedule.ts'
import type { FeeSchedule } from './schedule.ts'

/** A line of the bracket tables that were stored before schedules had lines. */
interface OldBracket {
  readonly over: string
  readonly upTo: string | null
  readonly base: string
  readonly rate: string
  readonly unit: string
}

/** A fee schedule as a row of the database tells it; old rows have a table of brackets and no definition. */
export interface StoredSchedule {
  readonly id: string
  readonly permitTypeCode: string | null
  readonly effectiveFrom: string
  readonly effectiveTo: string | null
  readonly brackets: Json
  readonly definition: Json
}

/** A table of brackets charged what its valuation says, rounded half up to the cent: a schedule of one line. */
function fromBrackets({ id, permitTypeCode, effectiveFrom, effectiveTo, brackets }: StoredSchedule): unknown {
  return {
    id,
    permit_types: permitTypeCode === null ? null : [permitTypeCode],
    effective_from: effectiveFrom,
    effective_to: effectiveTo,
    lines: [
      {
        name: 'permit_fee',
        kind: 'brackets',
        of: 'project_valuation',
        brackets: (brackets as unknown as readonly OldBracket[]).map(({ upTo, ...bracket }) => ({
          ...bracket,
          to: upTo
        }))
      }
    ]
  }
}

const known = new WeakMap<readonly StoredSchedule[], readonly FeeSchedule[]>()

/**
 * The schedules of stored rows, read once for each list of them. Throws `FEE_SCHEDULE_INVALID` for rows that were not
 * written by this program.
 */
export function schedulesOf(rows: readonly StoredSchedule[]): readonly FeeSchedule[] {
  let schedules = known.get(rows)
  if (schedules === undefined) {
    schedules = rows.map(row => readFeeSchedule(row.definition ?? fromBrackets(row)))
    known.set(rows, schedules)
  }
  return schedules
}
