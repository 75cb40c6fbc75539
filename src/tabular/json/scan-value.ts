import { type Block, CR, LF } from '../text/block.ts'

const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/** `break`: a line end inside a string, which no JSON has: the string was never closed. */
export type ValueOutcome = 'end' | 'more' | 'break'

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

  /** Begins a value, or with `depth` goes on inside that many open brackets. */
  begin(depth = 0): void {
    this.#depth = depth
    this.deepest = depth
    this.isInString = false
    this.#escaped = false
    this.isToken = false
    this.#isFresh = depth === 0
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
    this.at++
    const isFresh = this.#isFresh
    this.#isFresh = false
    if (code === QUOTE) this.isInString = true
    else if (code === OPEN_OBJECT || code === OPEN_LIST) this.deepest = Math.max(this.deepest, ++this.#depth)
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) this.#depth--
    else if (isFresh) this.isToken = true
    else return 'more'
    return this.#depth <= 0 && !this.isInString && !this.isToken ? 'end' : 'more'
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
