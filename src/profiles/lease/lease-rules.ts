import { daysBetween } from '../../model/calendar.ts'
import { type Reason, reasonOf } from '../../model/reasons.ts'
import type { Rule, RuleView } from '../profile.ts'
import { termEnd } from './lease-term.ts'

function textOf(view: RuleView, name: string): string | null {
  const value = view.fields[name]?.value
  return typeof value === 'string' ? value : null
}

/** A ground lease of 99 years is the longest term seen; more is a misread year. */
const LONGEST_DAYS = 36_200

/** A month is the shortest term leases are written for; February ends a day before its 28th day has passed. */
const SHORTEST_DAYS = 27

function termReasons(view: RuleView): Reason[] {
  const [start, end] = [textOf(view, 'lease_start'), textOf(view, 'lease_end')]
  if (start === null || end === null) return []
  const origin = view.fields['lease_end']?.origin ?? null
  const days = daysBetween(start, end)
  if (days <= 0) return [reasonOf('DATE_ORDER', { field: 'lease_end', origin })]
  if (days > LONGEST_DAYS) return [reasonOf('TERM_UNUSUAL', { field: 'lease_end', origin, severity: 'block' })]
  return days < SHORTEST_DAYS ? [reasonOf('TERM_UNUSUAL', { field: 'lease_end', origin, detail: `${days} days` })] : []
}

/** Days of the longest month: what a stated term of a row may be away where the dates make no whole months. */
const MONTH_DAYS = 31
const DAYS_PER_MONTH = 30.44

const daysOff = (start: string, end: string, months: number): number =>
  Math.abs(daysBetween(termEnd(start, months), end))

/** A term that a row states beside its two dates. Of documents the terms are weighed where they stand. */
function statedTermReasons(view: RuleView): Reason[] {
  const stated = view.fields['term_months']
  const [start, end] = [textOf(view, 'lease_start'), textOf(view, 'lease_end')]
  const isOfRow = stated?.origin !== null && stated?.origin !== undefined && 'column' in stated.origin
  if (!isOfRow || typeof stated.value !== 'number' || start === null || end === null || end <= start) return []
  const months = Math.round(daysBetween(start, end) / DAYS_PER_MONTH)
  if (Math.abs(stated.value - months) <= 1) {
    const isWhole = [months - 1, months, months + 1].some(count => daysOff(start, end, count) <= 1)
    if (daysOff(start, end, stated.value) <= (isWhole ? 1 : MONTH_DAYS)) return []
  }
  return [reasonOf('TERM_MISMATCH', { field: 'term_months', origin: stated.origin })]
}

function rentReasons(view: RuleView): Reason[] {
  const rent = textOf(view, 'base_rent')
  if (rent === null) return []
  const origin = view.fields['base_rent']?.origin ?? null
  if (rent.startsWith('-')) return [reasonOf('NEGATIVE_AMOUNT', { field: 'base_rent', origin })]
  return /^0(?:\.0+)?$/.test(rent) ? [reasonOf('OUT_OF_RANGE', { field: 'base_rent', origin })] : []
}

/** The checks across fields of a lease. */
export const LEASE_RULES: readonly Rule[] = [
  { name: 'lease-term', version: 2, settings: { longest: LONGEST_DAYS, shortest: SHORTEST_DAYS }, check: termReasons },
  { name: 'stated-term', version: 1, check: statedTermReasons },
  { name: 'rent-sign', version: 1, check: rentReasons }
]
