import type { ValueStatus } from './envelope.ts'
import type { Json } from './json.ts'

/** What the text around a value says about how to read it. Every assumption comes from here, none is made silently. */
export interface ReadingContext {
  /** Proven by the whole column or document, or declared by the source. Absent: `03/04/2024` is ambiguous. */
  readonly dateOrder?: 'mdy' | 'dmy' | 'ymd'
  /** True when only the country a document is written in says `dateOrder`; what reads two ways is flagged for it. */
  readonly isOrderOfPlace?: boolean
  /** Proven or declared decimal sign. Absent: `1.234` is ambiguous. */
  readonly decimal?: '.' | ','
  /** ISO 4217 code a bare symbol stands for; default `USD`. */
  readonly currency?: string
  /** `YYYY-MM-DD`: the day the two-digit-year pivot is measured from. Injected, never read from a clock here. */
  readonly today: string
  /** `past` (default): a two-digit year up to 5 years ahead is 20yy; `future`: up to 75 years ahead. */
  readonly yearPivot?: 'past' | 'future'
  /** Set when the column is a declared or proven column of spreadsheet serial dates. */
  readonly serialDates?: '1900' | '1904'
  /** `ocr` text may be repaired under the look-alike gates; `json` values carry their JSON type. */
  readonly source: 'text' | 'ocr' | 'cell' | 'json'
}

/** What one raw text was read as. `value` is null unless `status` is `found` or `derived`. */
export interface Reading<T extends Json = Json> {
  readonly value: T | null
  readonly status: ValueStatus
  readonly flags: readonly string[]
  /** Possible values of an ambiguous text, in a stable order. */
  readonly readings?: readonly T[]
}
