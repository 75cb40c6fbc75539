import { type Block, CR, LF } from '../text/block.ts'
import { RecordParser } from './parse-record.ts'
import { isSpace, ValueScanner } from './scan-value.ts'

const TAB = 9
const SPACE = 32
const COMMA = 44
const OPEN_LIST = 91
const CLOSE_LIST = 93
const OPEN_OBJECT = 123

/** Share of names that two records have in common; an object in a list lacks at least the names of the list and its record. */
const LIKE = 2 / 3
/** Share of its own names that a record on a line of its own has in common with another: members without a value may be left out. */
const LIKE_ALIGNED = 1 / 2
/** A member's name, at any depth; names longer than that are no help. */
const NAME = /"((?:[^"\\]|\\.){1,100})"[ \t\r\n]*:/g

/** A record of an array that is broken: where it begins, where that shows, and how far its bytes may reach. */
export interface BrokenRecord {
  readonly start: number
  readonly wrong: number
  /** Where looking for the next one begins: the last string may have swallowed it. */
  readonly from: number
  readonly limit: number
  readonly recordUnits: number
}

/**
 * Finds the record behind one that lacks a quote mark or a bracket, so that it does not take all later ones with it: the
 * next `{` behind a comma that begins a well-formed object with the names of the broken one. Objects inside a record are
 * none of its neighbours: they have not most of the names it has, and do not begin a line as it does. Every unit is looked at a few times at most, whatever the
 * text is.
 */
export class NextRecord {
  readonly #scanner = new ValueScanner()
  readonly #parser = new RecordParser()

  /** The unit where it begins; null: there is none; `more`: it may stand in text that is not there yet. */
  find(block: Block, broken: BrokenRecord): number | null | 'more' {
    let likeness: Likeness | null = null
    let at = broken.from
    for (;;) {
      const start = objectBehindComma(block, at, broken.limit)
      if (start < 0) return block.final || broken.limit < block.length ? null : 'more'
      likeness ??= this.#likenessOf(block, broken, start)
      const limit = Math.min(block.length, start + broken.recordUnits)
      this.#scanner.beginStrict()
      const outcome = this.#scanner.scan(block, start, limit)
      if (outcome === 'more') return block.final || limit < block.length ? null : 'more'
      if (outcome === 'end') {
        const { at: end } = this.#scanner
        const next = passSpace(block, end)
        if (next === block.length && !block.final) return 'more'
        const isAligned = indentOf(block, start) === likeness.indent
        if (isBetween(block, next) && this.#isLike(block.text.slice(start, end), likeness, isAligned)) return start
        at = end
      } else at = Math.max(start + 1, outcome === 'wrong' ? this.#scanner.stringAt : this.#scanner.at)
    }
  }

  #likenessOf(block: Block, { start, wrong }: BrokenRecord, end: number): Likeness {
    this.#parser.parse(block.text.slice(start, wrong))
    const names = namesIn(block.text.slice(start, end))
    return { first: this.#parser.seen[0] ?? null, names, indent: indentOf(block, start) ?? NO_INDENT }
  }

  #isLike(text: string, { first, names }: Likeness, isAligned: boolean): boolean {
    const content = this.#parser.parse(text)
    if ('fault' in content || (first !== null && content.names[0] !== first)) return false
    const own = namesIn(text)
    const common = [...names].filter(name => own.has(name)).length
    if (names.size === 0) return own.size > 0
    return common > names.size * LIKE || (isAligned && first !== null && common > own.size * LIKE_ALIGNED)
  }
}

/** What a record must have in common with a broken one: its first name, where that is known, and most of all names. */
interface Likeness {
  readonly first: string | null
  readonly names: ReadonlySet<string>
  /** Spaces before it, where it is the first on its line but for the mark of its list. */
  readonly indent: number
}

const NO_INDENT = -1
/** Spaces a line may begin with while it is asked whether a record is the first on it. */
const MAX_INDENT = 1000

/** Spaces before an object that nothing but marks of its list stands before on its line; null for another. */
function indentOf(block: Block, start: number): number | null {
  let spaces = 0
  for (let at = start - 1; at >= 0 && start - at < MAX_INDENT; at--) {
    const code = block.codes[at]
    if (code === LF || code === CR) return spaces
    if (code === SPACE || code === TAB) spaces++
    else if (code !== COMMA && code !== OPEN_LIST) return null
  }
  return null
}

const namesIn = (text: string): ReadonlySet<string> => new Set(Array.from(text.matchAll(NAME), ([, name = '']) => name))

/** The first `{` at or after `from` that follows a comma, or −1. */
function objectBehindComma(block: Block, from: number, limit: number): number {
  const { codes } = block
  let last = 0
  for (let at = from; at < limit; at++) {
    const code = codes[at] ?? 0
    if (isSpace(code)) continue
    if (code === OPEN_OBJECT && last === COMMA) return at
    last = code
  }
  return -1
}

/** Whether what follows a value may stand behind it in an array, also without a comma, or nothing does. */
export function isBetween(block: Block, at: number): boolean {
  const code = block.codes[at]
  return at >= block.length || code === COMMA || code === CLOSE_LIST || code === OPEN_OBJECT
}

/** The first unit at or after `from` that is no white space. */
export function passSpace(block: Block, from: number): number {
  let at = from
  while (at < block.length && isSpace(block.codes[at])) at++
  return at
}
