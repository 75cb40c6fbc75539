import type { RowFault } from '../../model/rows.ts'
import type { Block } from '../text/block.ts'
import { isMetadata } from './envelope.ts'
import { passSpace } from './next-record.ts'
import { isSpace, ValueScanner } from './scan-value.ts'

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
const RECORDS = '"records"'
/** Units of a name that are looked at: no name that matters is longer. */
const SHOWN_NAME = 20

export const OPEN_STRING = 'a string is not closed on its line'
export const BEHIND_END: RowFault = { code: 'JSON_INVALID', detail: 'text behind the end of the array' }
const SECOND: RowFault = { code: 'DUPLICATE_KEY', detail: 'the member records stands twice in the object around it' }
const OTHER_LIST: RowFault = {
  code: 'ROW_UNPARSABLE',
  detail: 'another list of objects stands beside the records: send it as a file of its own'
}

/**
 * Reads what stands behind an array of records in the objects around it: names, values and the marks between them are
 * passed over one by one, so that a second array of records is seen.
 */
export class Around {
  /** The unit behind what was passed over. */
  at = 0
  readonly #scanner = new ValueScanner()
  #open: number
  /** No colon was the last mark, so that what comes is a name. */
  #isName = true
  #isMetadata = false
  #isInPart = false

  /** `open`: how many objects are open around the array. */
  constructor(open: number) {
    this.#open = open
  }

  /** Goes on from a unit of the block: over one part, to the end of the objects (`done`), or to what may not stand there. */
  step(block: Block, from: number, end: number): 'again' | 'more' | 'done' | RowFault {
    this.at = from
    return this.#isInPart ? this.#part(block, end) : this.#between(block, end)
  }

  #between(block: Block, end: number): 'again' | 'more' | 'done' | RowFault {
    while (this.at < end && (isSpace(block.codes[this.at]) || block.codes[this.at] === COMMA)) this.at++
    const start = this.at
    if (start >= end) return 'more'
    const code = block.codes[start]
    if (code === CLOSE_OBJECT) {
      this.at++
      this.#open--
      return this.#open > 0 ? 'again' : 'done'
    }
    if (code === CLOSE_LIST) return BEHIND_END
    if (code === QUOTE && this.#isName) {
      const name = block.text.slice(start, start + SHOWN_NAME)
      if (name.length < SHOWN_NAME && !name.slice(1).includes('"') && !block.final) return 'more'
      if (name.startsWith(RECORDS)) return SECOND
      this.#isMetadata = isMetadata(name.slice(1, name.indexOf('"', 1)))
    }
    if (code === OPEN_LIST && !this.#isMetadata) {
      const first = passSpace(block, start + 1)
      if (first === block.length && !block.final) return 'more'
      if (block.codes[first] === OPEN_OBJECT) return OTHER_LIST
    }
    this.#isName = code !== COLON
    if (code === COLON) this.at++
    else {
      this.#scanner.begin()
      this.#isInPart = true
    }
    return 'again'
  }

  #part(block: Block, limit: number): 'again' | 'more' | RowFault {
    const outcome = this.#scanner.scan(block, this.at, limit)
    this.at = this.#scanner.at
    if (outcome === 'break') return { code: 'JSON_INVALID', detail: OPEN_STRING }
    if (outcome === 'end') this.#isInPart = false
    return outcome === 'end' ? 'again' : 'more'
  }
}
