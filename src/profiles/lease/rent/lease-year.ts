import { type Reason, reasonOf } from '../../../model/reasons.ts'
import { rentFlags } from '../../../normalize/amounts/sums.ts'
import { readMoney } from '../../../normalize/money.ts'
import type { Evidence } from '../../find/evidence.ts'
import { originAt } from '../../find/layout/prose.ts'
import { moneyReader } from '../../find/readers.ts'
import { type AmountMention, findAmounts } from '../../find/values/mentions.ts'
import type { Drafts, SlotReader, View } from '../../find/view.ts'

/** A yearly rent beside its label; of a column of them only the first, which goes with the first monthly one. */
export const yearReader: SlotReader = (slots, hit, view) => {
  const below = slots.find(slot => slot.via === 'below')
  return moneyReader(
    slots.filter(slot => slot.via !== 'below' || slot === below),
    hit,
    view
  )
}

const YEARLY =
  /\b(?:annual|yearly)\b[^.;]{0,60}\brent(?:al)?\b|\brent(?:al)?\b[^.;]{0,60}\b(?:annual|yearly|per annum)\b/i
const INSTALMENTS =
  /^[^;]{0,60}\b(?:(?:equal|consecutive) (?:[a-z]+ )?(?:monthly )?(?:installments?|instalments?|payments?)|monthly (?:installments?|instalments?|payments?))\b/i
/** Text before a yearly amount that says so, and between it and its instalments, in characters. */
const BEFORE = 90
const BETWEEN = 220
const MOST_AMOUNTS = 400

function isYearly(text: string, amount: AmountMention): boolean {
  if (amount.per === 'year')
    return /\brent(?:al)?\b/i.test(text.slice(Math.max(0, amount.start - BEFORE), amount.start))
  return amount.per === null && YEARLY.test(text.slice(Math.max(0, amount.start - BEFORE), amount.start))
}

/** `an annual rent of $158,530.50, payable in equal monthly installments of $13,210.88`: the two must agree. */
export function yearsInInstalments(view: View): Evidence[] {
  const { text } = view.prose
  const amounts = findAmounts(text).slice(0, MOST_AMOUNTS)
  return amounts.flatMap((amount, at) => {
    const monthly = amounts[at + 1]
    if (!monthly || monthly.start - amount.end > BETWEEN || !isYearly(text, amount)) return []
    if (!INSTALMENTS.test(text.slice(amount.end, monthly.start))) return []
    const origin = originAt(view.prose, amount.start, amount.end)
    if (!origin) return []
    const { value, status, flags } = readMoney(amount.raw, view.context)
    return [{ field: 'annual_rent', value, raw: amount.raw, origin, status, flags, score: 0.9, via: 'installments' }]
  })
}

/** A rent said to be a month's that is a twelfth of the year's beside its label: the two bear each other out. */
export function twelfthsOfYear(view: View, evidence: readonly Evidence[]): Evidence[] {
  const yearly = evidence.find(piece => piece.field === 'annual_rent' && typeof piece.value === 'string')
  if (typeof yearly?.value !== 'string') return []
  const { text } = view.prose
  for (const amount of findAmounts(text).slice(0, MOST_AMOUNTS)) {
    const origin = amount.per === 'month' ? originAt(view.prose, amount.start, amount.end) : null
    const { value, status, flags } = readMoney(amount.raw, view.context)
    if (!origin || value === null || rentFlags(value, yearly.value).includes('RENT_ARITHMETIC_MISMATCH')) continue
    return [{ field: 'base_rent', value, raw: amount.raw, origin, status, flags, score: 0.92, via: 'twelfth' }]
  }
  return []
}

/** A yearly rent stated beside the monthly one must be twelve of it, cents of rounding aside. */
export function yearReasons(drafts: Drafts, evidence: readonly Evidence[]): Reason[] {
  const monthly = drafts.get('base_rent')?.value
  const yearly = evidence.find(piece => piece.field === 'annual_rent' && typeof piece.value === 'string')
  if (typeof monthly !== 'string' || typeof yearly?.value !== 'string') return []
  if (!rentFlags(monthly, yearly.value).includes('RENT_ARITHMETIC_MISMATCH')) return []
  return [reasonOf('RENT_ARITHMETIC_MISMATCH', { field: 'base_rent', origin: yearly.origin })]
}
