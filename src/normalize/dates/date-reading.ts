import { type CivilDate, formatIso, isRealDate } from '../../model/calendar.ts'
import type { Reading } from '../../model/reading.ts'
import { absent, ambiguous, found, invalid } from '../outcome.ts'

/** First and last year taken as a real one; outside lie typing errors and system minima. */
const FIRST_YEAR = 1000
const LAST_YEAR = 9998
/** Days that exporting systems write for "no date" (spreadsheet and database epochs and maxima). */
const SENTINELS = new Set([
  '1900-01-01',
  '1900-01-00',
  '1900-00-01',
  '1899-12-30',
  '1899-12-31',
  '1753-01-01',
  '1601-01-01',
  '0001-01-01',
  '9999-12-31',
  '0000-00-00'
])

/** A possible date with the flags of the way it was read. */
export interface DateCandidate extends CivilDate {
  readonly flags: readonly string[]
}

/** One way to read a date: found, `SENTINEL_DATE`, or `INVALID_DATE`; never rolled over. */
export function readCandidate(candidate: DateCandidate): Reading<string> {
  const iso = formatIso(candidate)
  if (SENTINELS.has(iso)) return absent('SENTINEL_DATE')
  if (candidate.year < FIRST_YEAR || candidate.year > LAST_YEAR || !isRealDate(candidate))
    return invalid(['INVALID_DATE'])
  return found(iso, candidate.flags)
}

/** Several ways to read a date: the only valid one, or `AMBIGUOUS_DATE` with all valid ones in ascending order. */
export function readCandidates(candidates: readonly DateCandidate[]): Reading<string> {
  const readings = candidates.map(readCandidate)
  const sentinel = readings.find(reading => reading.status === 'absent')
  if (sentinel) return sentinel
  const valid = readings.filter(reading => reading.status === 'found')
  const values = [...new Set(valid.flatMap(reading => reading.value ?? []))].toSorted()
  if (values.length > 1) {
    const flags = valid.flatMap(reading => reading.flags).filter(flag => flag !== 'DATE_ORDER_SWITCHED')
    return ambiguous([...new Set(['AMBIGUOUS_DATE', ...flags])], values)
  }
  return valid[0] ?? invalid(['INVALID_DATE'])
}
