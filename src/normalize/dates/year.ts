import type { ReadingContext } from '../../model/reading.ts'

/** How far ahead of today a two-digit year may lie, in years, before it is read as 19yy. */
const PIVOT_YEARS = { past: 5, future: 75 } as const

/** The full year of a two-digit one: 20yy when within the context's pivot, else 19yy. Callers flag `TWO_DIGIT_YEAR`. */
export function expandYear(twoDigits: number, context: ReadingContext): number {
  const latest = Number(context.today.slice(0, 4)) + PIVOT_YEARS[context.yearPivot ?? 'past']
  return 2000 + twoDigits <= latest ? 2000 + twoDigits : 1900 + twoDigits
}
