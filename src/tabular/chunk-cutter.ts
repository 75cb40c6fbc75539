import type { RawRow } from '../model/rows.ts'
import { SPLIT_BOUNDS, type SplitBounds, type SplitPosition, type UnhashedBounds } from './format.ts'

interface Pending {
  readonly row: RawRow
  readonly end: number
  readonly line: number
}

/**
 * Gathers rows into chunks. A chunk ends behind its last record; it is closed when the next record comes and would be
 * one too many, so that blank text between two chunks belongs to the later one.
 */
export class ChunkCutter {
  /** The chunk that is closed and waits to be handed on, while the row behind it waits too. */
  full: UnhashedBounds | null = null
  readonly #bounds: SplitBounds
  readonly #onRow: ((row: RawRow) => void) | undefined
  #pending: Pending | null = null
  #first: SplitPosition
  /** Byte, and physical line there, behind the last record taken. */
  #end: number
  #line: number
  #records = 0

  constructor(from: SplitPosition, options: { readonly bounds?: SplitBounds; readonly onRow?: (row: RawRow) => void }) {
    this.#first = from
    this.#end = from.offset
    this.#line = from.line
    this.#bounds = options.bounds ?? SPLIT_BOUNDS
    this.#onRow = options.onRow
  }

  /** The byte behind the last record taken. */
  get end(): number {
    return this.#end
  }

  /** Takes the row that ends at byte `end`, before which `line` is the physical line. False: a chunk is full. */
  take(row: RawRow, end: number, line: number): boolean {
    // A row without bytes of its own, which tells of the end of the file, never begins a chunk.
    const isOver = this.#records >= this.#bounds.records || end - this.#first.offset > this.#bounds.bytes
    if (this.#records > 0 && isOver && end > this.#end) {
      this.full = this.#chunk(false)
      this.#pending = { row, end, line }
      return false
    }
    this.#add(row, end, line)
    return true
  }

  /** Begins the next chunk with the row that waited. */
  goOn(): void {
    if (this.full === null || this.#pending === null) return
    const { row, end, line } = this.#pending
    this.#first = this.full.next
    this.#records = 0
    this.full = null
    this.#pending = null
    this.#add(row, end, line)
  }

  /** The chunk that the end of the file closes, if it holds a record. */
  rest(): UnhashedBounds | null {
    return this.#records > 0 ? this.#chunk(true) : null
  }

  #add(row: RawRow, end: number, line: number): void {
    this.#records++
    this.#end = end
    this.#line = line
    this.#onRow?.(row)
  }

  #chunk(done: boolean): UnhashedBounds {
    const { ordinal, offset, row, line } = this.#first
    const next = { offset: this.#end, row: row + this.#records, line: this.#line, ordinal: ordinal + 1, done }
    return {
      ordinal,
      byteStart: offset,
      byteEnd: this.#end,
      firstRow: row,
      firstLine: line,
      records: this.#records,
      next
    }
  }
}
