import type { ReadingContext } from '../../model/reading.ts'
import { formatDecimal, parseDecimal } from '../amounts/decimal.ts'
import { readPercent } from '../amounts/percent.ts'
import { MAX_VALUE_LENGTH } from '../outcome.ts'
import { foldShort } from '../text.ts'
import { readRent } from './rent.ts'

/** How a rent rises. Rates are fractions of one, amounts per square foot and year. */
export interface Escalation {
  readonly type: 'fixed_pct' | 'fixed_amount' | 'cpi' | null
  readonly rate: string | null
  readonly amount: string | null
  readonly floor: string | null
  readonly cap: string | null
  readonly flags: readonly string[]
}

const NOTHING: Escalation = { type: null, rate: null, amount: null, floor: null, cap: null, flags: [] }
const LEAD = /^(?:annual )?(?:increases?|escalat(?:es?|ion)|adjust(?:ed|s)?)(?: (?:by|of|at))? /i
const FACTOR = /^(1\d\d(?:\.\d{1,4})?) ?% of (?:the )?(?:prior|previous|preceding|then)/i
const PERCENTAGE = /([\d.,]{1,10}) ?%/
const FLOOR = /(?:not|no) less than ([\d.]{1,8}) ?%/i
const CAP = /(?:nor|not|no) (?:to be )?(?:more|greater) than ([\d.]{1,8}) ?%|not to exceed ([\d.]{1,8}) ?%/i

/**
 * Reads `three percent (3%)`, `103% of the prior year's Base Rent` (`FACTOR_TO_RATE`), `CPI, not less than 2%
 * nor more than 5%`, `increase by $0.50 per RSF`. A bare number is `PERCENT_OR_AMOUNT_AMBIGUOUS`.
 */
export function readEscalation(raw: string, context: ReadingContext): Escalation {
  const text = foldShort(raw, MAX_VALUE_LENGTH)
  if (/\bCPI\b|consumer price/i.test(text)) {
    return { ...NOTHING, type: 'cpi', floor: rateOf(FLOOR.exec(text), context), cap: rateOf(CAP.exec(text), context) }
  }
  const factor = FACTOR.exec(text)
  if (factor) {
    const above = parseDecimal(factor[1] ?? '100')
    const rate = formatDecimal({ units: above.units - 100n * 10n ** BigInt(above.scale), scale: above.scale + 2 })
    return { ...NOTHING, type: 'fixed_pct', rate, flags: ['FACTOR_TO_RATE'] }
  }
  const figure = text.replace(LEAD, '')
  if (figure.includes('$')) return readFixedAmount(figure, context)
  const percent = readPercent(figure, context)
  if (percent.value !== null) return { ...NOTHING, type: 'fixed_pct', rate: percent.value, flags: percent.flags }
  const first = percent.flags.includes('INVALID_NUMBER') ? rateOf(PERCENTAGE.exec(figure), context) : null
  return first === null ? { ...NOTHING, flags: percent.flags } : { ...NOTHING, type: 'fixed_pct', rate: first }
}

function readFixedAmount(text: string, context: ReadingContext): Escalation {
  const { amount, period, flags } = readRent(text, context)
  const isPerFoot = /sf|square f|sq\.? ?ft/i.test(text)
  if (amount.value === null) return { ...NOTHING, flags: amount.flags }
  if (period === 'psf_month' || period === 'month') return { ...NOTHING, flags: ['RATE_PERIOD_UNKNOWN'] }
  return { ...NOTHING, type: 'fixed_amount', amount: amount.value, flags: isPerFoot ? [] : flags }
}

function rateOf(match: RegExpExecArray | null, context: ReadingContext): string | null {
  const figure = match?.[1] ?? match?.[2]
  return figure === undefined ? null : readPercent(`${figure}%`, context).value
}
