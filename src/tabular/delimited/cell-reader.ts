import type { DelimitedFormat } from '../format.ts'
import type { Block } from '../text/block.ts'
import { HeaderAgain } from './no-records/header-again.ts'
import type { RecordScanner } from './scan-record.ts'

const SPACE = 32
const DOUBLE_QUOTE = 34

/**
 * `header`: the file's own again; `foreign`: one of other columns. `unquoted`: a cell begins with a quote mark in a file
 * that quotes nothing. `encoding`: bytes that are no text.
 */
export type CellOutcome = string[] | 'blank' | 'header' | 'foreign' | 'unquoted' | 'encoding'

/** White space, or the mark that programs of DOS end a file with. */
const isNothing = (cell: string): boolean => cell.trim() === '' || cell === '\x1a'

/** Makes the cells a scanner found into strings, and tells rows from blank lines and headers met again. */
export class CellReader {
  readonly #unescape: (cell: string) => string
  readonly #unquotes: boolean
  readonly #headers: HeaderAgain
  readonly #width: number
  readonly #padded: readonly number[]

  constructor(format: Pick<DelimitedFormat, 'dialect' | 'columns' | 'padded'>) {
    const { dialect, columns, padded = [] } = format
    const quote = dialect.quote ?? ''
    this.#unquotes = dialect.quote !== null || dialect.isDeclared === true
    this.#unescape =
      dialect.escape === 'backslash'
        ? cell => cell.replace(/\\([\s\S])/g, '$1')
        : cell => cell.replaceAll(quote + quote, quote)
    this.#headers = new HeaderAgain(columns)
    this.#width = columns.length
    this.#padded = padded
  }

  /** The cells, without empty ones beyond the last named column. */
  read(block: Block, scanner: RecordScanner, start: number): CellOutcome {
    if (!this.#unquotes && quotedCell(block, scanner) >= 0) return 'unquoted'
    const isPlain = block.isPlain(start, scanner.contentEnd)
    if (!isPlain && block.decode(start, scanner.contentEnd) === null) return 'encoding'
    const count = this.#usedCells(scanner)
    const kept = Math.min(count, scanner.starts.length)
    const cells: string[] = []
    for (let index = 0; index < kept; index++) {
      const cell = this.#cell(block, scanner, index, isPlain)
      // A row may be text and a cell of it not: bytes that are UTF-8 by themselves, in a file of another encoding.
      if (cell === null) return 'encoding'
      cells.push(cell)
    }
    while (cells.length < count) cells.push('')
    if (count < 2 || beginsBlank(cells[0] ?? '')) {
      if (cells.every(isNothing)) return 'blank'
    }
    const header = this.#headers.read(cells)
    if (header === 'foreign') return 'foreign'
    return header === 'own' ? 'header' : cells
  }

  #cell(block: Block, scanner: RecordScanner, index: number, isPlain: boolean): string | null {
    const start = scanner.starts[index] ?? 0
    const end = scanner.ends[index] ?? 0
    const text = isPlain ? block.text.substring(start, end) : block.decode(start, end)
    if (text === null) return null
    return scanner.escaped[index] === 1 ? this.#unescape(text) : text
  }

  /** Number of cells once empty ones beyond the last named column are dropped, where the file is padded so. */
  #usedCells(scanner: RecordScanner): number {
    let count = scanner.count
    if (count > scanner.starts.length || !this.#padded.includes(count)) return count
    while (count > this.#width && scanner.starts[count - 1] === scanner.ends[count - 1]) count--
    return count
  }
}

function beginsBlank(cell: string): boolean {
  return cell === '' || cell.charCodeAt(0) <= 32
}

/** The first cell that begins with a quote mark, also behind spaces, or −1. */
export function quotedCell(block: Block, scanner: RecordScanner): number {
  const count = Math.min(scanner.count, scanner.starts.length)
  for (let index = 0; index < count; index++) {
    const end = scanner.ends[index] ?? 0
    let start = scanner.starts[index] ?? 0
    while (start < end && block.codes[start] === SPACE) start++
    if (start < end && block.codes[start] === DOUBLE_QUOTE) return index
  }
  return -1
}

/** Fewer cells, and a sentence with commas looks like a row. */
const LEAST_CELLS = 3
/** Columns of digits that tell a line of a record from a sentence. */
const LEAST_DIGITS = 2
/** Units of a line that are looked at for what its cells are. */
const PEEKED = 1000

/** How a line is written by its delimiters alone. */
interface LineShape {
  readonly first: string
  readonly second: string
  readonly cells: number
  /** Whether it has no quote mark, a cell for each column, and digits where records always have them. */
  readonly isFitting: boolean
}

/** How a cell is written, whatever letters and digits it has. */
const shapeOf = (cell: string): string =>
  cell
    .replaceAll('"', '')
    .trim()
    .replace(/\d+/g, '9')
    .replace(/\p{L}+/gu, 'A')

function lineShape(block: Block, start: number, end: number, record: LinesOfRecord): LineShape {
  const { delimiter, width, digits } = record
  let cells = 1
  for (let at = start; at < end; at++) if (block.codes[at] === delimiter) cells++
  const parts = block.show(start, Math.min(end, start + PEEKED)).split(String.fromCharCode(delimiter))
  const [first = '', second = ''] = parts
  const isTelling = cells === width && digits.length >= LEAST_DIGITS && !parts.some(part => /["']/.test(part))
  const isFitting = isTelling && digits.every(column => /\d/.test(parts[column] ?? ''))
  return { first: shapeOf(first), second: shapeOf(second), cells, isFitting }
}

/** What a record is that holds several lines. */
export interface LinesOfRecord {
  readonly start: number
  readonly end: number
  /** Where its second cell ends, or −1: below its first line, other lines cannot be written like it. */
  readonly secondEnd: number
  readonly delimiter: number
  /** Columns of the file. */
  readonly width: number
  /** Those of them whose cells always hold digits. */
  readonly digits: readonly number[]
  /** Whether it has a cell for every column, so that nothing else speaks against it. */
  readonly isWhole: boolean
}

/**
 * The number, from 0, of the first line of a record that is a row by itself and no text of a cell, or −1: a quote mark was
 * opened above it then, and closed by another one further down or never. Its first cell is a number that is written like that
 * of the record, such as `BP-12` below `BP-11`, or it has a cell for every column. That is enough for a record that is held
 * anyway; one that is whole must have a line of both, or written alike in two cells, or in the midst of a cell with digits
 * where records have them, or a cell for every column in all its lines.
 */
export function rowInside(block: Block, record: LinesOfRecord): number {
  const { width, isWhole } = record
  const lines: LineShape[] = []
  for (let at = record.start; at < record.end; ) {
    const end = Math.min(record.end, block.lineEnd(at))
    lines.push(lineShape(block, at, end, record))
    at = block.afterLineEnd(end)
  }
  const [own] = lines
  if (own === undefined || lines.length < 2) return -1
  const isWide = (line: LineShape): boolean => (width < LEAST_CELLS ? line.cells === width : line.cells >= width)
  if (isWhole && width >= LEAST_CELLS && lines.every(isWide)) return 1
  const isClosed = record.secondEnd >= 0 && record.secondEnd <= block.lineEnd(record.start)
  return lines.findIndex((line, at) => {
    if (at === 0 || (line.cells < LEAST_CELLS && (isWhole || !isWide(line)))) return false
    const isFirst = isClosed && line.first !== '' && line.first === own.first
    const isNumber = isFirst && line.first.includes('9')
    if (!isWhole) return isNumber || isWide(line)
    return line.isFitting || (isFirst && line.second === own.second) || (isNumber && isWide(line))
  })
}
