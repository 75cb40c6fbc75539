const DAY_MS = 86_400_000

const two = (value: number): string => String(value).padStart(2, '0')

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

function dateOf(year: number, month: number, day: number): string | undefined {
  const days = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0
  if (year < 1800 || year > 2999 || day < 1 || day > days) return undefined
  return `${year}-${two(month)}-${two(day)}`
}

/** Days since 1970-01-01 as a date of the Gregorian calendar (Hinnant's `civil_from_days`). */
function dateOfDays(days: number): string | undefined {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return dateOf(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
}

/**
 * A date as registries write it, as `YYYY-MM-DD`: milliseconds since 1970 (ArcGIS), ISO 8601 with or without a time, which
 * is dropped and not shifted (Socrata), or month/day/year (older ArcGIS servers). Undefined for anything else.
 */
export function readDate(value: string | number): string | undefined {
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? dateOfDays(Math.floor(value / DAY_MS)) : undefined
  }
  const iso = /^(\d{4})-(\d\d)-(\d\d)(?:$|[T ]\d\d:)/.exec(value)
  if (iso) return dateOf(Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:$| \d{1,2}:\d\d)/.exec(value)
  return american ? dateOf(Number(american[3]), Number(american[1]), Number(american[2])) : undefined
}
