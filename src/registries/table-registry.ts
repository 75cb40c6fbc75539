import type { Queryable } from '../db/pool.ts'
import { listFeeSchedules } from '../db/registries/fee-schedules.ts'
import { listParcels, type ParcelRow } from '../db/registries/tables.ts'
import type { Json } from '../model/json.ts'
import { type Adapter, ALL_SCHEDULES, type Answer, MAX_CANDIDATES, type RegistryRecord } from './registry.ts'

/** More than a chunk ever holds: its keys go in one statement. */
const KEYS_PER_STATEMENT = 10_000

const NO_MATCH: Answer = { kind: 'no_match' }

function answerOf(found: readonly RegistryRecord[] | undefined): Answer {
  const [first, ...others] = found ?? []
  if (!first) return NO_MATCH
  if (others.length === 0) return { kind: 'match', value: first }
  const candidates = [first, ...others]
  return { kind: 'several', candidates: candidates.slice(0, MAX_CANDIDATES), more: candidates.length > MAX_CANDIDATES }
}

function answersOf(keys: readonly string[], rows: readonly (readonly [string, RegistryRecord])[]): Map<string, Answer> {
  const byKey = new Map<string, RegistryRecord[]>()
  for (const [key, record] of rows) {
    const known = byKey.get(key)
    if (known) known.push(record)
    else byKey.set(key, [record])
  }
  return new Map(keys.map(key => [key, answerOf(byKey.get(key))]))
}

const parcelRecord = ({ parcelId, zoningCode, siteAddress }: ParcelRow): RegistryRecord => ({
  parcelId,
  zoningCode,
  siteAddress
})

/** Parcels kept in our own tables. The database being away is a fault of ours and is thrown, never an answer. */
export const parcelTable = (db: Queryable, jurisdiction: string): Adapter => ({
  kind: 'parcel',
  keysPerCall: KEYS_PER_STATEMENT,
  async lookUp(keys, { asOf }) {
    const rows = await listParcels(db, jurisdiction, keys, asOf)
    return answersOf(
      keys,
      rows.map(row => [row.parcelId, parcelRecord(row)])
    )
  }
})

/** Fee schedules kept in our own tables, all of them under one key: which is in force on a day is told from them. */
export const feeScheduleTable = (db: Queryable, jurisdiction: string): Adapter => ({
  kind: 'feeSchedule',
  keysPerCall: 1,
  async lookUp() {
    const rows = await listFeeSchedules(db, jurisdiction)
    const schedules = rows.map(row => ({ ...row, brackets: row.brackets as Json }))
    return new Map([[ALL_SCHEDULES, { kind: 'match', value: { schedules } }]])
  }
})
