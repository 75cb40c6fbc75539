import type { Dialect } from '../format.ts'
import type { Block } from '../text/block.ts'
import { RecordScanner } from './scan-record.ts'

/** One record at the head of a file, as read under a dialect that is being tried. */
export interface SampleRow {
  /** Empty for a faulty record. */
  readonly cells: readonly string[]
  readonly isFaulty: boolean
  /** Units and physical line, from 1, at its start and behind it. */
  readonly start: number
  readonly end: number
  readonly line: number
  readonly lineAfter: number
}

/** Records read for each one wanted, blank lines included. */
const MAX_BLANK_SHARE = 100

/** The first records of a block under a dialect, blank lines left out. A record the block cuts off is not among them. */
export function sampleRows(block: Block, dialect: Dialect, most: number): SampleRow[] {
  const scanner = new RecordScanner(dialect)
  const rows: SampleRow[] = []
  let start = 0
  let line = 1
  for (let read = 0; start < block.length && rows.length < most && read < most * MAX_BLANK_SHARE; read++) {
    const outcome = scanner.scan(block, start)
    if (outcome === 'more' || outcome === 'long') break
    const cells = outcome === 'row' ? cellsOf(block, scanner, dialect) : []
    const { end } = scanner
    const lineAfter = line + block.countLines(start, end)
    const isBlank = outcome === 'row' && cells.every(cell => cell.trim() === '')
    if (!isBlank) rows.push({ cells, isFaulty: outcome !== 'row', start, end, line, lineAfter })
    start = end
    line = lineAfter
  }
  return rows
}

function cellsOf(block: Block, scanner: RecordScanner, dialect: Dialect): string[] {
  const count = Math.min(scanner.count, scanner.starts.length)
  return Array.from({ length: count }, (_, index) => {
    const text = block.show(scanner.starts[index] ?? 0, scanner.ends[index] ?? 0)
    if (scanner.escaped[index] !== 1) return text
    const quote = dialect.quote ?? ''
    return dialect.escape === 'double' ? text.replaceAll(quote + quote, quote) : text.replace(/\\([\s\S])/g, '$1')
  })
}
