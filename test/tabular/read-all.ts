import { readFileSync } from 'node:fs'
import type { RawRow } from '../../src/model/rows.ts'
import { detectFormat, type FormatOptions } from '../../src/tabular/detect-format.ts'
import type { ChunkBounds, SplitBounds, SplitPosition, TabularFormat } from '../../src/tabular/format.ts'
import { firstPosition, readRows, splitFile } from '../../src/tabular/split-file.ts'

const KNOWN = new Set(['permit_number', 'parcel_id', 'permit_type', 'address', 'applicant', 'status', 'valuation'])

/** Column names the permit profile would know. */
export const knownColumn = (name: string): boolean => KNOWN.has(name.toLowerCase().replaceAll(' ', '_'))

export const fixture = (name: string): Buffer => readFileSync(new URL(`../fixtures/tabular/${name}`, import.meta.url))

/** The bytes in pieces of a size. */
export async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

export function formatOf(bytes: Buffer, options: Partial<FormatOptions> = {}): TabularFormat {
  const decision = detectFormat(bytes, { whole: true, knownColumn, ...options })
  if (!decision.ok) throw new Error(`not read: ${decision.fault.code} ${decision.fault.detail ?? ''}`)
  return decision.format
}

export interface SplitRun {
  readonly chunks: ChunkBounds[]
  readonly rows: RawRow[]
  readonly bounds: SplitBounds
  /** Rows handed on when each chunk was yielded. */
  readonly handedOn: number[]
}

export async function splitAll(
  bytes: Buffer,
  format: TabularFormat,
  options: { bounds?: SplitBounds; from?: SplitPosition; blockBytes?: number } = {}
): Promise<SplitRun> {
  const from = options.from ?? firstPosition(format)
  const { bounds = { records: 500, bytes: 25e6 }, blockBytes = 65_536 } = options
  const rows: RawRow[] = []
  const chunks: ChunkBounds[] = []
  const handedOn: number[] = []
  const source = pieces(bytes.subarray(from.offset), blockBytes)
  const onRow = (row: RawRow): unknown => rows.push(row)
  for await (const chunk of splitFile(source, format, from, { bounds, blockBytes, onRow })) {
    chunks.push(chunk)
    handedOn.push(rows.length)
  }
  return { chunks, rows, bounds, handedOn }
}

export async function readChunk(
  bytes: Buffer,
  format: TabularFormat,
  chunk: ChunkBounds,
  blockBytes = 65_536
): Promise<RawRow[]> {
  const start = { row: chunk.firstRow, line: chunk.firstLine, records: chunk.records }
  const rows: RawRow[] = []
  const source = pieces(bytes.subarray(chunk.byteStart, chunk.byteEnd), blockBytes)
  for await (const some of readRows(source, format, start, { blockBytes })) rows.push(...some)
  return rows
}

/** All rows of a text or of bytes, through detection and splitting. */
export async function rowsOf(content: string | Buffer, options: Partial<FormatOptions> = {}): Promise<RawRow[]> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return (await splitAll(bytes, formatOf(bytes, options))).rows
}

/** The text in UTF-32LE. */
export function utf32(text: string): Buffer {
  const codes: number[] = []
  for (const letter of text) codes.push(letter.codePointAt(0) ?? 0)
  return Buffer.from(Uint32Array.from(codes).buffer)
}

/** One line a row: `row line code` or `row line ok`, to compare whole outcomes at a glance. */
export const outline = (rows: readonly RawRow[]): string[] =>
  rows.map(row => `${row.row} ${row.line} ${row.fault?.code ?? 'ok'}`)
