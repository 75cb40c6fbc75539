import { type Dialect, MAX_COLUMNS, MAX_RECORD_BYTES } from '../format.ts'
import type { Block } from '../text/block.ts'
import { CR, LF } from '../text/block.ts'

/**
 * `more`: the record may go on beyond the block. `long`: no line end within the largest record. `quote`: a quoted cell
 * is opened and not closed. `stray`: a quote mark where none may stand, or text after a closing one.
 */
export type ScanOutcome = 'row' | 'more' | 'long' | 'quote' | 'stray'

const SPACE = 32
const EQUALS = 61
const BACKSLASH = 92
const NONE = -1
/** Cells are recorded up to here and only counted beyond: twice the widest header tells every excess. */
const KEPT_CELLS = MAX_COLUMNS * 2

/**
 * Finds the cells of one record in a block, without making strings. Strict: nothing is repaired, and after a fault
 * `end` is where the next record begins, so that no later line is lost.
 */
export class RecordScanner {
  /** Cells found, and where each of the first ones starts and ends (quotes left out), in units. */
  count = 0
  readonly starts = new Int32Array(KEPT_CELLS)
  readonly ends = new Int32Array(KEPT_CELLS)
  /** Whether a cell holds escaped quote marks. */
  readonly escaped = new Uint8Array(KEPT_CELLS)
  /** End of the record before its line end, and start of the next record. */
  contentEnd = 0
  end = 0
  /** Where a cell that spans lines opened last, or −1. */
  openedAt = NONE
  readonly #delimiter: number
  readonly #quote: number
  readonly #backslash: boolean
  readonly #spaced: boolean
  readonly #highest: number
  readonly #recordBytes: number
  #at = 0
  #escaped = 0

  constructor(dialect: Dialect, recordBytes = MAX_RECORD_BYTES) {
    this.#recordBytes = recordBytes
    this.#delimiter = dialect.delimiter.charCodeAt(0)
    this.#quote = dialect.quote === null ? NONE : dialect.quote.charCodeAt(0)
    this.#backslash = dialect.escape === 'backslash'
    this.#spaced = dialect.spaced ?? false
    this.#highest = Math.max(this.#delimiter, this.#quote, CR)
  }

  /** Reads the record that starts at `start`, which must lie inside the block. */
  scan(block: Block, start: number): ScanOutcome {
    const { codes } = block
    const windowEnd = start + Math.ceil(this.#recordBytes / block.unit)
    const isFull = windowEnd <= codes.length
    const limit = isFull ? windowEnd : codes.length
    this.count = 0
    this.openedAt = NONE
    this.#at = start
    for (;;) {
      const outcome = this.#cell(block, limit)
      if (outcome === 'stray') return this.openedAt >= 0 ? this.#unclosed(block, start) : this.#stray(block, start)
      if (outcome === 'quote' || this.#at >= limit) {
        if (!isFull && !block.final) return 'more'
        if (this.openedAt >= 0 && (isFull || outcome === 'quote')) return this.#unclosed(block, start)
        if (isFull) return 'long'
        break
      }
      if (codes[this.#at] !== this.#delimiter) break
      this.#at++
    }
    return this.#endAt(block, this.#at, 'row')
  }

  /**
   * Makes the record end with the line on which its last cell of several lines opened: for a quote mark that closed by
   * accident far below.
   */
  cutAtOpening(block: Block): void {
    this.contentEnd = block.lineEnd(this.openedAt)
    this.end = block.afterLineEnd(this.contentEnd)
  }

  /**
   * Makes the record end with the line on which the cell opened that goes on beyond the line at `line`: just where
   * reading it again, without what follows, would end it. Answers whether such a cell is known.
   */
  cutBeyond(block: Block, line: number): boolean {
    const end = block.lineEnd(line)
    const kept = this.starts.subarray(0, this.count)
    const open = kept.findIndex((start, index) => start <= end && end < (this.ends[index] ?? 0))
    if (open < 0) return false
    // The quote mark stands before its cell, which may begin with the line end.
    this.openedAt = (kept[open] ?? 1) - 1
    this.cutAtOpening(block)
    return true
  }

  /** Reads one cell; afterwards `#at` stands on the delimiter or line end behind it, or at the limit. */
  #cell(block: Block, limit: number): 'cell' | 'quote' | 'stray' {
    const { codes } = block
    const quote = this.#quote
    const delimiter = this.#delimiter
    const highest = this.#highest
    let at = this.#at
    if (this.#spaced) at = skipSpaces(codes, at, limit)
    if (at < limit && codes[at] === quote) return this.#quotedCell(block, limit, at)
    while (at < limit) {
      const code = codes[at] ?? 0
      if (code <= highest && (code === delimiter || code === LF || code === CR || code === quote)) break
      at++
    }
    const isStray = at < limit && codes[at] === quote
    const end = isStray && at === this.#at + 1 && codes[this.#at] === EQUALS ? this.#guardEnd(codes, at, limit) : at
    this.#keep(this.#at, end, 0)
    this.#at = end
    return isStray && end === at ? 'stray' : 'cell'
  }

  /**
   * Behind a whole cell of the form `="007"`, as programs write text so that a spreadsheet keeps its zeros; else `opened`:
   * the quote mark stands where none may.
   */
  #guardEnd(codes: Block['codes'], opened: number, limit: number): number {
    let at = opened + 1
    while (at < limit && !this.#endsCell(codes[at]) && codes[at] !== this.#quote) at++
    if (at >= limit || codes[at] !== this.#quote) return opened
    return at + 1 >= limit || this.#endsCell(codes[at + 1]) ? at + 1 : opened
  }

  #endsCell(code: number | undefined): boolean {
    return code === this.#delimiter || code === LF || code === CR
  }

  #quotedCell(block: Block, limit: number, opened: number): 'cell' | 'quote' | 'stray' {
    const { codes } = block
    const closing = this.#closingQuote(codes, opened + 1, limit)
    if (closing < 0) {
      this.openedAt = opened
      return 'quote'
    }
    this.#keep(opened + 1, closing, this.#escaped)
    if (this.#spansLines(codes, opened, closing)) this.openedAt = opened
    this.#at = this.#spaced ? skipSpaces(codes, closing + 1, limit) : closing + 1
    const next = this.#at < limit ? codes[this.#at] : LF
    return next === this.#delimiter || next === LF || next === CR ? 'cell' : 'stray'
  }

  #closingQuote(codes: Block['codes'], from: number, limit: number): number {
    const quote = this.#quote
    let at = from
    this.#escaped = 0
    while (at < limit) {
      const code = codes[at]
      if (code === quote) {
        if (this.#backslash || at + 1 >= limit || codes[at + 1] !== quote) return at
        this.#escaped = 1
        at++
      } else if (code === BACKSLASH && this.#backslash) {
        this.#escaped = 1
        at++
      }
      at++
    }
    return NONE
  }

  #spansLines(codes: Block['codes'], start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (codes[at] === LF || codes[at] === CR) return true
    return false
  }

  #keep(start: number, end: number, escaped: number): void {
    const index = this.count++
    if (index >= KEPT_CELLS) return
    this.starts[index] = start
    this.ends[index] = end
    this.escaped[index] = escaped
  }

  /**
   * A quote mark that never closes, or closes by accident where text follows: the record ends with its line. Called as
   * well for a stray mark after a cell of several lines, which means the same.
   */
  #unclosed(block: Block, start: number): ScanOutcome {
    return this.#cutAt(block, start, { from: this.openedAt, outcome: 'quote' })
  }

  #stray(block: Block, start: number): ScanOutcome {
    return this.#cutAt(block, start, { from: start, outcome: 'stray' })
  }

  #cutAt(block: Block, start: number, cut: { from: number; outcome: ScanOutcome }): ScanOutcome {
    const end = block.lineEnd(cut.from)
    if (end - start >= this.#recordBytes / block.unit) return 'long'
    if (!block.final && end === block.length) return 'more'
    return this.#endAt(block, end, cut.outcome)
  }

  #endAt(block: Block, end: number, outcome: ScanOutcome): ScanOutcome {
    if (block.isSplitLineEnd(end)) return 'more'
    this.contentEnd = end
    this.end = block.afterLineEnd(end)
    return outcome
  }
}

function skipSpaces(codes: Block['codes'], from: number, limit: number): number {
  let at = from
  while (at < limit && codes[at] === SPACE) at++
  return at
}
