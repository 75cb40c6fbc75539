import { daysBetween } from '../../model/calendar.ts'
import { type Reason, reasonOf } from '../../model/reasons.ts'
import type { Rule, RuleView } from '../profile.ts'

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
  { name: 'rent-sign', version: 1, check: rentReasons }
]
