import type { RawRow } from '../model/rows.ts'
import { ChunkCutter } from './chunk-cutter.ts'
import { DelimitedReader } from './delimited/delimited-reader.ts'
import type { ChunkBounds, SplitBounds, SplitPosition, TabularFormat } from './format.ts'
import { ArrayReader } from './json/array-reader.ts'
import { LinesReader } from './json/lines-reader.ts'
import { RangeDigest } from './range-digest.ts'
import type { ReadStart, RowReader } from './reader.ts'
import { blocksOf } from './text/blocks.ts'
import { SheetReader } from './xlsx/sheet-reader.ts'

/** Where splitting a file begins. */
export function firstPosition(format: TabularFormat): SplitPosition {
  return { offset: format.dataOffset, row: 1, line: format.dataLine, ordinal: 0, done: false }
}

export interface SplitOptions {
  readonly bounds?: SplitBounds
  /** Called once for every row, before the chunk that holds it is yielded and never for a later one. */
  readonly onRow?: (row: RawRow) => void
  /** Bytes read at a time; the outcome does not depend on it. */
  readonly blockBytes?: number
}

/**
 * Cuts a data file into chunks by reading it. `source` gives the file's bytes from `from.offset` to its end. The chunks
 * cover every record, in order, without gap or overlap; going on from any yielded `next` gives the chunks that would
 * have come. A chunk holds at most `bounds.records`, and at most `bounds.bytes` unless a single record is larger.
 */
export async function* splitFile(
  source: AsyncIterable<Uint8Array>,
  format: TabularFormat,
  from: SplitPosition,
  options: SplitOptions = {}
): AsyncGenerator<ChunkBounds> {
  if (from.done) return
  const reader = readerOf(format, from)
  const cutter = new ChunkCutter(from, options)
  const digest = new RangeDigest(from.offset)
  let base = from.offset
  for await (const block of blocksOf(digest.watch(source), format.encoding, options.blockBytes)) {
    let at = 0
    for (;;) {
      at = reader.read(block, at, (row, after) => cutter.take(row, base + after.end * block.unit, after.line))
      if (cutter.full === null) break
      yield withForeign({ ...cutter.full, digest: digest.close(cutter.full.byteEnd) }, reader)
      cutter.goOn()
    }
    block.used = at
    base += at * block.unit
    digest.take(cutter.end)
    digest.pass(base)
  }
  const rest = cutter.rest()
  if (rest !== null) yield withForeign({ ...rest, digest: digest.close(rest.byteEnd) }, reader)
}

/**
 * Rows of one chunk, some at a time: the same that `splitFile` saw. `source` gives exactly the chunk's bytes, `start` is
 * where the chunk begins, and `records` how many rows it has: what the bytes end with is looked at only below that.
 */
export async function* readRows(
  source: AsyncIterable<Uint8Array>,
  format: TabularFormat,
  start: ReadStart & { readonly records: number },
  options: Pick<SplitOptions, 'blockBytes'> = {}
): AsyncGenerator<RawRow[]> {
  const reader = readerOf(format, start)
  let read = 0
  for await (const block of blocksOf(source, format.encoding, options.blockBytes)) {
    const rows: RawRow[] = []
    const wanted = start.records - read
    block.used = reader.read(block, 0, row => rows.push(row) < wanted)
    read += rows.length
    if (rows.length > 0) yield rows
    if (read >= start.records) return
  }
}

function withForeign(chunk: ChunkBounds, { foreign = [] }: RowReader): ChunkBounds {
  return foreign.length === 0 ? chunk : { ...chunk, next: { ...chunk.next, foreign: [...foreign] } }
}

/** The format as its chunks are to be read, once splitting has come to `position`. */
export function settledFormat(format: TabularFormat, { foreign }: SplitPosition): TabularFormat {
  return format.kind !== 'json' && foreign !== undefined ? { ...format, foreign } : format
}

function readerOf(format: TabularFormat, start: ReadStart): RowReader {
  if (format.kind === 'delimited') return new DelimitedReader(format, start)
  if (format.kind === 'sheet') return new SheetReader(format, start)
  return format.layout === 'lines' ? new LinesReader(start, format.recordBytes) : new ArrayReader(format, start)
}
