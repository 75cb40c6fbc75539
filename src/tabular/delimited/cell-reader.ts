import type { Dialect } from '../format.ts'
import type { Block } from '../text/block.ts'
import { foldName } from './columns.ts'
import type { RecordScanner } from './scan-record.ts'

const DOUBLE_QUOTE = 34

/** `unquoted`: a cell begins with a quote mark in a file that quotes nothing. `encoding`: bytes that are no text. */
export type CellOutcome = string[] | 'blank' | 'header' | 'unquoted' | 'encoding'

/** Makes the cells a scanner found into strings, and tells rows from blank lines and headers met again. */
export class CellReader {
  readonly #unescape: (cell: string) => string
  readonly #unquotes: boolean
  readonly #header: readonly string[]

  constructor(dialect: Dialect, columns: readonly string[]) {
    const quote = dialect.quote ?? ''
    this.#unquotes = dialect.quote !== null
    this.#unescape =
      dialect.escape === 'backslash'
        ? cell => cell.replace(/\\([\s\S])/g, '$1')
        : cell => cell.replaceAll(quote + quote, quote)
    this.#header = columns.map(foldName)
  }

  /** The cells, without empty ones beyond the last named column. */
  read(block: Block, scanner: RecordScanner, start: number): CellOutcome {
    if (!this.#unquotes && hasLeadingQuote(block, scanner)) return 'unquoted'
    const isPlain = block.isPlain(start, scanner.contentEnd)
    if (!isPlain && block.decode(start, scanner.contentEnd) === null) return 'encoding'
    const count = this.#usedCells(scanner)
    const kept = Math.min(count, scanner.starts.length)
    const cells: string[] = []
    for (let index = 0; index < kept; index++) cells.push(this.#cell(block, scanner, index, isPlain))
    while (cells.length < count) cells.push('')
    if (count < 2 || beginsBlank(cells[0] ?? '')) {
      if (cells.every(cell => cell.trim() === '')) return 'blank'
    }
    return this.#isHeader(cells) ? 'header' : cells
  }

  #cell(block: Block, scanner: RecordScanner, index: number, isPlain: boolean): string {
    const start = scanner.starts[index] ?? 0
    const end = scanner.ends[index] ?? 0
    const text = isPlain ? block.text.substring(start, end) : (block.decode(start, end) ?? '')
    return scanner.escaped[index] === 1 ? this.#unescape(text) : text
  }

  /** Number of cells once empty ones beyond the last named column are dropped. */
  #usedCells(scanner: RecordScanner): number {
    let count = scanner.count
    if (count > scanner.starts.length) return count
    while (count > this.#header.length && scanner.starts[count - 1] === scanner.ends[count - 1]) count--
    return count
  }

  #isHeader(cells: readonly string[]): boolean {
    const header = this.#header
    const [first = ''] = cells
    if (cells.length !== header.length || header.length < 2) return false
    // Folding is dear; the first character tells almost every row from the header.
    if (!beginsBlank(first) && first[0]?.toLowerCase() !== header[0]?.[0]) return false
    return cells.every((cell, index) => {
      const name = foldName(cell)
      return name === header[index] || (name === '' && /^#*\d+$/.test(header[index] ?? ''))
    })
  }
}

function beginsBlank(cell: string): boolean {
  return cell === '' || cell.charCodeAt(0) <= 32
}

function hasLeadingQuote(block: Block, scanner: RecordScanner): boolean {
  const count = Math.min(scanner.count, scanner.starts.length)
  for (let index = 0; index < count; index++) {
    const start = scanner.starts[index] ?? 0
    if (start < (scanner.ends[index] ?? 0) && block.codes[start] === DOUBLE_QUOTE) return true
  }
  return false
}
