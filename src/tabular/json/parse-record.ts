import type { RawValue, RowFault } from '../../model/rows.ts'
import { MAX_JSON_DEPTH } from '../format.ts'
import { isStorable } from '../text/encodings.ts'
import { JsonFault, JsonText } from './json-text.ts'

export type RecordContent =
  | { readonly names: readonly string[]; readonly values: readonly RawValue[] }
  | { readonly fault: RowFault }

const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPEN_LIST = 91
const CLOSE_LIST = 93
const LOWER_F = 102
const LOWER_N = 110
const LOWER_T = 116
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/** Names above this count are looked up in a set. */
const FEW_NAMES = 16

/**
 * Parses records, each one JSON object. Numbers keep their source text, nested values become RFC 8785 text, and names
 * never become property names. Records with the same members in the same order share one list of names.
 */
export class RecordParser {
  #names: readonly string[] = []
  #json = new JsonText('')
  #duplicate: string | null = null
  /** The record's own member that is being read, as far as its name is known. */
  #open: string | null = null
  /** The names of the last record whose values could be begun to be read. */
  seen: string[] = []

  /** The members of the object `text` holds, or why it is no record. */
  parse(text: string): RecordContent {
    this.#json = new JsonText(text)
    this.#duplicate = null
    this.#open = null
    try {
      return this.#record()
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error
      const detail =
        error.code === 'JSON_TOO_DEEP' ? `more than ${MAX_JSON_DEPTH} levels` : `at character ${error.at + 1}`
      return { fault: memberFault(error.code, this.#open, detail) }
    }
  }

  #record(): RecordContent {
    const json = this.#json
    const isObject = json.peek() === OPEN_OBJECT
    const names: string[] = []
    this.seen = []
    const values: RawValue[] = []
    let unstorable: string | null = null
    const read = (): void => {
      this.#open = names.at(-1) ?? null
      if (this.#open !== null) this.seen.push(this.#open)
      values.push(this.#member())
      if (json.isUnstorable) unstorable ??= this.#open
    }
    if (isObject) this.#members(names, read)
    else this.#canonical(1)
    if (!Number.isNaN(json.peek())) json.fail()
    if (!isObject) return { fault: { code: 'ROW_UNPARSABLE', detail: 'not an object' } }
    if (this.#duplicate !== null) return { fault: { code: 'DUPLICATE_KEY', detail: this.#duplicate } }
    if (json.isUnstorable) return { fault: memberFault('TEXT_NOT_STORABLE', unstorable) }
    return { names: this.#shared(names), values }
  }

  #shared(names: readonly string[]): readonly string[] {
    const last = this.#names
    const isSame = last.length === names.length && names.every((name, index) => name === last[index])
    if (!isSame) this.#names = names
    return this.#names
  }

  /** Reads the members of an object, `each` reading the value; collects the names and finds repeated ones. */
  #members(names: string[], each: () => void): void {
    const json = this.#json
    let seen: Set<string> | null = null
    json.expect(OPEN_OBJECT)
    if (json.peek() === CLOSE_OBJECT) {
      json.at++
      return
    }
    for (;;) {
      const name = json.string()
      if (names.length === FEW_NAMES) seen = new Set(names)
      if (seen?.has(name) ?? names.includes(name)) this.#duplicate ??= `member ${names.length + 1} of its object`
      seen?.add(name)
      names.push(name)
      json.expect(COLON)
      each()
      if (json.peek() !== COMMA) break
      json.at++
      if (json.peek() !== QUOTE) json.fail()
    }
    json.expect(CLOSE_OBJECT)
  }

  #member(): RawValue {
    const json = this.#json
    const code = json.peek()
    if (code === QUOTE) return json.string()
    const text = this.#canonical(2)
    return code === LOWER_N ? null : { json: text }
  }

  /** The value as RFC 8785 text, except that numbers stay as written. `depth` counts its own level. */
  #canonical(depth: number): string {
    const json = this.#json
    switch (json.peek()) {
      case QUOTE:
        return JSON.stringify(json.string())
      case OPEN_OBJECT:
        return this.#object(depth)
      case OPEN_LIST:
        return this.#list(depth)
      case LOWER_T:
        return json.word('true')
      case LOWER_F:
        return json.word('false')
      case LOWER_N:
        return json.word('null')
      default:
        return json.number()
    }
  }

  #object(depth: number): string {
    if (depth > MAX_JSON_DEPTH) this.#json.fail('JSON_TOO_DEEP')
    const names: string[] = []
    const texts: string[] = []
    this.#members(names, () => texts.push(this.#canonical(depth + 1)))
    return canonicalObject(names, texts)
  }

  #list(depth: number): string {
    const json = this.#json
    if (depth > MAX_JSON_DEPTH) json.fail('JSON_TOO_DEEP')
    const items: string[] = []
    json.expect(OPEN_LIST)
    if (json.peek() !== CLOSE_LIST) {
      for (;;) {
        items.push(this.#canonical(depth + 1))
        if (json.peek() !== COMMA) break
        json.at++
      }
    }
    json.expect(CLOSE_LIST)
    return `[${items.join(',')}]`
  }
}

/** Longer names are cut where people are told of them. */
const SHOWN_NAME = 60

/** A fault that lies in one member of the record, if it is known which; a name that cannot be stored is not shown. */
export function memberFault(code: RowFault['code'], member: string | null, what = ''): RowFault {
  if (member === null || !isStorable(member)) return what === '' ? { code } : { code, detail: what }
  const words = `in member “${member.slice(0, SHOWN_NAME).toWellFormed()}”`
  return { code, detail: what === '' ? words : `${what}, ${words}`, column: member }
}

/** An object's RFC 8785 text: members by the UTF-16 units of their names. */
function canonicalObject(names: readonly string[], texts: readonly string[]): string {
  const order = names.map((_, index) => index).toSorted((left, right) => (names[left]! < names[right]! ? -1 : 1))
  return `{${order.map(index => `${JSON.stringify(names[index])}:${texts[index]}`).join(',')}}`
}
