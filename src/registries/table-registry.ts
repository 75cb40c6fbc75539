import { isDeepStrictEqual } from 'node:util'
import type { Queryable } from '../db/pool.ts'
import { listFeeSchedules } from '../db/registries/fee-schedules.ts'
import { listEquivalentParcels, listParcels, listProperties, listZoning } from '../db/registries/tables.ts'
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

/** Entries as they come from the database: each row is the record, made for it alone. */
type Entries = readonly RegistryRecord[]

/** One more entry of a key. */
function withEntry(known: Answer, record: RegistryRecord): Answer {
  if (known.kind === 'no_match') return { kind: 'match', value: record }
  if (known.kind === 'match') return { kind: 'several', candidates: [known.value, record], more: false }
  if (known.candidates.length >= MAX_CANDIDATES) return { ...known, more: true }
  return { ...known, candidates: [...known.candidates, record] }
}

/** Nearly every key has one entry: nothing is made for it but its answer. */
function answersOf(keys: readonly string[], entries: Entries, keyOf: (entry: RegistryRecord) => string) {
  const answers = new Map<string, Answer>()
  for (const entry of entries) {
    const key = keyOf(entry)
    const known = answers.get(key)
    answers.set(key, known === undefined ? { kind: 'match', value: entry } : withEntry(known, entry))
  }
  if (answers.size < keys.length) for (const key of keys) if (!answers.has(key)) answers.set(key, NO_MATCH)
  return answers
}

/** The registry of a kind whose entries are found by the key they hold as `member`. */
const table = (
  kind: RegistryKind,
  member: string,
  list: (keys: readonly string[], asOf: string) => Promise<Entries>
): Adapter => ({
  kind,
  keysPerCall: KEYS_PER_STATEMENT,
  lookUp: async (keys, { asOf }) => answersOf(keys, await list(keys, asOf), entry => entry[member] as string)
})

/** Parcels by their ids and, where there is none of that id, by declared equivalents. */
const parcelTable = (db: Queryable, jurisdiction: string): Adapter => {
  const byId = table('parcel', 'parcelId', async (keys, asOf) =>
    toEntries(await listParcels(db, { jurisdiction, keys, asOf }))
  )
  return {
    ...byId,
    async lookUp(keys, context) {
      const answers = new Map(await byId.lookUp(keys, context))
      const missing = keys.filter(key => answers.get(key)?.kind === 'no_match')
      if (missing.length === 0) return answers
      const others = await listEquivalentParcels(db, { jurisdiction, keys: missing, asOf: context.asOf })
      for (const { key, ...parcel } of others) {
        answers.set(key, withEntry(answers.get(key) ?? NO_MATCH, parcel))
      }
      return answers
    }
  }
}

/** Rows of a type of their own, as records. */
const toEntries = (rows: readonly object[]): Entries => rows as Entries

const zoningTable = (db: Queryable, jurisdiction: string): Adapter =>
  table('zoning', 'parcelId', async (keys, asOf) => toEntries(await listZoning(db, { jurisdiction, keys, asOf })))

const propertyTable = (db: Queryable, jurisdiction: string): Adapter =>
  table('property', 'propertyId', async (keys, asOf) =>
    toEntries(await listProperties(db, { jurisdiction, keys, asOf }))
  )

/** How long it is remembered what schedules there are: no longer than which registries there are. */
const REMEMBER_MS = 1000

/** All fee schedules under one key: which of them is in force on a day is told from them. */
const feeScheduleTable = (db: Queryable, jurisdiction: string, now: () => number): Adapter => {
  let last: { readonly rows: Entries; readonly answers: ReadonlyMap<string, Answer> } | undefined
  let until = Number.NEGATIVE_INFINITY
  return {
    kind: 'feeSchedule',
    keysPerCall: 1,
    async lookUp() {
      if (last !== undefined && now() < until) return last.answers
      const begun = now()
      const rows = toEntries(await listFeeSchedules(db, jurisdiction))
      // The same list while nothing of it has changed: what is made of its schedules is known of it.
      if (last === undefined || !isDeepStrictEqual(last.rows, rows)) {
        last = { rows, answers: new Map([[ALL_SCHEDULES, { kind: 'match', value: { schedules: rows } }]]) }
      }
      until = begun + REMEMBER_MS
      return last.answers
    }
  }
}

const TABLES = { parcel: parcelTable, zoning: zoningTable, property: propertyTable, feeSchedule: feeScheduleTable }

/**
 * The registry of a kind that is kept in our own tables; a set of keys is one statement. The database being away is a
 * fault of ours and is thrown, never an answer. `now`: monotonic milliseconds.
 */
export const openTable = (db: Queryable, jurisdiction: string, kind: RegistryKind, now: () => number): Adapter =>
  TABLES[kind](db, jurisdiction, now)
