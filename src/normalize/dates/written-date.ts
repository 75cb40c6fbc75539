import { dayNumber, isRealDate } from '../../model/calendar.ts'
import type { Reading, ReadingContext } from '../../model/reading.ts'
import { invalid } from '../outcome.ts'
import { readCandidate } from './date-reading.ts'
import { ordinalOfWord } from './ordinal-words.ts'
import { expandYear } from './year.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] as const
const MONTH_NAMES = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december'
] as const
const MONTH_BY_WORD: ReadonlyMap<string, number> = new Map([
  ...MONTHS.map((name, index) => [name, index + 1] as const),
  ...MONTH_NAMES.map((name, index) => [name, index + 1] as const),
  ['sept', 9] as const
])
/** Monday is 0, as 1970-01-05 was one. */
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const FULL_WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const
const FILLERS = new Set(
  'the this day of as dated date made and entered into in year on effective st nd rd th a d ad'.split(' ')
)
const TOKEN = /[a-z]+(?:-[a-z]+)?|\d+|[^\sa-z\d]/g
const PUNCTUATION = new Set([',', '.', '-', '/', "'", '’', '(', ')', ':'])
const BLANK_DAY = /[a-z] ,/

interface WrittenParts {
  month: number
  /** Digits or ordinal words before and after the month, as digit strings. */
  readonly before: string[]
  readonly after: string[]
  weekday: number
}

/** A date with its month as a word, or null when the text is not of that form. */
export function readWrittenDate(text: string, context: ReadingContext): Reading<string> | null {
  const parts = collect(text.toLowerCase())
  if (!parts || parts.month === 0) return null
  const numbers = [...parts.before, ...parts.after]
  if (numbers.length > 2) return invalid(['INVALID_DATE'])
  if (numbers.length < 2) return readWithoutDay(numbers[0], parts, text)
  const isYearFirst = (parts.before[0] ?? '').length === 4
  const day = isYearFirst ? numbers[1] : numbers[0]
  const year = isYearFirst ? numbers[0] : numbers[1]
  return readDayMonthYear(day ?? '', year ?? '', parts, context)
}

function readDayMonthYear(day: string, year: string, parts: WrittenParts, context: ReadingContext): Reading<string> {
  if (day.length > 2 || (year.length !== 4 && year.length !== 2)) return invalid(['INVALID_DATE'])
  const isShort = year.length === 2
  const date = {
    year: isShort ? expandYear(Number(year), context) : Number(year),
    month: parts.month,
    day: Number(day),
    flags: isShort ? ['TWO_DIGIT_YEAR'] : []
  }
  if (parts.weekday >= 0 && isRealDate(date) && weekdayOf(dayNumber(date)) !== parts.weekday) {
    return invalid(['INVALID_DATE', 'WEEKDAY_MISMATCH'])
  }
  return readCandidate(date)
}

function readWithoutDay(number: string | undefined, parts: WrittenParts, text: string): Reading<string> {
  if (number === undefined || number.length < 4) return invalid(['DATE_PARTIAL'])
  if (number.length > 4) return invalid(['INVALID_DATE'])
  const flags = BLANK_DAY.test(text.toLowerCase()) ? ['DATE_PARTIAL', 'BLANK_DAY'] : ['DATE_PARTIAL']
  return invalid(flags, [`${number}-${String(parts.month).padStart(2, '0')}`])
}

function collect(text: string): WrittenParts | null {
  const parts: WrittenParts = { month: 0, before: [], after: [], weekday: -1 }
  for (const [token] of text.matchAll(TOKEN)) {
    if (!take(token, parts)) return null
  }
  return parts
}

function take(token: string, parts: WrittenParts): boolean {
  if (PUNCTUATION.has(token)) return true
  const dash = token.indexOf('-')
  if (dash > 0 && ordinalOfWord(token) === null) {
    return take(token.slice(0, dash), parts) && take(token.slice(dash + 1), parts)
  }
  const month = MONTH_BY_WORD.get(token)
  if (month !== undefined) {
    if (parts.month !== 0) return false
    parts.month = month
    return true
  }
  const number = /^\d/.test(token) ? token : ordinalOfWord(token)?.toString()
  if (number !== undefined) {
    if (parts.month === 0) parts.before.push(number)
    else parts.after.push(number)
    return true
  }
  return takeFiller(token, parts)
}

function takeFiller(token: string, parts: WrittenParts): boolean {
  if (FILLERS.has(token)) return true
  const weekday = FULL_WEEKDAYS.findIndex((name, index) => token === name || token === WEEKDAYS[index])
  if (weekday < 0) return false
  parts.weekday = weekday
  return true
}

function weekdayOf(days: number): number {
  return (((days - 4) % 7) + 7) % 7
}
