import { type Block, CR, LF } from '../text/block.ts'

const QUOTE = 34
const COMMA = 44
const COLON = 58
const BACKSLASH = 92
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/**
 * `break`: a line end inside a string, which no JSON has: the string was never closed. `wrong`, of a strict scan only: a
 * mark where no JSON has it, so that a quote mark or a bracket is missing further ahead.
 */
export type ValueOutcome = 'end' | 'more' | 'break' | 'wrong'

export function isSpace(code: number | undefined): boolean {
  return code === 32 || code === LF || code === CR || code === 9
}

/**
 * Finds where a JSON value ends, by brackets and quotes alone: the strict parser judges it afterwards. Keeps its state
 * between calls, so that a value of any length can be passed over.
 */
export class ValueScanner {
  /** Units of the block behind what was scanned. */
  at = 0
  /** Deepest nesting met. */
  deepest = 0
  #depth = 0
  /** Inside a string that is not closed yet. */
  isInString = false
  /** The unit at `at` follows a backslash. */
  #escaped = false
  /** Whether the value is a bare word or number, which ends where anything else begins. */
  isToken = false
  #isFresh = true
  #isStrict = false
  /** Brackets that are open, and the last mark outside strings, of a strict scan. */
  readonly #open: number[] = []
  #last = 0
  /** Where the last string of a strict scan opened; 0: none did. */
  stringAt = 0

  /** Begins a value, or with `depth` goes on inside that many open brackets. */
  begin(depth = 0): void {
    this.#depth = depth
    this.deepest = depth
    this.isInString = false
    this.#escaped = false
    this.isToken = false
    this.#isFresh = depth === 0
    this.#isStrict = false
  }

  /** Begins a value whose scan ends at the first mark that shows it broken. */
  beginStrict(): void {
    this.begin()
    this.#isStrict = true
    this.#open.length = 0
    this.#last = 0
    this.stringAt = 0
  }

  /** Scans up to `limit`; `more` says that the value goes on there. A bare token ends before what ends it. */
  scan(block: Block, from: number, limit: number): ValueOutcome {
    const { codes } = block
    this.at = from
    while (this.at < limit) {
      const outcome = this.isInString ? this.#string(codes, limit) : this.#outside(codes)
      if (outcome !== 'more') return outcome
    }
    return 'more'
  }

  #outside(codes: Block['codes']): ValueOutcome {
    const code = codes[this.at] ?? 0
    if (this.isToken) {
      if (endsToken(code)) return 'end'
      this.at++
      return 'more'
    }
    if (this.#isStrict && !isSpace(code) && this.#isWrong(code)) return 'wrong'
    this.at++
    const isFresh = this.#isFresh
    this.#isFresh = false
    if (code === QUOTE) {
      this.isInString = true
      this.stringAt = this.at - 1
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) this.deepest = Math.max(this.deepest, ++this.#depth)
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) this.#depth--
    else if (isFresh) this.isToken = true
    else return 'more'
    return this.#depth <= 0 && !this.isInString && !this.isToken ? 'end' : 'more'
  }

  /** Whether a mark cannot follow the last one, as far as quote marks and brackets tell; else it is the last one. */
  #isWrong(code: number): boolean {
    const last = this.#last
    const open = this.#open
    this.#last = code
    switch (code) {
      case QUOTE:
        return last !== 0 && last !== COMMA && last !== COLON && last !== OPEN_OBJECT && last !== OPEN_LIST
      case OPEN_OBJECT:
      case OPEN_LIST: {
        const isItem = open.at(-1) === OPEN_LIST && (last === COMMA || last === OPEN_LIST)
        open.push(code)
        return last !== 0 && last !== COLON && !isItem
      }
      case CLOSE_OBJECT:
        return open.pop() !== OPEN_OBJECT
      case CLOSE_LIST:
        return open.pop() !== OPEN_LIST
      case COLON:
        return last !== QUOTE
      case COMMA:
        return false
      default:
        return last === QUOTE
    }
  }

  #string(codes: Block['codes'], limit: number): ValueOutcome {
    let at = this.at
    while (at < limit) {
      const code = codes[at]
      if (this.#escaped && code !== LF && code !== CR) {
        this.#escaped = false
        at++
        continue
      }
      if (code === QUOTE) {
        this.isInString = false
        this.at = at + 1
        return this.#depth === 0 ? 'end' : 'more'
      }
      if (code === LF || code === CR) {
        this.at = at
        return 'break'
      }
      this.#escaped = code === BACKSLASH
      at += 1
    }
    this.at = at
    return 'more'
  }
}

function endsToken(code: number): boolean {
  return (
    isSpace(code) ||
    code === COMMA ||
    code === QUOTE ||
    code === OPEN_LIST ||
    code === CLOSE_LIST ||
    code === OPEN_OBJECT ||
    code === CLOSE_OBJECT
  )
}
