import { type NamedChunk, type NamedRecord, selectNamedChunks } from '../../db/review/corrections.ts'
import type { ChunkWork } from '../../db/work/chunks.ts'
import type { RawRow } from '../../model/rows.ts'
import type { Profile } from '../../profiles/profile.ts'
import { fromStored } from '../split/file-format.ts'
import type { ReadDeps } from '../work/pipeline-deps.ts'
import { refusedKey } from '../work/record-key.ts'
import { readAgain } from './outgoing/read-again.ts'
import { cellsUnder, fieldColumns, storedCells } from './outgoing/source-cells.ts'

/** Cells by column, without the empty ones, as one text. */
const filled = (names: readonly string[], cells: readonly string[]): string =>
  JSON.stringify(
    names
      .map((name, at): [string, string] => [name, cells[at] ?? ''])
      .filter(([, text]) => text !== '')
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  )

const filledOf = (row: RawRow): string => filled(row.names, cellsUnder(row.names)(row))

/** Whether a row has no text at all: a row that could not be cut into cells goes out like that. */
export const isEmptyRow = (row: RawRow): boolean => row.values.every(value => value === null || value === '')

const isDelimited = (chunk: NamedChunk): boolean =>
  chunk.format !== null && fromStored(chunk.format).tabular.kind === 'delimited'

async function rowsOfChunk(deps: ReadDeps, chunk: NamedChunk, records: readonly NamedRecord[]) {
  if (chunk.kind !== 'rows' || chunk.byteStart === null || chunk.format === null) return undefined
  const items = new Set(records.map(record => record.item))
  return readAgain(deps.store, { payloadUri: chunk.payloadUri, format: fromStored(chunk.format) }, chunk, items)
}

/** What went out for records whose content key does not tell: by id, as `filledOf` gives it. */
async function sentOut(
  deps: ReadDeps,
  chunk: ChunkWork,
  profile: Profile,
  records: readonly NamedRecord[]
): Promise<ReadonlyMap<string, string>> {
  const chunks = await selectNamedChunks(deps.pool, chunk.jurisdiction, [...new Set(records.map(one => one.chunkId))])
  const out = new Map<string, string>()
  for (const [id, from] of chunks) {
    if (isDelimited(from)) continue
    const own = records.filter(record => record.chunkId === id)
    const rows = await rowsOfChunk(deps, from, own)
    for (const record of own) {
      const row = rows?.get(record.item)
      const place = { jurisdiction: chunk.jurisdiction, item: record.item, line: record.line, format: from.format }
      out.set(
        record.id,
        row === undefined ? filled(fieldColumns(profile), storedCells(profile, record, place)) : filledOf(row)
      )
    }
  }
  return out
}

export interface NamedRow {
  readonly row: RawRow
  readonly record: NamedRecord
  /** Key of the row's own content. Hex. */
  readonly key: string
}

/** Ids of records whose rows came back just as they went out. */
export async function unchangedRecords(
  deps: ReadDeps,
  chunk: ChunkWork,
  profile: Profile,
  named: readonly NamedRow[]
): Promise<ReadonlySet<string>> {
  const same = new Set<string>()
  const open: NamedRow[] = []
  for (const one of named) {
    const { idempotencyKey } = one.record
    const isSame = one.key === idempotencyKey || refusedKey(one.key) === idempotencyKey
    if (isSame || isEmptyRow(one.row)) same.add(one.record.id)
    else open.push(one)
  }
  if (open.length === 0) return same
  const records = open.map(({ record }) => record)
  const out = await sentOut(deps, chunk, profile, records)
  for (const { row, record } of open) if (out.get(record.id) === filledOf(row)) same.add(record.id)
  return same
}
