import type { Json } from '../../model/json.ts'
import { readDate } from '../../normalize/date.ts'
import { readMoney } from '../../normalize/money.ts'
import type { Evidence } from '../find/evidence.ts'
import type { LabelHit } from '../find/layout/labels.ts'
import { belowOf, rightOf } from '../find/layout/neighbours.ts'
import { originAt } from '../find/layout/prose.ts'
import type { Segment } from '../find/layout/sheet.ts'
import { type Slot, slotText } from '../find/layout/slots.ts'
import { amountEvidence, amountsIn } from '../find/readers.ts'
import { type AmountMention, findAmounts, findDates } from '../find/values/mentions.ts'
import { wordsBeside } from '../find/values/worded-amount.ts'
import type { SlotReader, View } from '../find/view.ts'
import { isOfPart } from './premium/part-words.ts'

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

/** An amount spelled out before its digits is no sentence. */
function isFarOff({ slot, amount }: { slot: Slot; amount: AmountMention }): boolean {
  return amount.start > LEAD_IN && wordsBeside(slotText(slot), amount) === null
}

/** What may follow a total in its line with an amount of its own. */
const NEXT =
  /^\(?(?:minimum|deposit|monthly|down payment|installments?|discounts?|policy fee|amount due|minimum due|taxes|fees|excluding|including|includes|of which)\b/i

/** `Total Premium $1,284.00 Minimum Earned Premium $250.00`: the second amount has its own name. */
function isNamedNext(via: Slot['via'], amounts: readonly { slot: Slot; amount: AmountMention }[]): boolean {
  const [first, second] = amounts
  if (via !== 'inline' || !first || !second || first.slot !== second.slot || amounts.length > 2) return false
  return NEXT.test(slotText(first.slot).slice(first.amount.end, second.amount.start).trim())
}

/** `Premium` alone over one amount with none below it names that amount; over several it heads a column of coverages. */
function isOverOne(slots: readonly Slot[], hit: LabelHit, view: View): boolean {
  const below = slots.find(slot => slot.via === 'below')
  const isAlone = hit.form !== 'lead' && hit.from === 0 && hit.to === hit.segment.tokens.length
  if (!below || !isAlone || hit.phrase !== 'Premium' || !/^\$ ?[\d,]+\.\d{2}$/.test(slotText(below))) return false
  const next = belowOf(view.sheet, below.segment)
  return next.every(segment => findAmounts(segment.text).length === 0)
}

/** The total of a coverage part alone: a package costs more, and whether it is one the part does not say. */
const OF_PART = /\b(?:this|the above) coverage part\b/i
const PART_TOTAL = 'total of a part'
const PART_MOST = 0.72

/** A part's total is shown, and never so sure that it is taken unseen. */
export const withoutSureParts = (piece: Evidence): Evidence =>
  piece.via === PART_TOTAL ? { ...piece, score: Math.min(piece.score, PART_MOST) } : piece

/** The total beside its label. Several different figures in one row are columns the label does not name: none is taken. */
export const premiumReader: SlotReader = (slots, hit, view) => {
  // "Policy premium" inside a sentence announces nothing.
  if (hit.form === 'lead' && slots[0]?.via === 'inline' && !/^[$£€(\d]/.test(slotText(slots[0]))) return null
  // A bare "Premium" or "Total" heads columns of coverages; only a figure on its own line is its own.
  const isBare = !hit.phrase.includes(' ')
  for (const via of [
    'inline',
    'right',
    ...(isBare && !isOverOne(slots, hit, view) ? [] : (['below'] as const))
  ] as const) {
    const side = slots.filter(slot => slot.via === via)
    const amounts = wholeTerm(amountsIn(via === 'below' ? side.slice(0, 2) : side))
    const [first] = amounts
    if (!first || isFarOff(first)) continue
    if (new Set(amounts.map(({ amount }) => plain(amount))).size > 1 && !isNamedNext(via, amounts)) continue
    const behind = slots.find(slot => slot.via === 'inline')
    const evidence = {
      ...amountEvidence(first.slot, hit, first.amount, view),
      ...(isOfPart(hit, behind ? slotText(behind) : '') ? { via: PART_TOTAL } : {})
    }
    const isNothing = typeof evidence.value === 'string' && /^0(?:\.0+)?$/.test(evidence.value)
    return isNothing ? { ...evidence, score: evidence.score * NOTHING } : evidence
  }
  return null
}

const TOTAL_ROW =
  /^(?:(?:your|new|revised|amended|updated|estimated|grand) ){0,2}total ([a-z0-9&'/-]+ ){0,5}premiums?\b[:*]?( [a-z,&'()-]+){0,7}[:*]?$/i
const OTHER_TOTAL =
  /\b(?:vehicle|vehicles|full term|auto \d|additional|discounts?|liability|property premium|section|part|location|each|per|monthly|down|if|change|previous|prior|surcharge|endorsements?|optional|minimum|deposit|earned|return|savings|unit|veh|standard|manual|subject|modified|page)\b/i

function rowHit(segment: Segment, to: number, phrase: string): LabelHit {
  const weight = /\b(?:package|policy|due|fees)\b/i.test(phrase) ? 0.95 : 0.88
  return { key: 'premium_total', weight, phrase: 'Total … premium', segment, from: 0, to, form: 'whole' }
}

const FIRST_WORD = /^(?:total|your|estimated|grand|new|revised|amended|updated)$/
/** `Total premium after change` is the whole; `premium change` is what it changed by. */
const AFTER_CHANGE = /\b(?:after|following|with|including) (?:this |the )?(?:policy )?changes?\b/gi

/** Rows such as `TOTAL BUSINESSOWNERS PACKAGE POLICY PREMIUM $ 7,238`, whose wording no list of labels can hold. */
export function totalRows(view: View): Evidence[] {
  const found: Evidence[] = []
  for (const segment of view.sheet.segments) {
    if (segment.tokens.length > 16 || !segment.tokens[0]?.norm.match(FIRST_WORD)) continue
    const at = segment.tokens.findIndex(token => /^[$£€]|^\d[\d,.]*\.\d{2}$|^\d{1,3}(?:,\d{3})+$/.test(token.text))
    const to = at < 0 ? segment.tokens.length : at
    const words = segment.tokens
      .slice(0, to)
      .map(token => token.text)
      .join(' ')
    const isPart = OF_PART.test(words)
    if (!TOTAL_ROW.test(words) || (!isPart && OTHER_TOTAL.test(words.replace(AFTER_CHANGE, '')))) continue
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
    if (evidence) found.push({ ...evidence, via: isPart ? PART_TOTAL : words.toLowerCase() })
  }
  return found
}

/** `Total premium for JAN 05 2024 to JUL 05 2024.  $1,284.00`: the total of the term its dates name. */
const DATED_ROW = /^(?:your )?total (?:[a-z0-9-]+ ){0,3}premiums? (?:for|from) /i
const DATED = 0.94

/** Totals of rows that name the dates they are for: taken when the term begins there, never from a term before. */
export function datedTotals(view: View, starts: readonly Json[]): Evidence[] {
  return view.sheet.segments.flatMap(segment => {
    if (segment.tokens.length > 24 || !DATED_ROW.test(segment.text)) return []
    const [first, second] = findDates(segment.text)
    if (!first || !second || !starts.includes(readDate(first.raw, view.context).value)) return []
    const from = segment.tokens.findIndex(token => /^[$£€]/.test(token.text))
    const hit: LabelHit = { ...rowHit(segment, segment.tokens.length, segment.text), weight: DATED }
    const inline: Slot[] =
      from < 0 ? [] : [{ segment, from, to: segment.tokens.length, via: 'inline' as const, fit: 1 }]
    const right = rightOf(view.sheet, segment).map<Slot>(other => ({
      segment: other,
      from: 0,
      to: other.tokens.length,
      via: 'right',
      fit: 1
    }))
    const evidence = premiumReader([...inline, ...right], hit, view)
    return evidence ? [{ ...evidence, via: 'dated total' }] : []
  })
}

const SENTENCE =
  /\b(?:your (?:\d{1,2}|six|twelve)[- ]month (?:policy )?premium|total (?:annual |policy |estimated |term )?(?:premium|cost)(?: (?:for|of) (?:this|the|your) [^.;$£€]{0,40})?|(?:the|your) (?:annual |total |full |renewal )?(?:policy )?premium for (?:this|the|your) (?:entire )?(?:policy )?(?:term|period|policy|year))(?:,? including [^.;$£€]{0,60}?,?)? (?:is|will be|amounts to|comes to) (?=[$£€] ?\d)|\bin consideration of (?:(?:the )?payment of )?(?:the|a|an) (?:total |annual |policy |renewal |stated |stipulated ){0,2}premium of (?=[$£€] ?\d)/gi
const STATED = 0.9

/** Totals that sentences state: `The total annual premium, including all fees, is $1,284.00.` */
export function sentencePremiums(view: View): Evidence[] {
  const { text } = view.prose
  return [...text.matchAll(SENTENCE)].slice(0, 20).flatMap(match => {
    const start = match.index + match[0].length
    const amount = findAmounts(text.slice(start, start + 60))[0]
    const origin = amount ? originAt(view.prose, start + amount.start, start + amount.end) : null
    if (!amount || !origin || amount.start > 0 || (amount.per !== null && amount.per !== 'year')) return []
    const { value, status, flags } = readMoney(amount.raw, view.context)
    return [{ field: 'premium_total', value, raw: amount.raw, origin, status, flags, score: STATED, via: 'sentence' }]
  })
}
