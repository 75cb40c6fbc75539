import { divideDecimals, formatDecimal, parseDecimal } from '../../../normalize/amounts/decimal.ts'
import { readMoney } from '../../../normalize/money.ts'
import type { Evidence } from '../../find/evidence.ts'
import type { LabelHit } from '../../find/layout/labels.ts'
import { originAt, segmentAt } from '../../find/layout/prose.ts'
import { segmentsWithin } from '../../find/layout/sheet.ts'
import { type Slot, slotText } from '../../find/layout/slots.ts'
import { amountEvidence, amountsIn } from '../../find/readers.ts'
import { type AmountMention, findAmounts } from '../../find/values/mentions.ts'
import { againstWords, wordsBeside } from '../../find/values/worded-amount.ts'
import type { SlotReader, View } from '../../find/view.ts'
import { isAmendment } from '../lease-dates.ts'
import {
  BYGONE,
  CALLED_RENT,
  CAPTIONED_LINE,
  DUE_EACH_MONTH,
  DUE_MONTHLY,
  EXAMPLE,
  FOR_OTHERS,
  HOLDING_OVER,
  IN_PLACE_OF,
  IN_RENT,
  ITS_OWN,
  LATER_AFTER,
  LATER_BEFORE,
  MONTH_AROUND,
  NOT_THIS_RENT,
  OF_OLD_LEASE,
  OF_OTHERS,
  OF_YEAR,
  ON_DAY,
  OTHER_AMOUNT,
  OTHER_LEASE_BEFORE,
  OTHER_LINE,
  OTHER_TIME,
  OWN_TERM,
  PARTS_OF,
  PAYS,
  RENT_BEFORE,
  SHARE_OF_RENT,
  SPELLED,
  STEP,
  STEP_AFTER,
  UNTIL,
  YEAR_AROUND
} from './rent-cues.ts'
import { firstStepBelow, isLaterLine, isLaterStep, LATER_STEP, lineBefore } from './rent-steps.ts'

const TWELVE = parseDecimal('12')

/** A yearly amount per month, rounded half up to cents. */
export function perMonth(yearly: string): string {
  return formatDecimal(divideDecimals(parseDecimal(yearly), TWELVE, 2), 2)
}

/** A figure further than this into the words after a label belongs to a sentence. In characters. */
const LEAD_IN = 40

function fromYear(evidence: Evidence): Evidence {
  if (typeof evidence.value !== 'string') return evidence
  return {
    ...evidence,
    value: perMonth(evidence.value),
    status: 'derived',
    flags: [...evidence.flags, 'PER_MONTH_FROM_YEAR'],
    score: evidence.score * 0.85
  }
}

/** An amount of the next sentence is another one. */
function isOneSentence(first: PlacedAmount, other: PlacedAmount): boolean {
  if (first.slot !== other.slot) return true
  return !/[.;] /.test(slotText(first.slot).slice(first.amount.end, other.amount.start))
}

/** `Payment period: [x] monthly` in the line of a rent says its period. */
const CHECKED = /(?:\[ ?x ?\]|☒|☑|✓|✔|\(x\)) ?(?:per )?month(?:ly)?\b/i

function isCheckedMonthly(slot: Slot, view: View): boolean {
  const { page, box } = slot.segment
  const line = segmentsWithin(view.sheet, page, box[1], box[3]).filter(
    one => one.box[1] < box[3] && one.box[3] > box[1]
  )
  return line.some(one => CHECKED.test(one.text)) || CHECKED.test(slot.segment.text)
}

/** `$900.00 due on the first day of every month` is asked for every month, unless a year is spoken of. */
function isDueMonthly({ slot, amount }: PlacedAmount): boolean {
  const text = slotText(slot)
  return amount.per === null && DUE_EACH_MONTH.test(text.slice(amount.end)) && !/annual|year/i.test(text)
}

/** A rent whose period is not stated is a month's or a year's: both readings, no value. */
function withoutPeriod(evidence: Evidence): Evidence {
  if (typeof evidence.value !== 'string') return evidence
  return {
    ...evidence,
    value: null,
    status: 'ambiguous',
    flags: ['RATE_PERIOD_UNKNOWN'],
    readings: [evidence.value, perMonth(evidence.value)],
    score: evidence.score * 0.6
  }
}

/** An amount spelled out before its digits is no sentence. */
type PlacedAmount = ReturnType<typeof amountsIn>[number]

const isFarOff = ({ slot, amount }: PlacedAmount): boolean =>
  amount.start > LEAD_IN && wordsBeside(slotText(slot), amount) === null

/** `Monthly rent under the Original Lease is`: what stands between a label and its amount names another lease or what a share of is due. */
const OTHER_LEASE_LEAD =
  /%|\b(?:percent|sales|receipts|thereafter)\b|\b(?:second|third|fourth|fifth|following) (?:lease )?years?\b|\b(?:under|original|existing|prior|previous|expiring|current|present|prime|master) (?:the )?(?:[a-z]+ )?(?:lease|term|agreement)\b/i

const isOfOtherLease = ({ slot, amount }: PlacedAmount): boolean =>
  OTHER_LEASE_LEAD.test(slotText(slot).slice(0, amount.start))

/** A rent of a label as broad as `Rent` that says it is a month's is as sure as one of a longer label. */
const MONTHLY_SAID = 0.86

function sureMonthly(evidence: Evidence, via: string, isWide: boolean): Evidence {
  return isWide || via === 'below' || evidence.score >= MONTHLY_SAID ? evidence : { ...evidence, score: MONTHLY_SAID }
}

/** `Base rent before: `, `Rent until then`: the rent that was. */
const OF_BEFORE = /^(?:before|until|prior|previously|formerly)$/

/** A rent beside its label, per month. The label or the words after the figure must say its period. */
export const rentReader: SlotReader = (slots, hit, view) => {
  if (OF_BEFORE.test(hit.segment.tokens[hit.to]?.norm ?? '')) return null
  for (const via of ['inline', 'right', 'below'] as const) {
    const side = slots.filter(slot => slot.via === via).slice(0, via === 'below' ? 1 : 3)
    const amounts = amountsIn(side).filter(({ amount }) => amount.per !== 'area' && amount.per !== 'week')
    const [first] = amounts
    if (!first || isFarOff(first) || isOfOtherLease(first)) continue
    const monthly = amounts.find(one => one.amount.per === 'month' && isOneSentence(first, one))
    const chosen = monthly ?? first
    const stated = amountEvidence(chosen.slot, hit, chosen.amount, view)
    const evidence = isLaterStep(lineBefore(chosen, view)) ? { ...stated, score: stated.score * LATER_STEP } : stated
    if (monthly) return sureMonthly(evidence, via, hit.form === 'lead' || evidence.score < 0.7)
    if (/month/i.test(hit.phrase) || isCheckedMonthly(chosen.slot, view) || isDueMonthly(chosen)) return evidence
    if (chosen.amount.per === 'year' || /annual|year/i.test(slotText(chosen.slot))) return fromYear(evidence)
    return withoutPeriod(evidence)
  }
  return stepBelow(hit, view)
}

/** A rent told in steps below its label: the first is asked for. */
function stepBelow(hit: LabelHit, view: View): Evidence | null {
  const step = firstStepBelow(hit, view)
  if (!step) return null
  const isMonthly = step.amount.per === 'month' || /month/i.test(hit.phrase)
  return isMonthly && step.amount.per !== 'year' ? amountEvidence(step.slot, hit, step.amount, view) : null
}

function rentScore(before: string, after: string, amount: AmountMention): { score: number; yearly: boolean } | null {
  if (
    (OTHER_AMOUNT.test(before.slice(-75)) && !CALLED_RENT.test(before)) ||
    SHARE_OF_RENT.test(before) ||
    OTHER_TIME.test(before.replace(OWN_TERM, 'term')) ||
    IN_PLACE_OF.test(before) ||
    HOLDING_OVER.test(before) ||
    OF_OTHERS.test(before) ||
    BYGONE.test(before) ||
    OTHER_LEASE_BEFORE.test(before) ||
    NOT_THIS_RENT.test(after) ||
    !(
      RENT_BEFORE.test(before.slice(STEP.test(before.slice(-110)) ? -240 : -130) + after.slice(0, 24)) ||
      (amount.per === 'month' && PAYS.test(before) && !FOR_OTHERS.test(after))
    )
  )
    return null
  if (amount.per === 'area' || amount.per === 'week') return null
  if (amount.symbol === null && !/^ ?(?:us )?dollars/i.test(after)) return null
  // What the sentence before says of its own amount does not reach into this one.
  if (/\brent(?:al)?\b[^.;]{0,24}\b(?:each|per|every) month(?: (?:is|of|will be|shall be))?:? ?$/i.test(before))
    return { score: 0.9, yearly: false }
  const near =
    before
      .slice(-90)
      .split(/(?<=[a-z0-9)])\. (?=["“]?[A-Z0-9])/)
      .at(-1) ?? ''
  if (amount.per === 'month' && !OF_YEAR.test(before)) return { score: 0.9, yearly: false }
  if (IN_RENT.test(after)) return { score: 0.88, yearly: false }
  if (amount.per === 'year') return { score: 0.75, yearly: true }
  if (/\bmonthly (?:[a-z]+ ){0,3}rent\b[^.;]{0,60}$/i.test(near)) return { score: 0.88, yearly: false }
  if (
    /\b(?:monthly (?:installments?|instalments?|payments?|parts|sums|portions|rent|base rent|rental)|installments?)\b/i.test(
      near
    ) &&
    (MONTH_AROUND.test(before) || MONTH_AROUND.test(after)) &&
    !/\bannual\b/i.test(before.slice(-40))
  ) {
    return { score: 0.88, yearly: false }
  }
  if (PARTS_OF.test(before) && ON_DAY.test(after)) return { score: 0.9, yearly: false }
  if (DUE_MONTHLY.test(before)) return { score: 0.88, yearly: false }
  if (/^[^.;]{0,12}per installment/i.test(after) && MONTH_AROUND.test(before)) return { score: 0.88, yearly: false }
  if (DUE_EACH_MONTH.test(after) && !YEAR_AROUND.test(near)) return { score: 0.86, yearly: false }
  if (YEAR_AROUND.test(near) && /\brent|\byielding and paying/i.test(near)) return { score: 0.74, yearly: true }
  return null
}

/** Amounts looked at and the text around each that counts. */
export const MOST_AMOUNTS = 400
const BEFORE = 260
const AFTER = 90

interface Step {
  readonly evidence: Evidence
  readonly isStep: boolean
  readonly isLater: boolean
}

function firstStepOnly(found: readonly Step[]): Evidence[] {
  let steps = 0
  return found.map(({ evidence, isStep, isLater }) => {
    if (isStep) steps += 1
    return isLater || (isStep && steps > 1) ? { ...evidence, score: evidence.score * LATER_STEP } : evidence
  })
}

/** What stands in the same column or cell, and the caption with a colon before it when that is nothing. */
export function lastPart(before: string): string {
  const at = before.lastIndexOf(' ; ')
  const own = before.slice(at + 1)
  const caption = at < 0 ? '' : (before.slice(0, at).split(' ; ').at(-1) ?? '')
  return own.length <= 3 && /(?::| is| of)$/.test(caption) ? `${caption} ` : own
}

/** `following schedule: ; 1/1/25 - 12/31/25 ; $900 per month`: what announces a column of steps stands before the steps. */
function stepPart(before: string): string {
  const near = before.slice(-STEP_REACH)
  if (/\brent(?:al)?\b[^$;]{0,40} ; ?$/i.test(near)) return `${near.split(' ; ').at(-2)} `
  return /\d[^$;]{0,14} ; ?$/.test(near) && !near.includes('$') ? before.replaceAll(/ ; ?/g, ' ') : lastPart(before)
}
const STEP_REACH = 130

/** An amount that contradicts itself outweighs any other statement of the rent. */
const CONTRADICTED = 0.97

/** A longer line is a paragraph. In characters. */
const SHORT_LINE = 70

const lineTo = ({ prose }: View, start: number): string =>
  prose.text.slice(prose.starts[segmentAt(prose, start)] ?? 0, start)

function ownLine(view: View, { start }: AmountMention): string | null {
  const line = lineTo(view, start)
  return line.length <= SHORT_LINE && CAPTIONED_LINE.test(line) && !/\$/.test(line) ? line : null
}

/** The rent one amount states, compared with the words beside it. */
function rentAt(view: View, amount: AmountMention): Evidence | null {
  const { text } = view.prose
  const reach = ownLine(view, amount) ?? text.slice(Math.max(0, amount.start - BEFORE), amount.start)
  const before = (amount.per === 'month' ? stepPart(reach) : lastPart(reach))
    .replace(SPELLED, '')
    // Dots that lead to an amount end no sentence.
    .replace(/[.…]{3,}/g, ':')
  if (EXAMPLE.test(before) || OTHER_LINE.test(lineTo(view, amount.start))) return null
  const [after = ''] = text.slice(amount.end, amount.end + AFTER).split(' ; ')
  const isAmending = isAmendment(text)
  if (UNTIL.test(after) || (isAmending && OF_OLD_LEASE.test(before))) return null
  const told = rentScore(isAmending ? before.replace(ITS_OWN, ' ') : before, after, amount)
  const origin = originAt(view.prose, amount.start, amount.end)
  if (!told || !origin) return null
  const raw = amount.raw.replace(/^US ?(?=\$)/, '')
  const { value, status, flags } = readMoney(raw, view.context)
  const evidence: Evidence = {
    field: 'base_rent',
    value,
    raw,
    origin,
    status,
    flags,
    score: told.score,
    via: 'sentence'
  }
  const worded = againstWords(evidence, wordsBeside(text, amount))
  if (worded.flags.includes('WORDS_DIGITS_MISMATCH')) return { ...worded, score: CONTRADICTED }
  return told.yearly ? fromYear(worded) : worded
}

/** Rents that sentences state: per month, or per year and then divided. Words that disagree with the digits leave no value. */
export function sentenceRents(view: View): Evidence[] {
  const { text } = view.prose
  const found = findAmounts(text)
    .slice(0, MOST_AMOUNTS)
    .flatMap(amount => {
      const evidence = rentAt(view, amount)
      const after = text.slice(amount.end, amount.end + AFTER)
      const before = text.slice(Math.max(0, amount.start - 110), amount.start)
      const isStep = STEP.test(before) || STEP_AFTER.test(after)
      const isLater = LATER_AFTER.test(after) || LATER_BEFORE.test(before) || isLaterLine(lineTo(view, amount.start))
      return evidence ? [{ evidence, isStep, isLater }] : []
    })
  return firstStepOnly(found)
}
