import type { RawRow, RowFault } from '../../model/rows.ts'
import { type DelimitedFormat, tooLarge } from '../format.ts'
import type { ReadStart, RowReader, TakeRow } from '../reader.ts'
import type { Block } from '../text/block.ts'
import { isStorable } from '../text/encodings.ts'
import { Skipped } from '../text/skipped.ts'
import { CellReader, type LinesOfRecord, quotedCell, rowInside } from './cell-reader.ts'
import { columnAt, twinsOf } from './columns.ts'
import { COMMENTED_OUT, isCommentedOut } from './no-records/commented-out.ts'
import { ForeignRows } from './no-records/foreign-rows.ts'
import { beginsTable, notRecord } from './no-records/summary.ts'
import { RecordScanner } from './scan-record.ts'

const STRAY = 'a quote mark stands inside or behind a cell'
const UNQUOTED = 'a quote mark where the file has none'

/**
 * Rows of a delimited file. Every record that is not blank and not the header again becomes a row with its number and
 * the physical line it starts on: read, or faulty with its source. A fault never takes a later line with it.
 */
export class DelimitedReader implements RowReader {
  readonly #scanner: RecordScanner
  readonly #cells: CellReader
  readonly #columns: readonly string[]
  readonly #names: readonly string[]
  readonly #twins: readonly number[]
  readonly #hasTwins: boolean
  readonly #width: number
  readonly #tooLarge: RowFault
  readonly #foreign: ForeignRows
  readonly #digits: readonly number[]
  readonly #areMarked: boolean
  readonly #shape: Pick<LinesOfRecord, 'delimiter' | 'width' | 'digits'>
  /** Whether a blank line stands above. */
  #isBelowBlank = false
  #row: number
  #line: number
  /** Set while passing over a record that is too large. */
  #skipped: Skipped | null = null

  constructor(format: DelimitedFormat, start: ReadStart) {
    this.#scanner = new RecordScanner(format.dialect, format.recordBytes)
    this.#cells = new CellReader(format)
    this.#twins = twinsOf(format.columns)
    this.#hasTwins = this.#twins.some(twin => twin >= 0)
    this.#columns = format.columns
    this.#names = format.columns.filter((_, index) => (this.#twins[index] ?? -1) < 0)
    this.#width = format.columns.length
    this.#tooLarge = tooLarge(format.recordBytes)
    this.#foreign = new ForeignRows(start.foreign ?? format.foreign)
    this.#digits = format.digits ?? []
    this.#areMarked = format.marked ?? false
    const delimiter = format.dialect.delimiter.charCodeAt(0)
    this.#shape = { delimiter, width: format.columns.length, digits: format.digits ?? [] }
    this.#row = start.row
    this.#line = start.line
  }

  get foreign(): readonly number[] {
    return this.#foreign.lines
  }

  read(block: Block, from: number, take: TakeRow): number {
    let at = from
    while (at < block.length || (block.final && this.#skipped !== null)) {
      const row = this.#skipped === null ? this.#record(block, at) : this.#passOver(block, at, this.#skipped)
      if (row === 'more') return this.#skipped === null ? at : this.#scanner.end
      at = this.#scanner.end
      if (row !== null && !take(row, { end: at, line: this.#line })) break
    }
    return at
  }

  /** One record, or null for a stretch that is none; afterwards the scanner's `end` is where the next begins. */
  #record(block: Block, at: number): RawRow | null | 'more' {
    const scanner = this.#scanner
    const outcome = scanner.scan(block, at)
    switch (outcome) {
      case 'row':
        return this.#wellFormed(block, at)
      case 'more':
        return 'more'
      case 'long':
        this.#skipped = new Skipped()
        return this.#passOver(block, at, this.#skipped)
      case 'stray':
        return this.#faulty(block, at, this.#inCell('ROW_UNPARSABLE', scanner.count - 1, STRAY))
      case 'quote':
    }
    return this.#unclosed(block, at)
  }

  #wellFormed(block: Block, at: number): RawRow | null {
    const { contentEnd, openedAt } = this.#scanner
    const content = this.#cells.read(block, this.#scanner, at)
    const isBelowBlank = this.#isBelowBlank
    this.#isBelowBlank = false
    if (content === 'unquoted') {
      return this.#faulty(block, at, this.#inCell('ROW_UNPARSABLE', quotedCell(block, this.#scanner), UNQUOTED))
    }
    if (content === 'encoding') {
      if (openedAt >= 0 && this.#cutBeforeRow(block, at, false)) return this.#unclosed(block, at)
      return this.#faulty(block, at, this.#encodingFault(block, at))
    }
    if (content === 'blank' || content === 'header') {
      this.#isBelowBlank = content === 'blank'
      if (content === 'header') this.#foreign.meet(this.#line, true)
      this.#line += openedAt >= 0 ? block.countLines(at, contentEnd) + 1 : 1
      return null
    }
    const other = this.#otherTable(content, isBelowBlank)
    if (other !== null || content === 'foreign') {
      return this.#faulty(block, at, { code: 'ROW_UNPARSABLE', ...(other === null ? {} : { detail: other }) })
    }
    const isWhole = content.length === this.#width
    if (isWhole && !this.#areMarked && isCommentedOut(block, at, contentEnd)) {
      return this.#faulty(block, at, { code: 'ROW_UNPARSABLE', detail: COMMENTED_OUT })
    }
    if (openedAt >= 0 && this.#cutBeforeRow(block, at, isWhole)) return this.#unclosed(block, at)
    if (isWhole) return this.#complete(block, at, content)
    const detail = `${content.length} cells under ${this.#width} columns`
    return this.#faulty(block, at, { code: 'COLUMN_COUNT_MISMATCH', detail })
  }

  /** What a row is that stands in another table than the file's own, or null. */
  #otherTable(content: readonly string[] | 'foreign', isBelowBlank: boolean): string | null {
    if (content === 'foreign' || (isBelowBlank && beginsTable(content, this.#digits))) {
      this.#foreign.meet(this.#line, false)
      return 'a header with other columns'
    }
    const header = this.#foreign.headerOf(this.#line)
    if (header !== null) return `under the header on line ${header}`
    return content.length === this.#width ? notRecord(content) : null
  }

  #complete(block: Block, at: number, cells: string[]): RawRow {
    const { contentEnd, openedAt } = this.#scanner
    if (!isClean(block, at, contentEnd, cells)) {
      const cell = cells.findIndex(text => !isStorable(text))
      return this.#faulty(block, at, this.#inCell('TEXT_NOT_STORABLE', cell))
    }
    let values = cells
    if (this.#hasTwins) {
      const twins = this.#twins
      const differing = twins.findIndex((twin, index) => twin >= 0 && cells[twin] !== cells[index])
      if (differing >= 0) {
        return this.#faulty(block, at, twinFault(this.#columns, twins[differing] ?? 0, differing))
      }
      values = cells.filter((_, index) => (twins[index] ?? -1) < 0)
    }
    const row: RawRow = { row: this.#row++, line: this.#line, names: this.#names, values }
    this.#line += openedAt >= 0 ? block.countLines(at, contentEnd) + 1 : 1
    return row
  }

  /**
   * Ends a record of several lines before the first of them that is a row itself, if there is one, and answers whether
   * there is: with the line on which the cell opened that goes on beyond it.
   */
  #cutBeforeRow(block: Block, at: number, isWhole: boolean): boolean {
    const { contentEnd, count, ends } = this.#scanner
    const secondEnd = count > 1 ? (ends[1] ?? -1) : -1
    const below = rowInside(block, { ...this.#shape, start: at, end: contentEnd, secondEnd, isWhole })
    if (below < 0) return false
    let above = at
    for (let line = 1; line < below; line++) above = block.afterLineEnd(block.lineEnd(above))
    return this.#scanner.cutBeyond(block, above)
  }

  #unclosed(block: Block, at: number): RawRow {
    // Reading what is left would cut it again: a chunk ends here, and is read to the same rows. Once is all: above the
    // first line that is a row there is none.
    this.#cutBeforeRow(block, at, false)
    const { openedAt, starts, count } = this.#scanner
    const line = this.#line + block.countLines(at, openedAt)
    const above = starts.subarray(0, count).findIndex(start => start > openedAt)
    const cell = above < 0 ? count : above
    return this.#faulty(block, at, this.#inCell('UNCLOSED_QUOTE', cell, `opened on line ${line}`))
  }

  #encodingFault(block: Block, at: number): RowFault {
    const end = this.#scanner.contentEnd
    const index = this.#badCell(block)
    const cell = index < 0 ? block.length : (this.#scanner.starts[index] ?? 0)
    let line = at
    let number = this.#line
    while (line < end) {
      const lineEnd = Math.min(end, block.lineEnd(line))
      if (block.decode(line, lineEnd) === null || cell <= lineEnd) break
      line = block.afterLineEnd(lineEnd)
      number++
    }
    return this.#inCell('ENCODING_INVALID', index, `on line ${number}`)
  }

  /** The first cell that is no text by itself, or −1. */
  #badCell(block: Block): number {
    const { starts, ends, count } = this.#scanner
    return starts.subarray(0, count).findIndex((start, index) => block.decode(start, ends[index] ?? start) === null)
  }

  /** A fault of one cell, counted from 0; of the row as a whole when it is not known which. */
  #inCell(code: RowFault['code'], cell: number, what = ''): RowFault {
    if (cell < 0) return what === '' ? { code } : { code, detail: what }
    const { column, words } = columnAt(this.#columns, cell)
    return { code, detail: what === '' ? words : `${what}, ${words}`, column }
  }

  #faulty(block: Block, at: number, fault: RowFault): RawRow {
    const { contentEnd } = this.#scanner
    const source = block.show(at, contentEnd)
    const row: RawRow = { row: this.#row++, line: this.#line, names: this.#names, values: [], fault, source }
    this.#line += block.countLines(at, contentEnd) + 1
    return row
  }

  /** Passes over a record that is too large, up to the next line end, in flat memory. */
  #passOver(block: Block, at: number, skipped: Skipped): RawRow | 'more' {
    const end = block.lineEnd(at)
    skipped.add(block, at, end)
    this.#scanner.end = end
    if (!block.final && (end === block.length || block.isSplitLineEnd(end))) return 'more'
    this.#scanner.end = block.afterLineEnd(end)
    this.#skipped = null
    const source = skipped.source(block.encoding)
    return { row: this.#row++, line: this.#line++, names: this.#names, values: [], fault: this.#tooLarge, source }
  }
}

function isClean(block: Block, start: number, end: number, cells: readonly string[]): boolean {
  if (!block.mayBeUnstorable(start, end)) return true
  return cells.every(isStorable)
}

/** The fault of two columns of one name whose cells differ; both are named. */
function twinFault(columns: readonly string[], first: number, second: number): RowFault {
  const [one, other] = [columnAt(columns, first), columnAt(columns, second)]
  return { code: 'DUPLICATE_HEADER', detail: `${one.words} and ${other.words}`, column: other.column }
}
