import type { Block } from '../text/block.ts'
import { RecordParser } from './parse-record.ts'
import { isSpace, ValueScanner } from './scan-value.ts'

const COMMA = 44
const CLOSE_LIST = 93
const OPEN_OBJECT = 123

/** Share of names that two records have in common; an object in a list lacks at least the names of the list and its record. */
const LIKE = 2 / 3
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
 * none of its neighbours: they have not most of the names it has. Every unit is looked at a few times at most, whatever the
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
        if (isBetween(block, next) && this.#isLike(block.text.slice(start, end), likeness)) return start
        at = end
      } else at = Math.max(start + 1, outcome === 'wrong' ? this.#scanner.stringAt : this.#scanner.at)
    }
  }

  #likenessOf(block: Block, { start, wrong }: BrokenRecord, end: number): Likeness {
    this.#parser.parse(block.text.slice(start, wrong))
    return { first: this.#parser.seen[0] ?? null, names: namesIn(block.text.slice(start, end)) }
  }

  #isLike(text: string, { first, names }: Likeness): boolean {
    const content = this.#parser.parse(text)
    if ('fault' in content || (first !== null && content.names[0] !== first)) return false
    const own = namesIn(text)
    const common = [...names].filter(name => own.has(name)).length
    return names.size === 0 ? own.size > 0 : common > names.size * LIKE
  }
}

/** What a record must have in common with a broken one: its first name, where that is known, and most of all names. */
interface Likeness {
  readonly first: string | null
  readonly names: ReadonlySet<string>
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
