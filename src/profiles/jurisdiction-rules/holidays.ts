import { dayNumber, fromDayNumber, parseIso } from '../../model/calendar.ts'

export const HOLIDAY_CALENDARS = ['us-federal'] as const

const SATURDAY = 6
const SUNDAY = 0
const MONDAY = 1
const THURSDAY = 4

/** Day of the week of a day number, 0 for Sunday: 1970-01-01 was a Thursday. */
export const weekdayOf = (day: number): number => (((day + THURSDAY) % 7) + 7) % 7

const onDate = (year: number, month: number, day: number): number => dayNumber({ year, month, day })

/** The nth such weekday of a month. */
function nth(year: number, month: number, weekday: number, n: number): number {
  const first = onDate(year, month, 1)
  return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (n - 1)
}

/** The last Monday of May. */
function memorialDay(year: number): number {
  const last = onDate(year, 5, 31)
  return last - ((weekdayOf(last) - MONDAY + 7) % 7)
}

/** On a Saturday it is kept the Friday before, on a Sunday the Monday after (5 U.S.C. 6103, Executive Order 11582). */
function observed(day: number): number {
  const weekday = weekdayOf(day)
  if (weekday === SATURDAY) return day - 1
  return weekday === SUNDAY ? day + 1 : day
}

/** Day numbers of the legal public holidays of the United States in a year, as observed (5 U.S.C. 6103(a)). */
function federalHolidays(year: number): number[] {
  const fixed = [
    [1, 1],
    [7, 4],
    [11, 11],
    [12, 25]
  ] as const
  return [
    ...fixed.map(([month, day]) => observed(onDate(year, month, day))),
    // Juneteenth became one on 17 June 2021.
    ...(year >= 2021 ? [observed(onDate(year, 6, 19))] : []),
    nth(year, 1, MONDAY, 3),
    nth(year, 2, MONDAY, 3),
    memorialDay(year),
    nth(year, 9, MONDAY, 1),
    nth(year, 10, MONDAY, 2),
    nth(year, 11, THURSDAY, 4)
  ]
}

const known = new Map<number, ReadonlySet<number>>()

/** A year's own, and the New Year's Day after it that is kept on 31 December. */
function federalOf(year: number): ReadonlySet<number> {
  let days = known.get(year)
  if (days === undefined) {
    days = new Set([...federalHolidays(year), observed(onDate(year + 1, 1, 1))])
    known.set(year, days)
  }
  return days
}

export interface Holidays {
  readonly calendars: readonly (typeof HOLIDAY_CALENDARS)[number][]
  /** `YYYY-MM-DD`, the office's own. */
  readonly days: readonly string[]
}

const closures = new WeakMap<readonly string[], ReadonlySet<number>>()

/** Day numbers of an office's own days, which every day of a clock is asked about. */
function closuresOf(days: readonly string[]): ReadonlySet<number> {
  let closed = closures.get(days)
  if (closed === undefined) {
    closed = new Set(days.map(day => dayNumber(parseIso(day))))
    closures.set(days, closed)
  }
  return closed
}

/** Whether offices work on a day number: no weekend, no holiday. */
export function isBusinessDay(day: number, holidays: Holidays): boolean {
  const weekday = weekdayOf(day)
  if (weekday === SATURDAY || weekday === SUNDAY) return false
  if (closuresOf(holidays.days).has(day)) return false
  return !(holidays.calendars.includes('us-federal') && federalOf(fromDayNumber(day).year).has(day))
}
