import { createHash } from 'node:crypto'
import type { RawRow, RowFault } from '../../model/rows.ts'
import { type JsonFormat, MAX_RECORD_BYTES, tooLarge } from '../format.ts'
import type { ReadStart, RowReader, TakeRow } from '../reader.ts'
import type { Block } from '../text/block.ts'
import { Skipped } from '../text/skipped.ts'
import { Around, BEHIND_END, OPEN_STRING } from './around.ts'
import { isBetween, NextRecord, passSpace } from './next-record.ts'
import { isSpace, ValueScanner } from './scan-value.ts'
import { rowOf, ValueReader } from './value-row.ts'

const TAB = 9
const SPACE = 32
const COMMA = 44
const CLOSE_LIST = 93
const OPEN_OBJECT = 123

const BROKEN = 'a quote mark or a bracket is missing, or the file ends inside this value'
const NOT_CLOSED: RowFault = { code: 'JSON_INVALID', detail: BROKEN }
const NO_END: RowFault = { code: 'FILE_TRUNCATED', detail: 'the array is not closed' }

/** Characters of the last value that tell one file from another. */
const TELLING = 300

/** Spaces a line may begin with while a line that begins with `{` is sought. */
const MAX_INDENT = 10_000

/**
 * What is being read. `value`: inside a value too large to hold. `resync`: behind an unclosed string, up to a line that
 * begins with `{`. `around`: behind the array, in the objects around it. `behind`: text after the end.
 */
type State = 'between' | 'value' | 'resync' | 'around' | 'done' | 'behind'

/** A row to hand on, nothing yet, or the wish for more text. */
type Step = RawRow | 'again' | 'more'

/**
 * Records of a JSON array, or of values one after another. Each value is judged alone: a faulty one is one row with its
 * source, and what cannot be told apart behind it belongs to that row, never to nothing. Commas between values are not
 * insisted on.
 */
export class ArrayReader implements RowReader {
  readonly #scanner = new ValueScanner()
  readonly #values = new ValueReader()
  readonly #next = new NextRecord()
  readonly #format: JsonFormat
  #state: State = 'between'
  readonly #around: Around
  #at = 0
  #row: number
  #line: number
  /** The row being passed over: physical line where it began, content so far, and why. */
  #rowLine = 0
  #skipped = new Skipped()
  #fault: RowFault = NOT_CLOSED
  /** The beginning of the last value: two files that end too early are two, also on the same line. */
  #lastValue = ''
  /** Set once the end of the file has been accounted for. */
  #isOver = false

  constructor(format: JsonFormat, start: ReadStart) {
    this.#format = format
    this.#around = new Around(format.openObjects)
    this.#row = start.row
    this.#line = start.line
  }

  read(block: Block, from: number, take: TakeRow): number {
    this.#at = from
    for (;;) {
      let step = this.#step(block)
      if (step === 'again') continue
      if (step === 'more' && block.final) step = this.#end(block)
      if (step === 'more' || step === 'again') return this.#at
      if (!take(step, { end: this.#at, line: this.#line })) return this.#at
    }
  }

  #step(block: Block): Step {
    switch (this.#state) {
      case 'between':
        return this.#between(block)
      case 'value':
        return this.#passValue(block)
      case 'resync':
        return this.#resync(block)
      case 'around':
        return this.#passAround(block)
      case 'done':
        return this.#done(block)
      case 'behind':
    }
    this.#skip(block, safeEnd(block))
    return 'more'
  }

  #between(block: Block): Step {
    this.#passSpace(block, COMMA)
    const start = this.#at
    if (start >= safeEnd(block)) return 'more'
    if (this.#format.layout === 'array' && block.codes[start] === CLOSE_LIST) {
      this.#at++
      this.#state = this.#format.openObjects > 0 ? 'around' : 'done'
      return 'again'
    }
    const windowEnd = start + limitUnits(this.#format, block)
    const limit = Math.min(windowEnd, block.length)
    const isArray = this.#format.layout === 'array'
    if (isArray) this.#scanner.beginStrict()
    else this.#scanner.begin()
    const outcome = this.#scanner.scan(block, start, limit)
    if (outcome === 'wrong') return this.#broken(block, start, limit)
    const isCut = outcome === 'more' && windowEnd > block.length
    if (isCut && !block.final) return 'more'
    if (outcome === 'end' || (isCut && this.#scanner.isToken)) return this.#value(block, start)
    if (outcome === 'break') return this.#openString(block, start, limit)
    const fault = isCut ? this.#brokenFault(block, { start, end: limit }) : tooLarge(this.#format.recordBytes)
    return this.#passOver(block, fault, 'value')
  }

  #passOver(block: Block, fault: RowFault, state: State): Step {
    this.#beginSkip(fault)
    this.#skip(block, this.#scanner.at)
    this.#state = state
    return 'again'
  }

  /**
   * A record that lacks a quote mark, a bracket or a comma. Where its brackets tell its end it ends there, else before the
   * next one like it; without such a one it takes what is left.
   */
  #broken(block: Block, start: number, limit: number): Step {
    const scanner = this.#scanner
    const { at: wrong } = scanner
    const from = Math.max(start + 1, scanner.stringAt)
    const recordUnits = limitUnits(this.#format, block)
    const next = this.#next.find(block, { start, wrong, from, limit, recordUnits })
    if (next === 'more') return 'more'
    const end = next ?? limit
    scanner.begin()
    const isClosed = scanner.scan(block, start, end) === 'end' || scanner.isToken
    const behind = passSpace(block, scanner.at)
    if (isClosed && behind === block.length && !block.final) return 'more'
    if (isClosed && isBetween(block, behind)) return this.#value(block, start)
    this.#beginSkip(this.#brokenFault(block, { start, end }))
    this.#skip(block, end)
    if (next !== null) return this.#skippedRow(block)
    this.#state = 'behind'
    return 'again'
  }

  /** A string that goes on behind its line: the record ends before the next one like it, or at the next line that begins one. */
  #openString(block: Block, start: number, limit: number): Step {
    const { at: wrong } = this.#scanner
    const fault = this.#brokenFault(block, { start, end: wrong }, OPEN_STRING)
    const recordUnits = limitUnits(this.#format, block)
    const next =
      this.#format.layout === 'array'
        ? this.#next.find(block, { start, wrong, from: this.#scanner.stringAt, limit, recordUnits })
        : null
    if (next === 'more') return 'more'
    if (next === null || objectAtLine(block, wrong, next) !== null) return this.#passOver(block, fault, 'resync')
    this.#beginSkip(fault)
    this.#skip(block, next)
    return this.#skippedRow(block)
  }

  /** Said of the same bytes alike, whether more follows them or not: a chunk may end behind them. */
  #brokenFault(block: Block, range: { start: number; end: number }, why = BROKEN): RowFault {
    const content = this.#values.read(block, { ...range, deepest: 0 })
    if (!('fault' in content)) return NOT_CLOSED
    const { code, detail } = content.fault
    return code === 'JSON_INVALID' ? { ...content.fault, detail: `${why}, ${detail}` } : content.fault
  }

  #value(block: Block, start: number): RawRow {
    const end = this.#scanner.at
    const content = this.#values.read(block, { start, end, deepest: this.#scanner.deepest })
    const row = rowOf(content, { row: this.#row++, line: this.#line }, () => block.show(start, end))
    this.#lastValue = block.text.slice(start, Math.min(end, start + TELLING))
    this.#pass(block, end)
    return row
  }

  #passValue(block: Block): Step {
    const outcome = this.#scanner.scan(block, this.#at, safeEnd(block))
    this.#skip(block, this.#scanner.at)
    if (outcome === 'end') return this.#skippedRow(block)
    if (outcome === 'break') this.#state = 'resync'
    return outcome === 'break' ? 'again' : 'more'
  }

  /** Looks line by line for one that begins with `{`. */
  #resync(block: Block): Step {
    const end = block.lineEnd(this.#at)
    this.#skip(block, end)
    if (end >= safeEnd(block)) return 'more'
    const next = block.afterLineEnd(end)
    let first = next
    while (first < block.length && first - next < MAX_INDENT && isIndent(block.codes[first])) first++
    if (first === block.length && !block.final) return 'more'
    this.#skip(block, next)
    return block.codes[first] === OPEN_OBJECT ? this.#skippedRow(block) : 'again'
  }

  #passAround(block: Block): Step {
    const outcome = this.#around.step(block, this.#at, safeEnd(block))
    this.#pass(block, this.#around.at)
    if (typeof outcome !== 'string') return this.#refuseRest(outcome)
    if (outcome === 'done') this.#state = 'done'
    return outcome === 'more' ? 'more' : 'again'
  }

  #refuseRest(fault: RowFault): Step {
    this.#beginSkip(fault)
    this.#state = 'behind'
    return 'again'
  }

  #done(block: Block): Step {
    this.#passSpace(block, SPACE)
    if (this.#at >= safeEnd(block)) return 'more'
    this.#beginSkip(BEHIND_END)
    this.#state = 'behind'
    return 'again'
  }

  /** What the end of the bytes leaves to say, once. */
  #end(block: Block): Step {
    if (this.#isOver) return 'more'
    this.#isOver = true
    const isOpen = this.#state === 'around' || (this.#state === 'between' && this.#format.layout === 'array')
    if (!isOpen) return this.#state === 'between' || this.#state === 'done' ? 'more' : this.#skippedRow(block)
    const digest = createHash('sha256').update(this.#lastValue).digest('hex').slice(0, 16)
    const source = `[the text ends on line ${this.#line} after ${this.#row - 1} records, the last of digest ${digest}]`
    return rowOf({ fault: NO_END }, { row: this.#row++, line: this.#line }, () => source)
  }

  #beginSkip(fault: RowFault): void {
    this.#fault = fault
    this.#rowLine = this.#line
    this.#skipped = new Skipped()
  }

  #skippedRow(block: Block): RawRow {
    this.#state = 'between'
    const place = { row: this.#row++, line: this.#rowLine }
    return rowOf({ fault: this.#fault }, place, () => this.#skipped.source(block.encoding))
  }

  #skip(block: Block, to: number): void {
    this.#skipped.add(block, this.#at, to)
    this.#pass(block, to)
  }

  #pass(block: Block, to: number): void {
    this.#line += block.countLines(this.#at, to)
    this.#at = to
  }

  #passSpace(block: Block, other: number): void {
    const end = safeEnd(block)
    let at = this.#at
    while (at < end && (isSpace(block.codes[at]) || block.codes[at] === other)) at++
    this.#pass(block, at)
  }
}

const limitUnits = ({ recordBytes = MAX_RECORD_BYTES }: JsonFormat, { unit }: Block): number =>
  Math.ceil(recordBytes / unit)

function isIndent(code: number | undefined): boolean {
  return code === SPACE || code === TAB
}

/** The first line between two places that begins with an object, or null. */
function objectAtLine(block: Block, from: number, to: number): number | null {
  let at = block.afterLineEnd(block.lineEnd(from))
  while (at < to) {
    let first = at
    while (first < to && isIndent(block.codes[first])) first++
    if (first < to && block.codes[first] === OPEN_OBJECT) return at
    at = block.afterLineEnd(block.lineEnd(first))
  }
  return null
}

/** The end of the block, without a CR whose LF may still come. */
function safeEnd(block: Block): number {
  return block.isSplitLineEnd(block.length - 1) ? block.length - 1 : block.length
}
