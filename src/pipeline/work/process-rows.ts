import type { ChunkWork } from '../../db/work/chunks.ts'
import { AppError } from '../../errors.ts'
import type { RawRow } from '../../model/rows.ts'
import type { Candidate, PlainReading } from '../../profiles/candidate.ts'
import type { Profile } from '../../profiles/profile.ts'
import { datedCells } from '../../profiles/tabular/dated-cells.ts'
import { type ColumnOf, plainRows } from '../../profiles/tabular/plain/plain-rows.ts'
import { rowMapper } from '../../profiles/tabular/row-mapper.ts'
import { contentKeyText } from '../../tabular/content-key.ts'
import { readRows } from '../../tabular/split-file.ts'
import { inheritedFormat } from '../corrections/inherited-format.ts'
import { type RowsToRead, rowsToRead } from '../corrections/rows-to-read.ts'
import { enrichDrafts } from '../enrich/enrich-drafts.ts'
import { holdChunk } from '../poison/hold-chunk.ts'
import { type RulesInForce, rulesOf } from '../rules/jurisdiction-rules.ts'
import { prepareDrafts } from '../rules/prepare-drafts.ts'
import { type FileFormat, type FileReading, fromStored } from '../split/file-format.ts'
import { type Draft, diagnosticOf, failedCandidate, judgeDrafts } from './judge-candidates.ts'
import { withChunkBytes } from './payload-bytes.ts'
import type { PipelineDeps, ReadDeps } from './pipeline-deps.ts'
import { profileOf } from './profile-of.ts'
import { rowKey } from './record-key.ts'
import type { Processed } from './run-chunk-job.ts'
import { createStopwatch } from './stopwatch.ts'

async function readChunk(deps: ReadDeps, chunk: ChunkWork, format: FileFormat): Promise<RawRow[]> {
  const start = {
    row: chunk.firstItem,
    line: chunk.firstLine ?? 1,
    last: (chunk.byteEnd ?? 0) >= chunk.size,
    records: chunk.records
  }
  const rows = await withChunkBytes(deps.store, chunk, async bytes => {
    const read: RawRow[] = []
    for await (const some of readRows(bytes, format.tabular, start)) read.push(...some)
    return read
  })
  if (rows.length !== chunk.records) {
    throw new AppError('PAYLOAD_CORRUPT', 'A chunk does not hold the records that splitting counted in it.', {
      details: { wanted: chunk.records, read: rows.length }
    })
  }
  return rows
}

/** How the rows under one reading are mapped: without envelopes where a row has nothing to tell, and with them. */
interface RowMaps {
  readonly plain: ReturnType<typeof plainRows>
  readonly map: ReturnType<typeof rowMapper>
  /** The row as its fields are read from it. */
  readonly shown: ReturnType<typeof datedCells>
}

/** A row on its way. Its envelopes are made when somebody asks for them; copying it leaves the plain reading behind. */
class RowDraft implements Draft {
  readonly item: number
  readonly line: number
  readonly idempotencyKey: string
  readonly diagnostic = null
  readonly #row: RawRow
  readonly #maps: RowMaps
  readonly #plain: PlainReading | null
  #candidate: Candidate | null = null

  constructor(row: RawRow, idempotencyKey: string, maps: RowMaps) {
    this.item = row.row
    this.line = row.line
    this.idempotencyKey = idempotencyKey
    this.#row = row
    this.#maps = maps
    this.#plain = maps.plain(row)
    if (this.#plain === null) this.#candidate = maps.map(row)
  }

  get plain(): PlainReading | null {
    return this.#plain
  }

  get candidate(): Candidate {
    this.#candidate ??= this.#maps.map(this.#row)
    return this.#candidate
  }
}

function mapRows(deps: ReadDeps, chunk: ChunkWork, rows: RowsToRead, columnOf: ColumnOf): Draft[] {
  const { jurisdiction, profile: name } = chunk
  const known = new Map<FileReading, RowMaps>()
  const mapsOf = (reading: FileReading): RowMaps => {
    const profile = profileOf(deps, name)
    const context = { today: deps.today(), jurisdiction, ...reading }
    const maps = known.get(reading) ?? {
      plain: plainRows(profile, context, columnOf),
      map: rowMapper(profile, context),
      shown: datedCells(profile, context)
    }
    known.set(reading, maps)
    return maps
  }
  return rows.rows.map(row => {
    const maps = mapsOf(rows.readingOf(row.row))
    const idempotencyKey = rowKey(name, jurisdiction, contentKeyText(row))
    try {
      return new RowDraft(maps.shown(row), idempotencyKey, maps)
    } catch (error) {
      const diagnostic = diagnosticOf('extracted', error, chunk.manifestVersion)
      return {
        item: row.row,
        line: row.line,
        idempotencyKey,
        candidate: failedCandidate(row.row, row.line),
        diagnostic
      }
    }
  })
}

/** The rows of a chunk, and what is made of them before registries are asked. */
export interface PreparedRows {
  readonly rows: RowsToRead
  readonly drafts: readonly Draft[]
  readonly profile: Profile
  readonly columnOf: ColumnOf
  readonly inForce: RulesInForce | undefined
}

/** Reads and maps a chunk of rows, and brings its drafts under the rules of its jurisdiction. Changes nothing. */
export async function prepareRows(
  deps: ReadDeps,
  chunk: ChunkWork,
  onRead = (): void => undefined
): Promise<PreparedRows> {
  const profile = profileOf(deps, chunk.profile)
  const format = await inheritedFormat(deps, chunk, fromStored(chunk.format))
  const rows = await rowsToRead(deps, chunk, format, await readChunk(deps, chunk, format))
  onRead()
  const columnOf: ColumnOf = field => format.columns[field]
  const drafts = mapRows(deps, chunk, rows, columnOf)
  const inForce = await rulesOf(deps.pool, { jurisdiction: chunk.jurisdiction, profile }, chunk.rulesDigest)
  return { rows, drafts: prepareDrafts(chunk, drafts, { profile, inForce }), profile, columnOf, inForce }
}

/**
 * The steps of a chunk of rows: read, map, enrich, judge. Without a format the split of the file was given up after this
 * chunk had been found: its rows cannot be read and are held.
 */
export async function processRows(deps: PipelineDeps, chunk: ChunkWork, signal: AbortSignal): Promise<Processed> {
  if (chunk.format === null) return { records: holdChunk(chunk, 'INTERNAL_ERROR'), stageMs: {}, stageEnds: [] }
  const watch = createStopwatch(deps.now)
  const { rows, drafts, ...under } = await prepareRows(deps, chunk, () => watch.end('read'))
  watch.end('map', 'extracted')
  const enriched = await enrichDrafts(deps, chunk, drafts, signal)
  watch.end('enrich', 'enriched')
  const records = await rows.finish(deps, judgeDrafts(deps, chunk, enriched.drafts, under))
  watch.end('validate', 'validated')
  return { records, answers: enriched.answers, ...watch.result() }
}
