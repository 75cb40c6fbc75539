import { addDays, addMonths, parseIso } from '../../../model/calendar.ts'

/**
 * Whole months from `start` to `end` when the span is a whole number of them, whether the end is the last day
 * included (start + n months − 1 day) or the day after it; null when it is neither.
 */
export function wholeMonths(start: string, end: string): number | null {
  const from = parseIso(start)
  const to = parseIso(end)
  const near = (to.year - from.year) * 12 + (to.month - from.month)
  for (const months of [near, near + 1]) {
    if (months <= 0) continue
    const after = addMonths(start, months)
    if (after === end || addDays(after, -1) === end) return months
  }
  return null
}
