import type { Queryable } from '../db/pool.ts'
import { listFeeSchedules } from '../db/registries/fee-schedules.ts'
import { listParcels, listProperties, listZoning } from '../db/registries/tables.ts'
import {
  type Adapter,
  ALL_SCHEDULES,
  type Answer,
  MAX_CANDIDATES,
  type RegistryKind,
  type RegistryRecord
} from './registry.ts'

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

type Found = readonly [key: string, record: RegistryRecord]

function answersOf(keys: readonly string[], found: readonly Found[]): Map<string, Answer> {
  const byKey = new Map<string, RegistryRecord[]>()
  for (const [key, record] of found) {
    const known = byKey.get(key)
    if (known) known.push(record)
    else byKey.set(key, [record])
  }
  return new Map(keys.map(key => [key, answerOf(byKey.get(key))]))
}

const table = (
  kind: RegistryKind,
  list: (keys: readonly string[], asOf: string) => Promise<readonly Found[]>
): Adapter => ({
  kind,
  keysPerCall: KEYS_PER_STATEMENT,
  lookUp: async (keys, { asOf }) => answersOf(keys, await list(keys, asOf))
})

const parcelTable = (db: Queryable, jurisdiction: string): Adapter =>
  table('parcel', async (keys, asOf) =>
    (await listParcels(db, { jurisdiction, keys, asOf })).map(({ key, ...parcel }): Found => [key, parcel])
  )

const zoningTable = (db: Queryable, jurisdiction: string): Adapter =>
  table('zoning', async (keys, asOf) =>
    (await listZoning(db, { jurisdiction, keys, asOf })).map((row): Found => [row.parcelId, { ...row }])
  )

const propertyTable = (db: Queryable, jurisdiction: string): Adapter =>
  table('property', async (keys, asOf) =>
    (await listProperties(db, { jurisdiction, keys, asOf })).map((row): Found => [row.propertyId, { ...row }])
  )

/** All fee schedules under one key: which of them is in force on a day is told from them. */
const feeScheduleTable = (db: Queryable, jurisdiction: string): Adapter => ({
  kind: 'feeSchedule',
  keysPerCall: 1,
  async lookUp() {
    const rows = await listFeeSchedules(db, jurisdiction)
    const schedules = rows.map(row => ({ ...row }))
    return new Map([[ALL_SCHEDULES, { kind: 'match', value: { schedules } }]])
  }
})

const TABLES = { parcel: parcelTable, zoning: zoningTable, property: propertyTable, feeSchedule: feeScheduleTable }

/**
 * The registry of a kind that is kept in our own tables; a set of keys is one statement. The database being away is a
 * fault of ours and is thrown, never an answer.
 */
export const openTable = (db: Queryable, jurisdiction: string, kind: RegistryKind): Adapter =>
  TABLES[kind](db, jurisdiction)
