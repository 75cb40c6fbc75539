import { daysBetween } from '../../model/calendar.ts'
import type { ReadingContext } from '../../model/reading.ts'
import { readDate } from '../../normalize/date.ts'
import { orderOfPeriod } from './context/reading-context.ts'
import type { Evidence } from './evidence.ts'
import type { LabelHit } from './layout/labels.ts'
import { belowOf, rightOf } from './layout/neighbours.ts'
import { originOf } from './layout/sheet.ts'
import { type Slot, slotsOf, slotText } from './layout/slots.ts'
import { mentionPiece } from './readers.ts'
import { wholeMonths } from './values/calendar.ts'
import { findDates, type Mention } from './values/mentions.ts'
import type { View } from './view.ts'

/** The two fields a pair of dates fills, and the longest span in days that is still one. */
export interface PeriodFields {
  readonly start: string
  readonly end: string
  readonly longestDays: number
}

/** Reads two raw dates as a period under one order: the document's, or the only one that makes it whole months. */
export function readPeriod(
  startRaw: string,
  endRaw: string,
  context: ReadingContext
): { start: ReturnType<typeof readDate>; end: ReturnType<typeof readDate>; decided: boolean } {
  const order = context.dateOrder ?? orderOfPeriod(startRaw, endRaw, context) ?? undefined
  const decided = context.dateOrder === undefined && order !== undefined
  const base = order ? { ...context, dateOrder: order } : context
  return {
    start: readDate(startRaw, base),
    end: readDate(endRaw, { ...base, yearPivot: 'future' }),
    decided
  }
}

/** Two dates in the wrong order are a slip of the document or no period at all; any other place that reads is better. */
const REVERSED = 0.75

/** How plausible the span is, 0–1: whole months are what terms are made of. */
export function spanFit(start: string | null, end: string | null, longestDays: number): number {
  if (start === null || end === null) return 0.9
  const days = daysBetween(start, end)
  if (Math.abs(days) > longestDays) return 0
  if (days <= 0) return REVERSED
  return wholeMonths(start, end) === null ? 0.85 : 1
}

/** A period beside its label may go on in the lines below its first date. */
function withLinesBelow(slots: readonly Slot[], view: View): Slot[] {
  const beside = slots.find(slot => slot.via !== 'below' && findDates(slotText(slot)).length === 1)
  if (!beside || slots.filter(slot => findDates(slotText(slot)).length > 0).length > 1) return [...slots]
  const below = belowOf(view.sheet, beside.segment).slice(0, 1)
  const more = below.map<Slot>(segment => ({
    segment,
    from: 0,
    to: segment.tokens.length,
    via: 'below',
    fit: beside.fit
  }))
  return [...slots.filter(slot => slot.segment !== more[0]?.segment), ...more]
}

/** The first date below a label may have the second in the column beside it, under `FROM` and `TO`. */
function withEndBeside(slots: readonly Slot[], view: View): readonly Slot[] {
  const dated = slots.filter(slot => findDates(slotText(slot)).length > 0)
  const [only] = dated
  if (!only || dated.length > 1 || only.via !== 'below' || findDates(slotText(only)).length > 1) return slots
  const beside = rightOf(view.sheet, only.segment)[0]
  const mention = beside ? findDates(beside.text)[0] : undefined
  if (!beside || !mention || mention.start > 4) return slots
  return [only, { ...only, segment: beside, from: 0, to: beside.tokens.length }]
}

/** Two dates whole half-years apart behind a word for a term are one, however general the word. */
const WHOLE_TERM = 0.92

interface Dated {
  readonly slot: Slot
  readonly mention: Mention
}

/** Dates in the joined text of slots that follow one another: a date may be broken over two lines. It stands where it starts. */
function datesAcross(slots: readonly Slot[]): Dated[] {
  const texts = slots.map(slotText)
  const starts: number[] = []
  let length = 0
  for (const text of texts) {
    starts.push(length)
    length += text.length + 1
  }
  return findDates(texts.join(' ')).flatMap(({ raw, start, end }) => {
    const at = starts.findLastIndex(from => from <= start)
    const slot = slots[at]
    const offset = starts[at] ?? 0
    return slot ? [{ slot, mention: { raw, start: start - offset, end: end - offset } }] : []
  })
}

/** Two dates with the end of a sentence between them, the later first, are no period. */
function isOneSentence(first: Dated, second: Dated): boolean {
  if (first.slot !== second.slot) return true
  return !/[a-z\d]\. \p{Lu}/u.test(slotText(first.slot).slice(first.mention.end - 1, second.mention.start + 1))
}

/** Both dates of a period that follows a label: on its line, to its right, or in the lines below. */
export function periodEvidence(hit: LabelHit, view: View, fields: PeriodFields): Evidence[] {
  const slots = slotsOf(view.labels, hit, view.sheet)
  const ordered = withLinesBelow(slots, view).toSorted(
    (a, b) => a.segment.box[1] - b.segment.box[1] || a.segment.box[0] - b.segment.box[0]
  )
  const pieces = datesAcross(withEndBeside(ordered, view))
  const [first, second] = pieces
  if (!first || !second || pieces.length > 3 || first.mention.start > 60) return []
  const { start, end, decided } = readPeriod(first.mention.raw, second.mention.raw, view.context)
  const fit = spanFit(start.value, end.value, fields.longestDays)
  if (fit === 0 || (fit === REVERSED && !isOneSentence(first, second))) return []
  const flags = decided ? ['DATE_ORDER_FROM_PERIOD'] : []
  const months = start.value === null || end.value === null ? null : wholeMonths(start.value, end.value)
  const isWhole = months !== null && months % 6 === 0
  return [
    { reading: start, piece: first, field: fields.start },
    { reading: end, piece: second, field: fields.end }
  ].map(({ reading, piece, field }) => {
    const { from, to } = mentionPiece(piece.slot, hit, piece.mention)
    const score = hit.weight * Math.min(1, piece.slot.fit + 0.05) * fit
    const evidence: Evidence = {
      field,
      value: reading.value,
      raw: piece.mention.raw,
      origin: originOf(piece.slot.segment, from, to),
      status: reading.status,
      flags: [...reading.flags, ...flags],
      score: isWhole ? Math.max(WHOLE_TERM, score) : score,
      via: `${hit.phrase}/period`
    }
    return reading.readings ? { ...evidence, readings: reading.readings } : evidence
  })
}
