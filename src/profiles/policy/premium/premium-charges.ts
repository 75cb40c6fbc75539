import { sumMatches } from '../../../normalize/amounts/sums.ts'
import type { Evidence } from '../../find/evidence.ts'
import type { Segment } from '../../find/layout/sheet.ts'
import type { View } from '../../find/view.ts'
import { type Figure, figuresOf, isOneColumn } from './premium-figures.ts'
import { isCharge, listStart, rowLabel } from './premium-sum.ts'

/** Figures above a total that are looked at: a premium and what is charged on top of it. */
const MOST_ABOVE = 8
/** Totals looked at: a declaration has few, a list of many policies is none. */
const MOST_TOTALS = 60
/** Rows that a payment plan adds are no part of what the policy costs. */
const OF_A_PLAN = /\b(?:instal+ments?|service charge|late|returned|nsf|financ\w*|down payment|monthly)\b/i
/** What is least kept of a premium is printed among its charges and is none. */
const BESIDE = /\bminimum (?:earned|retained)\b|\bearned premium\b|\bcommission\b/i
const PREMIUM_ROW = /\bpremiums?\b/i
const CREDIT = /\b(?:discounts?|credits?)\b/i
const TOTAL_LABEL = /\b(?:totals?|amount due|cost|price|payable)\b/i
/** What such a total scores: it is named so and its parts, the premium among them, make it to the cent. */
const WITH_CHARGES = 0.95
/** What is left of the premium it holds: right in itself, but not what the policy costs. */
const BEFORE_CHARGES = 0.75

/** Words of one list begin closer to each other than this, as a share of the page. */
const SAME_START = 0.006

interface Charged {
  readonly total: Figure
  /** The premium before charges. */
  readonly premium: string
}

/** True for rows of one list: each with one amount, their words flush left. */
const isInList = (a: number | null, b: number | null): boolean =>
  a !== null && b !== null && Math.abs(a - b) < SAME_START

/** The figures of a document, and which of them stand in each of its segments. */
interface Figures {
  readonly all: readonly Figure[]
  readonly bySegment: ReadonlyMap<Segment, readonly Figure[]>
}

/** The figures above a total that may be its parts, nearest first. */
function figuresAbove(total: Figure, { all, bySegment }: Figures, view: View): Figure[] {
  const start = listStart(view, total, bySegment)
  return all
    .filter(({ segment, box }) => segment.page === total.segment.page && box[1] < total.box[1] - 0.002)
    .toSorted((a, b) => b.box[1] - a.box[1])
    .slice(0, MOST_ABOVE * 4)
    .filter(figure => isOneColumn(figure, total) || isInList(start, listStart(view, figure, bySegment)))
    .filter(figure => !BESIDE.test(rowLabel(view, figure)))
    .slice(0, MOST_ABOVE)
}

function chargedTotal(total: Figure, figures: Figures, premiums: ReadonlySet<string>, view: View): Charged[] {
  const above = figuresAbove(total, figures, view)
  const end = above.findIndex(figure => {
    const label = rowLabel(view, figure)
    return (!isCharge(label) && !CREDIT.test(label)) || OF_A_PLAN.test(label)
  })
  const base = above[end]
  if (base === undefined || end === 0) return []
  const { amount: premium } = base
  if (!premiums.has(premium) && !PREMIUM_ROW.test(rowLabel(view, base))) return []
  const parts = above.slice(0, end + 1).map(figure => figure.amount)
  return sumMatches(parts, total.amount) ? [{ total, premium }] : []
}

/**
 * `Total policy premium 1,966.97, policy fee 70.30, surplus lines tax 44.00, TOTAL 2,081.27`: where a premium and the
 * charges printed between make a later total, the later one is what the policy costs (premium + taxes + fees = total).
 */
export function chargedTotals(evidence: readonly Evidence[], view: View): Evidence[] {
  const own = evidence.filter(piece => piece.field === 'premium_total')
  const premiums = new Set(own.flatMap(({ value }) => (typeof value === 'string' ? [value] : [])))
  const all = figuresOf(view)
  const figures = { all, bySegment: Map.groupBy(all, figure => figure.segment) }
  const charged = all
    .filter(figure => TOTAL_LABEL.test(rowLabel(view, figure)))
    .slice(0, MOST_TOTALS)
    .flatMap(figure => chargedTotal(figure, figures, premiums, view))
  if (charged.length === 0) return [...evidence]
  const totals = new Set(charged.map(({ total }) => total.amount))
  const before = new Set(charged.map(({ premium }) => premium).filter(premium => !totals.has(premium)))
  const weighed = evidence.map(piece => {
    if (piece.field !== 'premium_total' || typeof piece.value !== 'string') return piece
    if (totals.has(piece.value)) return { ...piece, score: Math.max(piece.score, WITH_CHARGES) }
    return before.has(piece.value) ? { ...piece, score: Math.min(piece.score, BEFORE_CHARGES) } : piece
  })
  const unnamed = charged.filter(({ total }) => own.every(piece => piece.value !== total.amount))
  return [...weighed, ...unnamed.map(({ total }) => evidenceOf(total))]
}

function evidenceOf({ amount, origin }: Figure): Evidence {
  return {
    field: 'premium_total',
    value: amount,
    raw: amount,
    origin,
    status: 'found',
    flags: ['PARTS_ADD_UP'],
    score: WITH_CHARGES,
    via: 'with charges'
  }
}
