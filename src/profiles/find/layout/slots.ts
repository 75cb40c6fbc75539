import { type LabelHit, leadsIn, valueStart } from './labels.ts'
import { belowOf, rightOf } from './neighbours.ts'
import { type Segment, type Sheet, segmentsWithin } from './sheet.ts'

/** A stretch of words where the value of a label may stand. `fit` is how well the place suits, 0–1. */
export interface Slot {
  readonly segment: Segment
  readonly from: number
  readonly to: number
  readonly via: 'inline' | 'right' | 'below'
  readonly fit: number
}

/** All labels of a sheet, and which of them open or cut the words of a segment. */
export interface LabelMap {
  readonly hits: readonly LabelHit[]
  readonly bySegment: ReadonlyMap<number, readonly LabelHit[]>
}

/** Indexes labels by segment, leaving out phrases that merely occur inside a sentence. */
export function labelMap(hits: readonly LabelHit[]): LabelMap {
  const standing = hits.filter(hit => hit.form !== 'inside')
  return { hits: standing, bySegment: Map.groupBy(standing, hit => hit.segment.index) }
}

/** A gap this many times the height of the text separates columns even within one line. */
const COLUMN_GAP = 2.5

/** Where the words from `from` on stop belonging together: the next label, or a column-sized gap. */
export function stretchEnd(labels: LabelMap, segment: Segment, from: number): number {
  const nextLabel = labels.bySegment.get(segment.index)?.find(hit => hit.from > from)?.from ?? segment.tokens.length
  for (let at = from + 1; at < nextLabel; at += 1) {
    if ((segment.tokens[at]?.gap ?? 0) > COLUMN_GAP) return at
  }
  return nextLabel
}

/** `Notice Address:` alone announces what stands elsewhere, whether its words are known or not. */
const isCaption = (segment: Segment): boolean => segment.tokens.length <= 6 && /\p{L}\)?:$/u.test(segment.text)

/** A segment that begins with a label (and no value before it) belongs to that label, and so does a bare caption. */
export function opensWithLabel(labels: LabelMap, segment: Segment): boolean {
  if (isCaption(segment)) return true
  const first = labels.bySegment.get(segment.index)?.[0]
  if (first === undefined || first.from > 0) return false
  return first.form !== 'lead' || first.weight >= 0.9
}

/** What is left of a label whose words are only the end of a longer one: "Estimated … Date:", "Key deposit:". */
const PREFIXED = 0.82

function isPrefixed(labels: LabelMap, hit: LabelHit): boolean {
  const gap = hit.segment.tokens[hit.from]?.gap ?? 0
  if (hit.from === 0 || gap > 1) return false
  const first = labels.bySegment.get(hit.segment.index)?.[0]
  if (first !== undefined && first.from < hit.from) return false
  return hit.segment.tokens.slice(0, hit.from).some(token => /^\p{L}{3,}$/u.test(token.text))
}

/**
 * `Insured Member:` is a longer label that is not known: the words behind the known one, up to the colon at the end of
 * the line, are no value, and whose value stands beside or below it is not known either.
 */
function isLongerLabel({ form, segment, to }: LabelHit): boolean {
  const rest = segment.tokens.slice(to)
  if (form !== 'lead' || rest.length === 0 || rest.length > 3 || !rest.at(-1)?.text.endsWith(':')) return false
  return rest.every(({ text, gap }) => gap < 1 && /^[\p{L}&/’']+(?:\(s\))?:?$/u.test(text))
}

/** `TOTAL PREMIUM $` with its amount set apart: the sign of a currency alone is no value. */
const isSign = ({ tokens }: Segment, from: number): boolean =>
  from === tokens.length - 1 && /^[$£€]$/.test(tokens[from]?.text ?? '')

function inlineSlot(labels: LabelMap, hit: LabelHit): Slot | null {
  const from = valueStart(hit)
  if (from >= hit.segment.tokens.length || isSign(hit.segment, from)) return null
  const isNextLabel = labels.bySegment.get(hit.segment.index)?.some(other => other.from === from) ?? false
  if (isNextLabel) return null
  const to = stretchEnd(labels, hit.segment, from)
  const gapped = (hit.segment.tokens[from]?.gap ?? 0) > COLUMN_GAP
  const fit = hit.form === 'colon' ? (isPrefixed(labels, hit) ? PREFIXED : 1) : gapped ? 0.95 : 0.9
  return { segment: hit.segment, from, to, via: 'inline', fit }
}

const labelRight = (hit: LabelHit): number => hit.segment.tokens[hit.to - 1]?.box[2] ?? hit.segment.box[2]

/** What is left of a place right of a label that lies right under a label of its own. */
const OWNED = 0.8

/** True when the line above a segment, in its column, is a label without a value beside it. */
function isUnderOther(labels: LabelMap, segment: Segment, sheet: Sheet): boolean {
  const height = segment.box[3] - segment.box[1]
  return segmentsWithin(sheet, segment.page, segment.box[1] - height * 1.6, segment.box[1]).some(above => {
    if (above === segment || above.box[1] >= segment.box[1] - height / 2) return false
    if (Math.abs(above.box[0] - segment.box[0]) > 0.02 || above.page !== segment.page) return false
    const [hit] = labels.bySegment.get(above.index) ?? []
    return hit !== undefined && hit.from === 0 && valueStart(hit) >= above.tokens.length
  })
}

/** Slots to the right on the same base line, nearest first, until another label stands there. */
function rightSlots(labels: LabelMap, hit: LabelHit, sheet: Sheet): Slot[] {
  const slots: Slot[] = []
  const onLine = labels.bySegment.get(hit.segment.index)?.some(other => other.from >= hit.to) ?? false
  if (onLine) return slots
  for (const segment of rightOf(sheet, hit.segment, labelRight(hit)).slice(0, 4)) {
    if (opensWithLabel(labels, segment)) break
    const side = hit.form === 'colon' ? 0.97 : 0.88
    const fit = (isUnderOther(labels, segment, sheet) ? side * OWNED : side) - slots.length * 0.04
    slots.push({ segment, from: 0, to: stretchEnd(labels, segment, 0), via: 'right', fit })
  }
  return slots
}

/** Slots below in the same column, nearest first, until another label stands there. */
function belowSlots(labels: LabelMap, hit: LabelHit, sheet: Sheet): Slot[] {
  const slots: Slot[] = []
  // What stands below a numbered label begins below its number or below its words.
  const isNumbered = hit.from > 0 && hit.from < 4 && leadsIn(hit.segment, hit.from)
  const left = isNumbered ? hit.segment.box[0] : (hit.segment.tokens[hit.from]?.box[0] ?? hit.segment.box[0])
  for (const segment of belowOf(sheet, hit.segment, left, labelRight(hit)).slice(0, 3)) {
    if (opensWithLabel(labels, segment)) break
    const fit = (hit.form === 'colon' ? 0.86 : 0.93) - slots.length * 0.05
    const from = firstInColumn(segment, left)
    slots.push({ segment, from, to: stretchEnd(labels, segment, from), via: 'below', fit })
  }
  return slots
}

/** A row read as one line may hold the values of several columns: the column's own words begin nearest below the label. */
function firstInColumn(segment: Segment, left: number): number {
  let from = 0
  for (const [index, token] of segment.tokens.entries()) {
    if (token.gap > COLUMN_GAP && token.box[0] <= left + 0.02) from = index
  }
  return from
}

/** Where only one side of a label is free, its value stands there or nowhere. */
const ONLY_SIDE = 0.96

/** A value right of its label in a list of labels and values. */
const LISTED = 0.95
/** What is left of a value below a label of such a list. */
const BELOW_LISTED = 0.78
/** How far above and below a label others of its list are looked for, as a share of the page. */
const LIST_REACH = 0.16
/** Left edges of one column differ by less. */
const SAME_LEFT = 0.008

const isLevel = (a: Segment, b: Segment): boolean =>
  a.box[1] < (b.box[1] + b.box[3]) / 2 && a.box[3] > (b.box[1] + b.box[3]) / 2

/**
 * True for a label in a column of labels whose values stand side by side in a column of their own. What stands right
 * below it is then the next label, though it be one that is not known.
 */
function isListed(labels: LabelMap, hit: LabelHit, sheet: Sheet, right: Slot | undefined): boolean {
  if (!right || hit.from > 0) return false
  const { page, box } = hit.segment
  const around = segmentsWithin(sheet, page, box[1] - LIST_REACH, box[3] + LIST_REACH)
  const values = around.filter(
    segment => Math.abs(segment.box[0] - right.segment.box[0]) < SAME_LEFT && !opensWithLabel(labels, segment)
  )
  const column = around.filter(segment => segment !== hit.segment && Math.abs(segment.box[0] - box[0]) < SAME_LEFT)
  const hasValue = (segment: Segment): boolean => values.some(value => isLevel(value, segment))
  // A line without a value that is no label is the value of the label above it: the list ends there.
  const ends = column.filter(segment => !opensWithLabel(labels, segment) && !hasValue(segment))
  const isApart = (segment: Segment): boolean =>
    ends.some(end => (end.box[1] - box[1]) * (end.box[1] - segment.box[1]) < 0)
  const others = column.filter(segment => opensWithLabel(labels, segment) && hasValue(segment) && !isApart(segment))
  return others.length > 1
}

/** Every place where the value of a label may stand, best first. Empty when its place is taken by other labels: it is blank. */
export function slotsOf(labels: LabelMap, hit: LabelHit, sheet: Sheet): Slot[] {
  if (isLongerLabel(hit)) return []
  const inline = inlineSlot(labels, hit)
  if (inline) return [inline]
  const right = rightSlots(labels, hit, sheet)
  const below = belowSlots(labels, hit, sheet)
  if (below.length === 0) return right.map((slot, at) => ({ ...slot, fit: Math.max(slot.fit, ONLY_SIDE - at * 0.04) }))
  if (isListed(labels, hit, sheet, right[0])) {
    // Where nothing beside it reads, a figure or a date right below may be the value: a name may be the next label.
    const figures = below.filter((slot, at) => at === 0 && /\d/.test(slotText(slot)))
    return [
      ...right.map((slot, at) => ({ ...slot, fit: LISTED - at * 0.04 })),
      ...figures.map(slot => ({ ...slot, fit: BELOW_LISTED }))
    ]
  }
  if (right.length === 0) return below.map((slot, at) => ({ ...slot, fit: Math.max(slot.fit, ONLY_SIDE - at * 0.05) }))
  return [...right, ...below].toSorted((a, b) => b.fit - a.fit)
}

/** The words of a slot as written. */
export function slotText(slot: Slot): string {
  return slot.segment.tokens
    .slice(slot.from, slot.to)
    .map(token => token.text)
    .join(' ')
}
