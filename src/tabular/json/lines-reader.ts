import type { RawRow, RowFault } from '../../model/rows.ts'
import { MAX_RECORD_BYTES } from '../format.ts'
import type { ReadStart, RowReader, TakeRow } from '../reader.ts'
import type { Block } from '../text/block.ts'
import { Skipped } from '../text/skipped.ts'
import type { RecordContent } from './parse-record.ts'
import { isSpace, ValueScanner } from './scan-value.ts'
import { rowOf, ValueReader } from './value-row.ts'

const COMMA = 44
const TOO_LARGE: RowFault = { code: 'RECORD_TOO_LARGE', detail: `more than ${MAX_RECORD_BYTES} bytes` }

interface Value {
  readonly start: number
  readonly end: number
  readonly deepest: number
}

/**
 * Records of JSON Lines: one or more whole values a line, blank lines passed over. A line that is not JSON is one faulty
 * row, whatever stands on it, and never touches the next.
 */
export class LinesReader implements RowReader {
  readonly #scanner = new ValueScanner()
  readonly #values = new ValueReader()
  #row: number
  #line: number
  #skipped: Skipped | null = null

  constructor(start: ReadStart) {
    this.#row = start.row
    this.#line = start.line
  }

  read(block: Block, from: number, take: TakeRow): number {
    let at = from
    while (at < block.length || (block.final && this.#skipped !== null)) {
      const end = block.lineEnd(at)
      const isWhole = block.final || (end < block.length && !block.isSplitLineEnd(end))
      if (this.#skipped !== null || end - at >= MAX_RECORD_BYTES / block.unit) {
        this.#skipped ??= new Skipped()
        this.#skipped.add(block, at, end)
        at = end
        if (!isWhole) return at
        const source = this.#skipped.source(block.encoding)
        this.#skipped = null
        if (!this.#take(take, { fault: TOO_LARGE }, { end: at, source: () => source })) return at
        continue
      }
      if (!isWhole) return at
      const stop = this.#lineAt(block, { at, end }, take)
      if (stop >= 0) return stop
      at = block.afterLineEnd(end)
      if (end < block.length) this.#line++
    }
    return at
  }

  /** The records of one line, or of its rest. Answers where to stop, or −1 to go on with the next line. */
  #lineAt(block: Block, line: { at: number; end: number }, take: TakeRow): number {
    const values = this.#split(block, line)
    const contents = values?.map(value => this.#values.read(block, value)) ?? []
    const broken = contents.findIndex(content => 'fault' in content && content.fault.code === 'JSON_INVALID')
    if (values === null || broken >= 0) {
      const content = contents[broken] ?? { fault: { code: 'JSON_INVALID' } }
      const source = (): string => block.show(line.at, line.end)
      return this.#take(take, content, { end: line.end, source }) ? -1 : line.end
    }
    for (const [index, value] of values.entries()) {
      const source = (): string => block.show(value.start, value.end)
      const content = contents[index]
      if (content && !this.#take(take, content, { end: value.end, source })) return value.end
    }
    return -1
  }

  /** The values on a line, or null when one does not end there. */
  #split(block: Block, line: { at: number; end: number }): Value[] | null {
    const scanner = this.#scanner
    const values: Value[] = []
    let at = line.at
    for (;;) {
      while (at < line.end && (isSpace(block.codes[at]) || block.codes[at] === COMMA)) at++
      if (at === line.end) return values
      scanner.begin()
      const outcome = scanner.scan(block, at, line.end)
      const isOpen = outcome === 'more' && !scanner.isToken
      if (isOpen || outcome === 'break') return null
      values.push({ start: at, end: scanner.at, deepest: scanner.deepest })
      at = scanner.at
    }
  }

  #take(take: TakeRow, content: RecordContent, at: { end: number; source: () => string }): boolean {
    const row: RawRow = rowOf(content, { row: this.#row++, line: this.#line }, at.source)
    return take(row, { end: at.end, line: this.#line })
  }
}
