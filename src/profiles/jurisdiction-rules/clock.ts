import { dayNumber, formatIso, fromDayNumber, parseIso } from '../../model/calendar.ts'
import { type Holidays, isBusinessDay } from './holidays.ts'

export interface Clock {
  readonly days: number
  readonly count: 'calendar' | 'business'
  /** What becomes of a last day on which offices are closed. */
  readonly roll: 'none' | 'next_business_day'
}

/** No calendar is closed for so long: a list of holidays without end must not be walked for ever. */
const LONGEST_CLOSURE = 400

function nextBusinessDay(day: number, holidays: Holidays): number {
  for (let next = day; next < day + LONGEST_CLOSURE; next++) if (isBusinessDay(next, holidays)) return next
  return day
}

function businessDaysAfter(start: number, days: number, holidays: Holidays): number {
  let day = start
  for (let left = days; left > 0; left--) day = nextBusinessDay(day + 1, holidays)
  return day
}

/**
 * The last day of a clock, `YYYY-MM-DD`: the day it starts on is not counted. Business days are neither weekends nor
 * holidays; a clock of calendar days may roll on from a day on which offices are closed.
 */
export function dueDay(start: string, { days, count, roll }: Clock, holidays: Holidays): string {
  const from = dayNumber(parseIso(start))
  const end = count === 'business' ? businessDaysAfter(from, days, holidays) : from + days
  return formatIso(fromDayNumber(roll === 'none' ? end : nextBusinessDay(end, holidays)))
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** All records of a batch were received at one instant: the last one asked for is remembered. */
let last = { instant: '', timeZone: '', day: '' }

/** The day of an instant, RFC 3339, in a time zone: an office's day is not the day in Greenwich. */
export function dayIn(instant: string, timeZone: string): string {
  if (timeZone === 'UTC') return instant.slice(0, 10)
  if (last.instant === instant && last.timeZone === timeZone) return last.day
  let format = formats.get(timeZone)
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(timeZone, format)
  }
  last = { instant, timeZone, day: format.format(new Date(instant)) }
  return last.day
}
