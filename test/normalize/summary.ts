import type { Reading, ReadingContext } from '../../src/model/reading.ts'

/** The day all table rows are read on. */
export const NEUTRAL: ReadingContext = { today: '2026-06-30', source: 'text' }
/** A source that declares United States order and decimal sign. */
export const US: ReadingContext = { ...NEUTRAL, dateOrder: 'mdy', decimal: '.' }
export const OCR: ReadingContext = { ...US, source: 'ocr' }

/** One row of a table of raw texts and what they must be read as. */
export interface PairRow {
  readonly pair: number
  readonly raw: string
  readonly read: (raw: string) => unknown
  readonly is: unknown
  /** Why a row differs from the field guide it comes from. */
  readonly note?: string
}

/** A reading in one line: value, flags, and readings in braces. */
export function summary(reading: Reading): string {
  const value = typeof reading.value === 'object' ? JSON.stringify(reading.value) : String(reading.value)
  const readings = reading.readings ? ` {${reading.readings.map(String).join('|')}}` : ''
  return [value, ...reading.flags].join(' ') + readings
}
