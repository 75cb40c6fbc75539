import type { RowFault } from '../model/rows.ts'
import type { Encoding } from './text/encodings.ts'

/** Longest record that is read, in bytes of the file, where the format names no other (`DOCKET_MAX_RECORD`'s default). */
export const MAX_RECORD_BYTES = 1e6
/** Widest header that is read: BLDS names some 120 columns, and no real export seen comes near 500. */
export const MAX_COLUMNS = 500
/** Deepest nesting of JSON that is read. */
export const MAX_JSON_DEPTH = 64

export const DELIMITERS = [',', ';', '\t', '|'] as const
export type Delimiter = (typeof DELIMITERS)[number]

/** How cells are written. `quote` null: quote marks are ordinary characters. */
export interface Dialect {
  readonly delimiter: Delimiter
  readonly quote: '"' | "'" | null
  /** What makes a quote mark inside a quoted cell ordinary: a second one, or a backslash before it. */
  readonly escape: 'double' | 'backslash'
  /** The source declared its quote mark: others are ordinary characters, also at the head of a cell. */
  readonly isDeclared?: boolean
  /** Spaces may stand between a delimiter and a quote mark, as in `1, "x"`. */
  readonly spaced?: boolean
}

interface FormatBase {
  /** Longest record that is read, decided once for a file: another limit would find other records in it. */
  readonly recordBytes?: number
  readonly encoding: Encoding
  /** Byte offset and physical line (from 1) where records begin: after byte order mark, preamble and header. */
  readonly dataOffset: number
  readonly dataLine: number
  /** What the decision rests on, for the audit log and for people: names, counts and shares, never content. */
  readonly evidence: Readonly<Record<string, string | number>>
}

export interface DelimitedFormat extends FormatBase {
  readonly kind: 'delimited'
  readonly dialect: Dialect
  /** Column names up to the last named one; a nameless column between named ones is called by its ordinal. */
  readonly columns: readonly string[]
  /**
   * Numbers of cells a row may have beside one for each column, when those beyond are empty: what the header or most rows
   * have. Another number of empty cells means that a cell was cut in two further ahead.
   */
  readonly padded?: readonly number[]
  /** Columns, from 0, whose cells always hold digits: a row of names there, below a blank line, begins another table. */
  readonly digits?: readonly number[]
  /** Lines begin with a sign of comments by habit: no row is held for it. */
  readonly marked?: boolean
  /** As `SplitPosition.foreign`, once the whole file was seen. */
  readonly foreign?: readonly number[]
  /** Physical line of the header, null when the columns were declared. */
  readonly headerLine: number | null
}

/** `array`: elements of an array (top level, or under `records`); `sequence`: values one after another; `lines`: one or more whole values a line. */
export interface JsonFormat extends FormatBase {
  readonly kind: 'json'
  readonly layout: 'array' | 'sequence' | 'lines'
  /** Objects still open around the array: 1 for `{"records": […]}`, 2 for `{"hits": {"hits": […]}}`. */
  readonly openObjects: number
}

/** A sheet of a workbook, unpacked once into one line of JSON a row, which is what offsets count; lines are the sheet's rows. */
export interface SheetFormat extends FormatBase {
  readonly kind: 'sheet'
  /** As `DelimitedFormat.columns`. */
  readonly columns: readonly string[]
  readonly headerLine: number
  /** First and last rows, in turn, of the stretches below the header that lie under merged cells. */
  readonly merged: readonly number[]
  /** As `DelimitedFormat.foreign`. */
  readonly foreign?: readonly number[]
}

/** How a data file is to be read. Plain JSON: stored with the file and handed to every chunk. */
export type TabularFormat = DelimitedFormat | JsonFormat | SheetFormat

export type FormatDecision =
  | { readonly ok: true; readonly format: TabularFormat }
  | { readonly ok: false; readonly fault: RowFault }

/** Where a split goes on. Plain JSON. */
export interface SplitPosition {
  /** Byte of the file. */
  readonly offset: number
  /** Number of the next record and physical line at `offset`, both from 1. */
  readonly row: number
  readonly line: number
  /** Number of the next chunk, from 0. */
  readonly ordinal: number
  /** Behind the file's last chunk: nothing is left to split. */
  readonly done: boolean
  /** Lines where rows under another header begin and end, in turn; absent when there are none. */
  readonly foreign?: readonly number[]
}

export interface ChunkBounds {
  readonly ordinal: number
  readonly byteStart: number
  /** Exclusive. */
  readonly byteEnd: number
  readonly firstRow: number
  /** Physical line at `byteStart`: what `readRows` starts counting from. */
  readonly firstLine: number
  readonly records: number
  readonly next: SplitPosition
  /** Hex SHA-256 of the bytes from `byteStart` to `byteEnd`. */
  readonly digest: string
}

/** A chunk whose bytes were not looked at. */
export type UnhashedBounds = Omit<ChunkBounds, 'digest'>

export interface SplitBounds {
  readonly records: number
  readonly bytes: number
}

/** `DOCKET_CHUNK_RECORDS` / `_BYTES` by default. */
export const SPLIT_BOUNDS: SplitBounds = { records: 500, bytes: 25e6 }

/** The fault of a record that is longer than its file's format allows. */
export const tooLarge = (recordBytes = MAX_RECORD_BYTES): RowFault => ({
  code: 'RECORD_TOO_LARGE',
  detail: `more than ${recordBytes} bytes`
})
