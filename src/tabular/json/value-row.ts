import type { RawRow } from '../../model/rows.ts'
import { MAX_JSON_DEPTH } from '../format.ts'
import type { Block } from '../text/block.ts'
import { decodeStrict, isStorable } from '../text/encodings.ts'
import { memberFault, type RecordContent, RecordParser } from './parse-record.ts'

/** Makes the text of one value into the content of a row. */
export class ValueReader {
  readonly #parser = new RecordParser()

  /** `deepest` is the nesting the scanner met, so that deep text is refused before it is parsed. */
  read(block: Block, range: { start: number; end: number; deepest: number }): RecordContent {
    if (range.deepest > MAX_JSON_DEPTH) {
      return { fault: { code: 'JSON_TOO_DEEP', detail: `more than ${MAX_JSON_DEPTH} levels` } }
    }
    const text = block.decode(range.start, range.end)
    if (text === null) {
      const isText = (units: string): boolean => decodeStrict(Buffer.from(units, 'latin1'), block.encoding) !== null
      const units = block.unit === 1 ? block.text.slice(range.start, range.end) : null
      return { fault: memberFault('ENCODING_INVALID', this.#badMember(units, isText)) }
    }
    if (block.unit !== 1 && !text.isWellFormed()) {
      return { fault: memberFault('TEXT_NOT_STORABLE', this.#badMember(text, isStorable)) }
    }
    return this.#parser.parse(text)
  }

  /** The first member of a record whose value is not as it should be; its marks are ASCII in every encoding. */
  #badMember(text: string | null, isGood: (value: string) => boolean): string | null {
    const content = text === null ? null : this.#parser.parse(text)
    if (content === null || 'fault' in content) return null
    const bad = content.values.findIndex(
      value => value !== null && !isGood(typeof value === 'string' ? value : value.json)
    )
    const name = content.names[bad]
    return name !== undefined && isGood(name) ? name : null
  }
}

/** A row of read content; `source` is asked for only when it is faulty. */
export function rowOf(content: RecordContent, place: { row: number; line: number }, source: () => string): RawRow {
  return 'fault' in content
    ? { ...place, names: [], values: [], fault: content.fault, source: source() }
    : { ...place, names: content.names, values: content.values }
}
