import type { Pool } from '../../../db/pool.ts'
import {
  type HeldChunk,
  type HeldFile,
  type HeldRow,
  listHeldChunks,
  listHeldRows
} from '../../../db/review/held-rows.ts'
import { AppError, PAYLOAD_FAULTS } from '../../../errors.ts'
import type { RawRow } from '../../../model/rows.ts'
import type { Profile } from '../../../profiles/profile.ts'
import type { PayloadStore } from '../../../storage/payload-store.ts'
import { MAX_COLUMNS } from '../../../tabular/format.ts'
import { DelimitedWriter } from '../../../tabular/write/delimited-writer.ts'
import { guardCell } from '../../../tabular/write/formula-guard.ts'
import { fromStored } from '../../split/file-format.ts'
import { OWN_COLUMNS, ownCells, sourceColumns } from '../own-columns.ts'
import { readAgain } from './read-again.ts'
import { cellsUnder, fieldColumns, storedCells } from './source-cells.ts'
import { writtenForm } from './written-form.ts'

export interface ErrorsFileDeps {
  readonly pool: Pool
  readonly store: PayloadStore
}

export interface ErrorsFileWork {
  readonly jurisdiction: string
  readonly batchId: string
  readonly profile: Profile
  /** One file whose rows are read again, or any number of files whose records are told by their fields. */
  readonly files: readonly HeldFile[]
}

/** A held record with its row, where that is read again. */
interface Held {
  readonly record: HeldRow
  readonly row: RawRow | undefined
  readonly file: HeldFile
}

const PAGE = 100

/** The last item of a chunk of a file that is not cut by rows. */
const LAST_ITEM = 2_147_483_647

async function* heldChunks(deps: ErrorsFileDeps, work: ErrorsFileWork, file: HeldFile): AsyncGenerator<HeldChunk> {
  let after = -1
  for (;;) {
    const chunks = await listHeldChunks(deps.pool, { ...work, number: file.number }, after, PAGE)
    yield* chunks
    if (chunks.length < PAGE) return
    after = chunks.at(-1)?.firstItem ?? LAST_ITEM
  }
}

/** No rows where the bytes are gone or altered: their records go out with nothing but what names them. */
async function rowsOf(
  deps: ErrorsFileDeps,
  file: Parameters<typeof readAgain>[1],
  chunk: HeldChunk,
  items: ReadonlySet<number>
): Promise<ReadonlyMap<number, RawRow>> {
  try {
    return await readAgain(deps.store, file, chunk, items)
  } catch (error) {
    if (error instanceof AppError && PAYLOAD_FAULTS.has(error.code)) return new Map()
    throw error
  }
}

/** Held records of a file, a chunk's at a time. Memory does not grow with the file: one chunk is looked at. */
async function* heldOf(deps: ErrorsFileDeps, work: ErrorsFileWork, file: HeldFile): AsyncGenerator<Held[]> {
  const format = file.hasRows && file.format !== null ? fromStored(file.format) : null
  for await (const chunk of heldChunks(deps, work, file)) {
    const to = format === null ? LAST_ITEM : chunk.firstItem + chunk.records - 1
    const range = { from: chunk.firstItem, to }
    const records = await listHeldRows(deps.pool, { ...work, number: file.number }, chunk.id, range)
    if (records.length === 0) continue
    const items = new Set(records.map(record => record.item))
    const rows = format === null ? undefined : await rowsOf(deps, { ...file, format }, chunk, items)
    yield records.map(record => ({ record, file, row: rows?.get(record.item) }))
  }
}

/** Members of the held records of a JSON file, in the order in which they first come. */
async function memberNames(deps: ErrorsFileDeps, work: ErrorsFileWork, file: HeldFile): Promise<string[]> {
  const names = new Set<string>()
  for await (const held of heldOf(deps, work, file)) {
    for (const name of held.flatMap(({ row }) => row?.names ?? [])) names.add(name)
    if (names.size > MAX_COLUMNS) break
  }
  return [...names].slice(0, MAX_COLUMNS)
}

async function columnsOf(deps: ErrorsFileDeps, work: ErrorsFileWork): Promise<readonly string[]> {
  const [file] = work.files
  if (!file?.hasRows || file.format === null) return fieldColumns(work.profile)
  const { tabular } = fromStored(file.format)
  return tabular.kind === 'delimited' ? sourceColumns(tabular.columns) : memberNames(deps, work, file)
}

function cellsWith(work: ErrorsFileWork, columns: readonly string[]): (held: Held) => string[] {
  const cells = cellsUnder(columns)
  return ({ record, row, file }) => {
    if (row !== undefined) return [...cells(row), ...ownCells(record, row.fault === undefined ? undefined : row.source)]
    if (file.hasRows) return [...columns.map(() => ''), ...ownCells(record)]
    const { item, line } = record
    const place = { jurisdiction: work.jurisdiction, item, line, format: file.format }
    return [...storedCells(work.profile, record, place), ...ownCells(record)]
  }
}

/**
 * The held records of a batch as a file that can be mended and sent again: the columns and texts of the source in its own
 * encoding and dialect, and the columns that name the record and its reasons. No cell begins like a formula. Memory is
 * that of one chunk.
 */
export async function* errorsFile(deps: ErrorsFileDeps, work: ErrorsFileWork): AsyncGenerator<Buffer> {
  const columns = await columnsOf(deps, work)
  const writer = new DelimitedWriter(await writtenForm(deps.store, work.files[0]))
  const write = (cells: readonly string[]): Buffer => writer.row(cells.map(guardCell))
  yield Buffer.concat([writer.start(), write([...columns, ...OWN_COLUMNS])])
  const cellsOf = cellsWith(work, columns)
  for (const file of work.files) {
    for await (const held of heldOf(deps, work, file)) yield Buffer.concat(held.map(one => write(cellsOf(one))))
  }
}
