/** A day of the proleptic Gregorian calendar, month and day from 1. */
export interface CivilDate {
  readonly year: number
  readonly month: number
  readonly day: number
}

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const
/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH_SHIFT = 719468
const DAYS_PER_ERA = 146097

/** Length of a month in days; 0 for a month that does not exist. */
function daysInMonth(year: number, month: number): number {
  if (month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)) return 29
  return MONTH_LENGTHS[month - 1] ?? 0
}

/** True when the day exists; nothing rolls over. */
export function isRealDate(date: CivilDate): boolean {
  return date.day >= 1 && date.day <= daysInMonth(date.year, date.month)
}

/** `YYYY-MM-DD`. */
export function formatIso(date: CivilDate): string {
  const year = String(date.year).padStart(4, '0')
  return `${year}-${String(date.month).padStart(2, '0')}-${String(date.day).padStart(2, '0')}`
}

/** Reads a valid `YYYY-MM-DD`, as all of the days of records are written. */
export function parseIso(iso: string): CivilDate {
  return { year: Number(iso.slice(0, 4)), month: Number(iso.slice(5, 7)), day: Number(iso.slice(8, 10)) }
}

/** Days since 1970-01-01 by integer arithmetic, without a time zone. */
export function dayNumber(date: CivilDate): number {
  const year = date.month <= 2 ? date.year - 1 : date.year
  const era = Math.floor(year / 400)
  const yearOfEra = year - era * 400
  const dayOfYear = Math.floor((153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5) + date.day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_SHIFT
}

/** The inverse of `dayNumber`. */
export function fromDayNumber(days: number): CivilDate {
  const shifted = days + EPOCH_SHIFT
  const era = Math.floor(shifted / DAYS_PER_ERA)
  const dayOfEra = shifted - era * DAYS_PER_ERA
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day }
}

/** A valid ISO date moved by days. */
export function addDays(iso: string, days: number): string {
  return formatIso(fromDayNumber(dayNumber(parseIso(iso)) + days))
}

/** A valid ISO date moved by calendar months; a day the target month lacks becomes its last day. */
export function addMonths(iso: string, months: number): string {
  const from = parseIso(iso)
  const index = from.year * 12 + from.month - 1 + months
  const year = Math.floor(index / 12)
  const month = index - year * 12 + 1
  return formatIso({ year, month, day: Math.min(from.day, daysInMonth(year, month)) })
}

/** The last day of the month of a valid ISO date. */
export function endOfMonth(iso: string): string {
  const date = parseIso(iso)
  return formatIso({ ...date, day: daysInMonth(date.year, date.month) })
}

/** Whole days from one valid ISO date to another; negative when `to` is earlier. */
export function daysBetween(from: string, to: string): number {
  return dayNumber(parseIso(to)) - dayNumber(parseIso(from))
}
