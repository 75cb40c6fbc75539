import type { RawRow } from '../../model/rows.ts'
import { MAX_JSON_DEPTH } from '../format.ts'
import type { Block } from '../text/block.ts'
import { type RecordContent, RecordParser } from './parse-record.ts'

/** Makes the text of one value into the content of a row. */
export class ValueReader {
  readonly #parser = new RecordParser()

  /** `deepest` is the nesting the scanner met, so that deep text is refused before it is parsed. */
  read(block: Block, range: { start: number; end: number; deepest: number }): RecordContent {
    if (range.deepest > MAX_JSON_DEPTH) {
      return { fault: { code: 'JSON_TOO_DEEP', detail: `more than ${MAX_JSON_DEPTH} levels` } }
    }
    const text = block.decode(range.start, range.end)
    if (text === null) return { fault: { code: 'ENCODING_INVALID' } }
    if (block.unit !== 1 && !text.isWellFormed()) return { fault: { code: 'TEXT_NOT_STORABLE' } }
    return this.#parser.parse(text)
  }
}

/** A row of read content; `source` is asked for only when it is faulty. */
export function rowOf(content: RecordContent, place: { row: number; line: number }, source: () => string): RawRow {
  return 'fault' in content
    ? { ...place, names: [], values: [], fault: content.fault, source: source() }
    : { ...place, names: content.names, values: content.values }
}
