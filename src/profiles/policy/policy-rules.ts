import { daysBetween } from '../../model/calendar.ts'
import { type Reason, reasonOf } from '../../model/reasons.ts'
import type { Rule, RuleView } from '../profile.ts'

function dateOf(view: RuleView, name: string): string | null {
  const value = view.fields[name]?.value
  return typeof value === 'string' ? value : null
}

/** Terms in days that need no look: half a year give or take three days, and one year. */
const HALF_YEAR = { days: 183, tolerance: 3 }
const YEAR = [364, 365, 366]
/** The longest term a policy is written for. */
const LONGEST_DAYS = 1100

function periodReasons(view: RuleView): Reason[] {
  const start = dateOf(view, 'effective_date')
  const end = dateOf(view, 'expiration_date')
  if (start === null || end === null) return []
  const origin = view.fields['expiration_date']?.origin ?? null
  const days = daysBetween(start, end)
  if (days <= 0) return [reasonOf('DATE_ORDER', { field: 'expiration_date', origin })]
  const usual = YEAR.includes(days) || Math.abs(days - HALF_YEAR.days) <= HALF_YEAR.tolerance
  if (usual) return []
  const severity = days > LONGEST_DAYS ? 'block' : 'warn'
  return [reasonOf('TERM_UNUSUAL', { field: 'expiration_date', origin, severity, detail: `${days} days` })]
}

function premiumReasons(view: RuleView): Reason[] {
  const premium = view.fields['premium_total']
  const isNegative = typeof premium?.value === 'string' && premium.value.startsWith('-')
  return isNegative ? [reasonOf('NEGATIVE_AMOUNT', { field: 'premium_total', origin: premium?.origin ?? null })] : []
}

/** The checks across fields of a policy. */
export const POLICY_RULES: readonly Rule[] = [
  {
    name: 'policy-period',
    version: 1,
    settings: { halfYear: 183, tolerance: 3, longest: LONGEST_DAYS },
    check: periodReasons
  },
  { name: 'premium-sign', version: 1, check: premiumReasons }
]
