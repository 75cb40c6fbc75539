import type { CheckName } from '../../../../src/audit/verify/checks.ts'
import type { Planter } from '../plant.ts'

export interface Fault {
  readonly check: CheckName
  /** What is done to the data. */
  readonly by: string
  /** Plants the fault and answers the id that the check must name. */
  readonly plant: (db: Planter) => Promise<string>
  /** What else is then wrong. */
  readonly also?: readonly CheckName[]
}

export const fault = (
  check: CheckName,
  by: string,
  plant: string | Fault['plant'],
  also: readonly CheckName[] = []
): Fault => ({
  check,
  by,
  plant: typeof plant === 'string' ? db => db.run(plant) : plant,
  also
})

/** One row of a table, the same each time. */
export const one = (table: string, where: string): string =>
  `(select id from ${table} where ${where} order by id limit 1)`
export const RECORD = one('record', `state = 'accepted' and natural_key = 'permit-3'`)
export const RELEASED = one('record', `state = 'accepted' and duplicate_of is null and audit_seq = 2`)
export const HELD = one('record', `state = 'quarantined' and duplicate_of is null`)
export const FOLLOWER = one('record', `state = 'quarantined' and duplicate_of is not null`)
export const DUPLICATE = one('record', `state = 'accepted' and duplicate_of is not null and audit_seq = 1`)
export const DOWNLOADED = one(
  'record',
  `state = 'rejected' and duplicate_of is null and decision is null and audit_seq = 2`
)
export const BATCH = one('batch', `state = 'completed'`)
export const CANCELLED = one('batch', `state = 'cancelled'`)
export const OPEN = one('batch', `state = 'queued'`)
export const FILE = one('file', 'true')
export const FULL = one('chunk', `state = 'committed' and kind = 'rows' and record_count > 2`)

export const idOf = (db: Planter, row: string): Promise<string> => db.run(`select ${row}`)
export const forged =
  (row: string, seq: number, change: Parameters<Planter['forge']>[2]): Fault['plant'] =>
  async db =>
    db.forge(await idOf(db, row), seq, change)
