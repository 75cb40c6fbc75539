/** A calendar day; never a moment, so that no time zone can move it. */
export interface Day {
  readonly year: number
  /** 1–12. */
  readonly month: number
  readonly day: number
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December'
]

const two = (value: number): string => String(value).padStart(2, '0')

/** How many days the month has, in the Gregorian calendar. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** The day so many calendar months later, held to the last day of a shorter month. */
export function addMonths(from: Day, months: number): Day {
  const index = from.year * 12 + from.month - 1 + months
  const year = Math.floor(index / 12)
  const month = (index % 12) + 1
  return { year, month, day: Math.min(from.day, daysInMonth(year, month)) }
}

/** The day so many days later; negative for earlier. */
export function addDays(from: Day, days: number): Day {
  const moved = new Date(Date.UTC(from.year, from.month - 1, from.day + days))
  return { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() }
}

/** The last day of a term of whole months: its start plus the months, less one day. */
export function lastDayOfTerm(start: Day, months: number): Day {
  return addDays(addMonths(start, months), -1)
}

export const isoDay = (day: Day): string => `${day.year}-${two(day.month)}-${two(day.day)}`
export const americanDay = (day: Day): string => `${two(day.month)}/${two(day.day)}/${day.year}`
export const dottedDay = (day: Day): string => `${two(day.day)}.${two(day.month)}.${day.year}`
export const longDay = (day: Day): string => `${MONTHS[day.month - 1]} ${day.day}, ${day.year}`
