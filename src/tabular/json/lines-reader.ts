import { MAX_RECORD_BYTES, tooLarge } from '../format.ts'
import type { ReadStart, RowReader, TakeRow } from '../reader.ts'
import type { Block } from '../text/block.ts'
import { Skipped } from '../text/skipped.ts'
import { OPEN_STRING } from './around.ts'
import type { RecordContent } from './parse-record.ts'
import { isSpace, ValueScanner } from './scan-value.ts'
import { rowOf, ValueReader } from './value-row.ts'

const COMMA = 44
const SEVERAL_LINES = 'a value goes on beyond its line, in a file of one or more whole records a line'

interface Value {
  readonly start: number
  readonly end: number
  readonly deepest: number
}

interface OpenLine {
  readonly block: Block
  readonly end: number
  readonly items: readonly { readonly end: number; readonly content: RecordContent; readonly source: () => string }[]
  /** Index of the first item that is not handed on yet. */
  next: number
}

/**
 * Records of JSON Lines: one or more whole values a line, blank lines passed over. A line that is not JSON is one faulty
 * row, whatever stands on it, and never touches the next.
 */
export class LinesReader implements RowReader {
  readonly #scanner = new ValueScanner()
  readonly #values = new ValueReader()
  readonly #recordBytes: number
  #row: number
  #line: number
  #skipped: Skipped | null = null
  /** The line that is being handed on, kept over a pause so that a line of very many values is read once. */
  #open: OpenLine | null = null

  constructor(start: ReadStart, recordBytes = MAX_RECORD_BYTES) {
    this.#recordBytes = recordBytes
    this.#row = start.row
    this.#line = start.line
  }

  read(block: Block, from: number, take: TakeRow): number {
    let at = from
    while (at < block.length || (block.final && this.#skipped !== null)) {
      if (this.#open === null || this.#open.block !== block) {
        const end = block.lineEnd(at)
        const isWhole = block.final || (end < block.length && !block.isSplitLineEnd(end))
        if (this.#skipped !== null || end - at >= this.#recordBytes / block.unit) this.#skip(block, at, end)
        if (!isWhole) return this.#skipped === null ? at : end
        this.#open =
          this.#skipped === null ? this.#lineAt(block, at, end) : this.#skippedLine(block, end, this.#skipped)
      }
      const { end } = this.#open
      const stop = this.#handOn(this.#open, take)
      if (stop >= 0) return stop
      this.#open = null
      at = block.afterLineEnd(end)
      if (end < block.length) this.#line++
    }
    return at
  }

  #skip(block: Block, at: number, end: number): void {
    this.#skipped ??= new Skipped()
    this.#skipped.add(block, at, end)
  }

  #skippedLine(block: Block, end: number, skipped: Skipped): OpenLine {
    this.#skipped = null
    const source = skipped.source(block.encoding)
    return {
      block,
      end,
      next: 0,
      items: [{ end, content: { fault: tooLarge(this.#recordBytes) }, source: () => source }]
    }
  }

  /** The records of one line, or of its rest: one faulty row unless all of it is JSON. */
  #lineAt(block: Block, at: number, end: number): OpenLine {
    const values = this.#split(block, { at, end })
    const items = (typeof values === 'string' ? [] : values).map(value => ({
      end: value.end,
      content: this.#values.read(block, value),
      source: () => block.show(value.start, value.end)
    }))
    const broken = items.find(({ content }) => 'fault' in content && content.fault.code === 'JSON_INVALID')
    const content = typeof values === 'string' ? this.#openContent(block, { at, end }, values) : broken?.content
    if (content === undefined) return { block, end, next: 0, items }
    return { block, end, next: 0, items: [{ end, content, source: () => block.show(at, end) }] }
  }

  /** Why a line ends inside a value, and the member that was open there. */
  #openContent(block: Block, line: { at: number; end: number }, why: string): RecordContent {
    const content = this.#values.read(block, { start: line.at, end: line.end, deepest: 0 })
    if (!('fault' in content) || content.fault.code !== 'JSON_INVALID')
      return { fault: { code: 'JSON_INVALID', detail: why } }
    return { fault: { ...content.fault, detail: `${why}, ${content.fault.detail}` } }
  }

  /** Hands on what is left of a line. Answers where to stop, or −1 to go on with the next line. */
  #handOn(line: OpenLine, take: TakeRow): number {
    for (;;) {
      const item = line.items[line.next]
      if (item === undefined) return -1
      line.next++
      const row = rowOf(item.content, { row: this.#row++, line: this.#line }, item.source)
      if (!take(row, { end: item.end, line: this.#line })) return item.end
    }
  }

  /** The values on a line, or why they cannot be told apart. */
  #split(block: Block, line: { at: number; end: number }): Value[] | string {
    const scanner = this.#scanner
    const values: Value[] = []
    let at = line.at
    for (;;) {
      while (at < line.end && (isSpace(block.codes[at]) || block.codes[at] === COMMA)) at++
      if (at === line.end) return values
      scanner.begin()
      const outcome = scanner.scan(block, at, line.end)
      if (outcome === 'more' && !scanner.isToken) return scanner.isInString ? OPEN_STRING : SEVERAL_LINES
      values.push({ start: at, end: scanner.at, deepest: scanner.deepest })
      at = scanner.at
    }
  }
}
