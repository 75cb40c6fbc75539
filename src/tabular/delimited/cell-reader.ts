import type { DelimitedFormat } from '../format.ts'
import type { Block } from '../text/block.ts'
import { HeaderAgain } from './header-again.ts'
import type { RecordScanner } from './scan-record.ts'

const SPACE = 32
const DOUBLE_QUOTE = 34

/**
 * `header`: the file's own again; `foreign`: one of other columns. `unquoted`: a cell begins with a quote mark in a file
 * that quotes nothing. `encoding`: bytes that are no text.
 */
export type CellOutcome = string[] | 'blank' | 'header' | 'foreign' | 'unquoted' | 'encoding'

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
    if (!this.#unquotes && hasLeadingQuote(block, scanner)) return 'unquoted'
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
      if (cells.every(cell => cell.trim() === '')) return 'blank'
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

function hasLeadingQuote(block: Block, scanner: RecordScanner): boolean {
  const count = Math.min(scanner.count, scanner.starts.length)
  for (let index = 0; index < count; index++) {
    const end = scanner.ends[index] ?? 0
    let start = scanner.starts[index] ?? 0
    while (start < end && block.codes[start] === SPACE) start++
    if (start < end && block.codes[start] === DOUBLE_QUOTE) return true
  }
  return false
}

/** Cells a line must have before it may be a record. */
const LEAST_CELLS = 3

/**
 * The first cell of several lines in which a line begins like a record of its own, or −1: its first two cells are written as
 * those of the row, such as `BP-12` below `BP-11`. A quote mark was opened in one row then and closed in another, and by
 * chance the cells add up.
 */
export function swallowingCell(cells: readonly string[], delimiter: string): number {
  const [first = '', second = ''] = cells
  if (first === '') return -1
  const [one, two] = [shapeOf(first), shapeOf(second)]
  return cells.findIndex((cell, index) => {
    if (index < 2 || !/[\r\n]/.test(cell)) return false
    const below = cell.split(/\r\n|\n|\r/).slice(1)
    return below.some(line => {
      const [start = '', next = '', ...more] = line.split(delimiter)
      return more.length + 2 >= LEAST_CELLS && shapeOf(start) === one && shapeOf(next) === two
    })
  })
}

/** How a cell is written, whatever letters and digits it has. */
const shapeOf = (cell: string): string =>
  cell
    .replaceAll('"', '')
    .trim()
    .replace(/\d+/g, '9')
    .replace(/\p{L}+/gu, 'A')
