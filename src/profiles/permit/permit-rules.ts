import type { Envelope } from '../../model/envelope.ts'
import type { Json } from '../../model/json.ts'
import { type Reason, reasonOf } from '../../model/reasons.ts'
import type { Rule, RuleView } from '../profile.ts'

/** Nothing is applied for before this day; older dates are placeholders of old systems. */
const EARLIEST_APPLICATION = '1900-01-01'

type DateEnvelope = Envelope & { readonly value: string }

function dateOf(view: RuleView, name: string): DateEnvelope | null {
  const envelope = view.fields[name]
  return typeof envelope?.value === 'string' ? (envelope as DateEnvelope) : null
}

/** Whether two ISO dates are in order, or one of them is not there. */
const isOrdered = (from: Json | undefined, to: Json | undefined): boolean =>
  typeof from !== 'string' || typeof to !== 'string' || from <= to

/** ISO dates compare as texts. Only the required fields of a permit hold it, so a wrong order of optional dates warns. */
function orderRule(earlier: string, later: string): Rule {
  return {
    name: `${earlier}-before-${later}`,
    version: 1,
    check(view): Reason[] {
      const from = dateOf(view, earlier)
      const to = dateOf(view, later)
      if (from === null || to === null || from.value <= to.value) return []
      const { origin } = to
      return [reasonOf('DATE_ORDER', { field: later, origin, severity: 'warn', detail: `${later} before ${earlier}` })]
    },
    isMet: values => isOrdered(values[earlier], values[later])
  }
}

function notAfterToday(name: string): Rule {
  return {
    name: `${name}-not-in-future`,
    version: 1,
    check(view): Reason[] {
      const found = dateOf(view, name)
      if (found === null || found.value <= view.today) return []
      return [reasonOf('OUT_OF_RANGE', { field: name, origin: found.origin, detail: 'in the future' })]
    },
    isMet: (values, { today }) => isOrdered(values[name], today)
  }
}

const appliedNotAncient: Rule = {
  name: 'applied-not-ancient',
  version: 1,
  settings: { earliest: EARLIEST_APPLICATION },
  check(view): Reason[] {
    const found = dateOf(view, 'applied_date')
    if (found === null || found.value >= EARLIEST_APPLICATION) return []
    return [reasonOf('OUT_OF_RANGE', { field: 'applied_date', origin: found.origin, detail: 'long past' })]
  },
  isMet: values => isOrdered(EARLIEST_APPLICATION, values['applied_date'])
}

const valuationZero: Rule = {
  name: 'valuation-zero',
  version: 1,
  check(view): Reason[] {
    const valuation = view.fields['project_valuation']
    if (valuation?.value !== '0.00') return []
    return [reasonOf('VALUATION_ZERO', { field: 'project_valuation', origin: valuation.origin })]
  },
  isMet: values => values['project_valuation'] !== '0.00'
}

/** The checks across fields of a permit. */
export const PERMIT_RULES: readonly Rule[] = [
  orderRule('applied_date', 'issued_date'),
  orderRule('issued_date', 'completed_date'),
  orderRule('issued_date', 'expires_date'),
  notAfterToday('applied_date'),
  notAfterToday('issued_date'),
  notAfterToday('completed_date'),
  appliedNotAncient,
  valuationZero
]
