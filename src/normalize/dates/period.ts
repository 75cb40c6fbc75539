import type { Reading, ReadingContext } from '../../model/reading.ts'
import { readDate } from '../date.ts'
import { derived, invalid, MAX_VALUE_LENGTH } from '../outcome.ts'
import { foldShort } from '../text.ts'
import { policyEnd, readTerm } from './term.ts'
import { readTimeOfDay } from './time-of-day.ts'

/** A period as written: two days, and at what time and place it begins and ends where that is said. */
export interface PeriodReading {
  readonly start: Reading<string>
  readonly end: Reading<string>
  /** `HH:MM` local time, or null. */
  readonly time: string | null
  readonly timeBasis: TimeBasis | null
  readonly flags: readonly string[]
}

/** Whose local time counts. */
export type TimeBasis = 'insured_property' | 'mailing_address' | 'residence_premises'

const SEPARATOR =
  /,? (?:to|through|thru|until|expires?|expiring):? |(?: -| \/) |(?<=\d) ?[–—] ?(?=[\da-z])|(?<=\/\d{2,4})-(?=\d)/gi
const LEAD = /^(?:policy period|term|period)?:? ?(?:from|beginning|effective)?:? ?/i
const FROM_START = / (?:beginning|commencing|starting|from|effective)(?: on)? /i
const TIMES =
  /,? ?(?:at )?\b(?:\d{1,2}:\d{2} ?[ap]\.?m\.?|(?:12(?::00)? )?noon|(?:12(?::00)? )?midnight)(?![a-z])(?:,? (?:local |standard )?time.*)?/gi
const TIME = /\b(\d{1,2}:\d{2} ?[ap]\.?m\.?|(?:12(?::00)? )?noon|(?:12(?::00)? )?midnight)(?![a-z])/i
const BASES: readonly (readonly [RegExp, TimeBasis])[] = [
  [/mailing address/i, 'mailing_address'],
  [/residence premises/i, 'residence_premises'],
  [/insured property|insured location|described location|location of property/i, 'insured_property']
]

/**
 * Reads `From … to …`, `… – …`, `… / …` and `12 months beginning …`, with the time and place the period
 * turns on. A missing end is derived from the term (exclusive, as policies count). `DATE_ORDER` when the
 * end is not after the start: both values are kept for a person to see.
 */
export function readPeriod(raw: string, context: ReadingContext): PeriodReading {
  const text = foldShort(raw, MAX_VALUE_LENGTH)
  const clock = TIME.exec(text)
  const head = text.replace(TIMES, '')
  const parts = splitPeriod(head.replace(LEAD, '').replace(/(?<![ ,])[ ,]+(?:at|effective)?$/i, ''), context)
  return {
    ...parts,
    time: clock ? readTimeOfDay(clock[1] ?? '') : null,
    timeBasis: BASES.find(([pattern]) => pattern.test(text))?.[1] ?? null,
    flags: orderFlags(parts.start, parts.end)
  }
}

/**
 * A row of numbers under headings such as `FROM DAY MONTH YEAR TO DAY MONTH YEAR`: the headings give the
 * order, flagged `HEADER_ORDER`.
 */
export function readHeadedPeriod(headings: string, row: string, context: ReadingContext): PeriodReading {
  const order =
    foldShort(headings, MAX_VALUE_LENGTH)
      .toLowerCase()
      .match(/day|month|year/g) ?? []
  const numbers = foldShort(row, MAX_VALUE_LENGTH).match(/\d+/g) ?? []
  const isUsable = order.length === 6 && numbers.length === 6
  const dates = [0, 3].map(from => readHeadedDate(order.slice(from, from + 3), numbers.slice(from, from + 3), context))
  const none = invalid<string>(['INVALID_DATE'])
  const [start = none, end = none] = isUsable ? dates : []
  return { start, end, time: null, timeBasis: null, flags: ['HEADER_ORDER', ...orderFlags(start, end)] }
}

function readHeadedDate(
  order: readonly string[],
  numbers: readonly string[],
  context: ReadingContext
): Reading<string> {
  const letters = order.map(word => word[0]).join('')
  if (letters !== 'dmy' && letters !== 'mdy' && letters !== 'ymd') return invalid(['INVALID_DATE'])
  return readDate(numbers.join(' '), { ...context, dateOrder: letters })
}

function splitPeriod(text: string, context: ReadingContext): { start: Reading<string>; end: Reading<string> } {
  const termed = FROM_START.exec(text)
  const term = termed ? readTerm(text.slice(0, termed.index)) : null
  if (termed && term && term.value !== null) {
    const start = readDate(text.slice(termed.index + termed[0].length), context)
    const end = start.value === null ? invalid<string>(['INVALID_DATE']) : derived(policyEnd(start.value, term.value))
    return { start, end }
  }
  const breaks = [...text.matchAll(SEPARATOR)]
  const [only] = breaks
  if (breaks.length !== 1 || !only) return { start: invalid(['INVALID_DATE']), end: invalid(['INVALID_DATE']) }
  const start = readDate(text.slice(0, only.index), context)
  const end = readDate(text.slice(only.index + only[0].length), { ...context, yearPivot: 'future' })
  return { start, end }
}

function orderFlags(start: Reading<string>, end: Reading<string>): readonly string[] {
  if (start.value === null || end.value === null) return []
  return start.value < end.value ? [] : ['DATE_ORDER']
}
