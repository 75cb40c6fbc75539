import type { Evidence } from '../find/evidence.ts'
import type { LabelHit } from '../find/layout/labels.ts'
import { rightOf } from '../find/layout/neighbours.ts'
import type { Segment } from '../find/layout/sheet.ts'
import { type Slot, slotText } from '../find/layout/slots.ts'
import { amountEvidence, amountsIn } from '../find/readers.ts'
import { type AmountMention, findAmounts } from '../find/values/mentions.ts'
import type { SlotReader, View } from '../find/view.ts'

/** A figure further than this into the words after a label belongs to a sentence. In characters. */
const LEAD_IN = 12

/** A premium is for the whole term: figures per month, per person or per vehicle are others. */
function wholeTerm(amounts: readonly { slot: Slot; amount: AmountMention }[]): { slot: Slot; amount: AmountMention }[] {
  const whole = amounts.filter(({ amount }) => amount.per === null || amount.per === 'year')
  const yearly = whole.filter(({ amount }) => amount.per === 'year')
  return yearly.length > 0 && yearly.length < whole.length ? [...yearly] : whole
}

/** A total of nothing is a bill that is paid more often than a policy that costs nothing. */
const NOTHING = 0.8

const plain = (amount: AmountMention): string => amount.raw.replace(/[^\d.]/g, '').replace(/\.00$/, '')

/** The total beside its label. Several different figures in one row are columns the label does not name: none is taken. */
export const premiumReader: SlotReader = (slots, hit, view) => {
  // "Policy premium" inside a sentence announces nothing.
  if (hit.form === 'lead' && slots[0]?.via === 'inline' && !/^[$£€(\d]/.test(slotText(slots[0]))) return null
  // A bare "Premium" or "Total" heads columns of coverages; only a figure on its own line is its own.
  const isBare = hit.to - hit.from === 1
  for (const via of ['inline', 'right', ...(isBare ? [] : (['below'] as const))] as const) {
    const side = slots.filter(slot => slot.via === via)
    const amounts = wholeTerm(amountsIn(via === 'below' ? side.slice(0, 2) : side))
    const [first] = amounts
    if (!first || (via === 'inline' && first.amount.start > LEAD_IN)) continue
    if (new Set(amounts.map(({ amount }) => plain(amount))).size > 1) continue
    const evidence = amountEvidence(first.slot, hit, first.amount, view)
    const isNothing = typeof evidence.value === 'string' && /^0(?:\.0+)?$/.test(evidence.value)
    return isNothing ? { ...evidence, score: evidence.score * NOTHING } : evidence
  }
  return null
}

const TOTAL_ROW = /^(?:your |estimated |grand )?total ([a-z0-9&'/-]+ ){0,5}premiums?\b[:*]?( [a-z,&'()-]+){0,6}[:*]?$/i
const OTHER_TOTAL =
  /\b(?:vehicle|vehicles|full term|auto \d|additional|discounts?|liability|property premium|section|part|location|each|per|monthly|down|if|change|previous|prior|surcharge|endorsements?|optional|minimum|deposit|earned|return|savings|unit|veh)\b/i

function rowHit(segment: Segment, to: number, phrase: string): LabelHit {
  const weight = /\b(?:package|policy|due|fees)\b/i.test(phrase) ? 0.95 : 0.88
  return { key: 'premium_total', weight, phrase: 'Total … premium', segment, from: 0, to, form: 'whole' }
}

/** Rows such as `TOTAL BUSINESSOWNERS PACKAGE POLICY PREMIUM $ 7,238`, whose wording no list of labels can hold. */
export function totalRows(view: View): Evidence[] {
  const found: Evidence[] = []
  for (const segment of view.sheet.segments) {
    if (segment.tokens.length > 16 || !segment.tokens[0]?.norm.match(/^(?:total|your|estimated|grand)$/)) continue
    const at = segment.tokens.findIndex(token => /^[$£€]|^\d[\d,.]*\.\d{2}$|^\d{1,3}(?:,\d{3})+$/.test(token.text))
    const to = at < 0 ? segment.tokens.length : at
    const words = segment.tokens
      .slice(0, to)
      .map(token => token.text)
      .join(' ')
    if (!TOTAL_ROW.test(words) || OTHER_TOTAL.test(words)) continue
    const hit = rowHit(segment, to, words)
    const inline: Slot = { segment, from: to, to: segment.tokens.length, via: 'inline', fit: 0.95 }
    const right = rightOf(view.sheet, segment).map<Slot>(other => ({
      segment: other,
      from: 0,
      to: other.tokens.length,
      via: 'right',
      fit: 0.95
    }))
    const evidence = premiumReader(at < 0 ? right : [inline, ...right], hit, view)
    if (evidence) found.push({ ...evidence, via: words.toLowerCase() })
  }
  return found
}

interface Figure {
  readonly cents: bigint
  readonly page: number
  readonly right: number
  readonly y: number
}

const cents = (value: string): bigint => BigInt(value.replace('.', ''))

/** A cell with nothing but a whole number is an amount when its column is added up; its sign stands in a cell of its own. */
function figuresIn(text: string): AmountMention[] {
  if (/^\d{1,6}$/.test(text)) return [{ raw: text, start: 0, end: text.length, symbol: null, per: null }]
  return findAmounts(text)
}

/** Every amount of a paged document with the right edge it is aligned to. */
function figuresOf(view: View): Figure[] {
  return view.sheet.segments.flatMap(segment =>
    figuresIn(segment.text).flatMap(amount => {
      const evidence = amountEvidence(
        { segment, from: 0, to: segment.tokens.length, via: 'inline', fit: 1 },
        { key: '', weight: 1, phrase: '', segment, from: 0, to: 0, form: 'colon' },
        amount,
        view
      )
      if (typeof evidence.value !== 'string' || !('bbox' in evidence.origin)) return []
      const { bbox, page } = evidence.origin
      return [{ cents: cents(evidence.value), page, right: bbox[2], y: bbox[1] }]
    })
  )
}

/** Right edges of one column differ by less, as a share of the page: widths of words in a mixed line are estimates. */
const ALIGNED = 0.03
/** Rows above a total that are added up in search of it. */
const MOST_PARTS = 30

/** The figures right above a total in its own column, two or more, that add up to it; none when none do. */
function partsOf(total: Evidence, figures: readonly Figure[]): readonly Figure[] {
  if (typeof total.value !== 'string' || !('bbox' in total.origin)) return []
  const { page, bbox } = total.origin
  const wanted = cents(total.value)
  if (wanted <= 0n) return []
  const above = figures
    .filter(figure => figure.page === page && figure.y < bbox[1] - 0.002 && Math.abs(figure.right - bbox[2]) < ALIGNED)
    .toSorted((a, b) => b.y - a.y)
    .slice(0, MOST_PARTS)
  let sum = 0n
  for (const [index, figure] of above.entries()) {
    sum += figure.cents
    if (sum === wanted && index > 0) return above.slice(0, index + 1)
  }
  return []
}

/** What a total gains when its parts add up to it; the floor makes a weakly labelled total strong. */
const ADDED_UP = 0.08
const ADDED_UP_LEAST = 0.9

/** What a total loses that is one of the parts of another. */
const PART_LOSS = 0.2

/** A bare "Total" is the total of whatever stands above it. */
const leastFor = (piece: Evidence): number => (/^(?:Total|Premium)\//.test(piece.via) ? 0 : ADDED_UP_LEAST)

/** Marks the totals whose parts, printed above them, add up. */
export function corroborateBySum(evidence: readonly Evidence[], view: View): Evidence[] {
  const totals = evidence.filter(piece => piece.field === 'premium_total' && piece.value !== null)
  if (totals.length === 0) return [...evidence]
  const figures = figuresOf(view)
  const parts = new Map(totals.map(total => [total, partsOf(total, figures)]))
  const inside = new Set([...parts.values()].flat().map(figure => figure.cents))
  return evidence.map(piece => {
    const own = parts.get(piece)
    if (own === undefined || typeof piece.value !== 'string') return piece
    if (inside.has(cents(piece.value))) return { ...piece, score: piece.score - PART_LOSS }
    if (own.length === 0) return piece
    const score = Math.min(1, Math.max(piece.score + ADDED_UP, leastFor(piece)))
    return { ...piece, score, flags: [...piece.flags, 'PARTS_ADD_UP'] }
  })
}
