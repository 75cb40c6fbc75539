import { addDays, addMonths, daysBetween, endOfMonth } from '../../model/calendar.ts'
import type { Reading } from '../../model/reading.ts'
import { readNumberWords } from '../amounts/number-words.ts'
import { ambiguous, found, invalid, MAX_VALUE_LENGTH } from '../outcome.ts'
import { foldShort } from '../text.ts'

/** A length of time in calendar months. */
export interface TermReading extends Reading<number> {
  /** True for "full calendar months" and "lease years": a partial first month is added and the end is a month's end. */
  readonly isEndOfMonth: boolean
  readonly tenancy: 'fixed' | 'month_to_month'
}

const UNIT = /\b(?:months?|years?|mos?|yrs?)\b/gi
const OPEN_TENANCY = /^(?:month[ -]to[ -]month|at will|tenancy at will|mtm)\b/i
const WHOLE_MONTHS = /full calendar|lease years?/i
const QUALIFIERS =
  /\b(?:full|calendar|lease|consecutive|successive|additional|and|the|of|term|initial|period|for|an?)\b/gi
const PARENTHESISED = /\((\d{1,4})\)/
/** Longest term taken as one, in months (1,000 years: ground leases run to 999). */
const MAX_MONTHS = 12_000

/**
 * A term as whole months: `sixty (60) months`, `ten (10) years and six (6) months`. Words and digits must
 * agree, else ambiguous `WORDS_DIGITS_MISMATCH` with both. `month-to-month` is `not_applicable`.
 */
export function readTerm(raw: string): TermReading {
  const text = foldShort(raw, MAX_VALUE_LENGTH)
  if (OPEN_TENANCY.test(text)) {
    return { value: null, status: 'not_applicable', flags: [], isEndOfMonth: false, tenancy: 'month_to_month' }
  }
  const isEndOfMonth = WHOLE_MONTHS.test(text)
  return { ...readMonths(text), isEndOfMonth, tenancy: 'fixed' }
}

function readMonths(text: string): Reading<number> {
  let start = 0
  let byWords = 0
  let byDigits = 0
  let units = 0
  for (const unit of text.matchAll(UNIT)) {
    const count = readCount(text.slice(start, unit.index))
    if (!count) break
    const months = /^y/i.test(unit[0]) ? 12 : 1
    byWords += count.words * months
    byDigits += count.digits * months
    units += 1
    start = unit.index + unit[0].length
  }
  if (units === 0 || units > 2 || text.length > MAX_VALUE_LENGTH) return invalid(['FIELD_INVALID'])
  if (byWords !== byDigits) return ambiguous(['WORDS_DIGITS_MISMATCH'], [byWords, byDigits])
  return byDigits <= MAX_MONTHS ? found(byDigits) : invalid(['OUT_OF_RANGE'])
}

/** The number in front of a unit, in words and in digits; one stands for both when the other is missing. */
function readCount(text: string): { words: number; digits: number } | null {
  const digits = PARENTHESISED.exec(text)?.[1] ?? /(?:^|[ (])(\d{1,4})[ -]?$/.exec(text.trim())?.[1]
  const rest = text.replace(PARENTHESISED, '').replace(QUALIFIERS, '').replace(/[.,)]/g, '').trim()
  const worded = readNumberWords(rest.replace(/\d+/g, '').trim())
  if (digits === undefined) return worded ? { words: Number(worded.whole), digits: Number(worded.whole) } : null
  return { words: worded ? Number(worded.whole) : Number(digits), digits: Number(digits) }
}

/**
 * Last day of a lease: start plus calendar months, less a day; a day the end month lacks is its last one.
 * With `isEndOfMonth` a partial first month is added, so the end is the end of a month.
 */
export function leaseEnd(start: string, months: number, isEndOfMonth = false): string {
  const anniversary = addMonths(start, months)
  return isEndOfMonth && !start.endsWith('-01') ? endOfMonth(anniversary) : addDays(anniversary, -1)
}

/** The day a policy ends: its end is exclusive, so the same day of a later month. */
export function policyEnd(start: string, months: number): string {
  return addMonths(start, months)
}

/** `TERM_MISMATCH` when the stated end fits neither way of counting the stated months, else no flag. */
export function leaseTermFlags(start: string, end: string, months: number): readonly string[] {
  const ends = [leaseEnd(start, months), leaseEnd(start, months, true), addMonths(start, months)]
  return ends.includes(end) ? [] : ['TERM_MISMATCH']
}

/** Half-year and year policies: 183 ± 3 and 365 or 366 days are usual. */
const HALF_YEAR_DAYS = { from: 180, to: 186 } as const

/** Length of a policy period in days, with `DATE_ORDER` or `TERM_UNUSUAL`. */
export function policyTerm(start: string, end: string): { readonly days: number; readonly flags: readonly string[] } {
  const days = daysBetween(start, end)
  if (days <= 0) return { days, flags: ['DATE_ORDER'] }
  const isUsual = days === 365 || days === 366 || (days >= HALF_YEAR_DAYS.from && days <= HALF_YEAR_DAYS.to)
  return { days, flags: isUsual ? [] : ['TERM_UNUSUAL'] }
}
