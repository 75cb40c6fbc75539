import { readDate } from '../../normalize/date.ts'
import { readMoney } from '../../normalize/money.ts'
import type { Evidence } from '../find/evidence.ts'
import type { LabelHit } from '../find/layout/labels.ts'
import { originOf, type Segment, segmentsWithin } from '../find/layout/sheet.ts'
import { opensWithLabel } from '../find/layout/slots.ts'
import { type PeriodFields, readPeriod, spanFit } from '../find/period.ts'
import { findAmounts, findDates } from '../find/values/mentions.ts'
import { readName } from '../find/values/names.ts'
import { readPolicyNumber } from '../find/values/policy-number.ts'
import type { View } from '../find/view.ts'

/** A value stands this close over its caption, in heights of the caption. */
const CLOSE = 0.9
/** Left edges of a caption and of its value differ by less, as a share of the page. */
const SAME_LEFT = 0.02
/** Fields that must be read above their captions, and none below, before a paper is taken to be set that way. */
const ENOUGH = 3
const SCORE = 0.93

type Read = Omit<Evidence, 'origin' | 'score' | 'via'>

/** The line right over a caption, in its column. */
function above({ segment }: LabelHit, view: View): Segment | undefined {
  const { page, box } = segment
  const height = box[3] - box[1]
  return segmentsWithin(view.sheet, page, box[1] - height * 2, box[1]).find(
    other =>
      other !== segment &&
      other.box[3] <= box[1] + height / 2 &&
      box[1] - other.box[3] < height * CLOSE &&
      Math.abs(other.box[0] - box[0]) < SAME_LEFT &&
      !opensWithLabel(view.labels, other)
  )
}

const found = (field: string, value: string, flags: readonly string[] = []): Read => ({
  field,
  value,
  raw: value,
  status: 'found',
  flags
})

function dated(field: string, text: string, view: View): Read[] {
  const [only, more] = findDates(text)
  if (!only || more || only.start > 0) return []
  const yearPivot = view.profile.fields[field]?.yearPivot ?? 'past'
  const { value, status, flags, readings } = readDate(only.raw, { ...view.context, yearPivot })
  return [{ field, value, raw: only.raw, status, flags, ...(readings ? { readings } : {}) }]
}

function spanned(text: string, view: View, { start, end, longestDays }: PeriodFields): Read[] {
  const [first, second] = findDates(text)
  if (!first || !second) return []
  const { start: from, end: to } = readPeriod(first.raw, second.raw, view.context)
  if (spanFit(from.value, to.value, longestDays) < 0.9) return []
  return [
    { ...from, field: start, raw: first.raw },
    { ...to, field: end, raw: second.raw }
  ]
}

function readAbove(key: string, segment: Segment, view: View, period: PeriodFields): Read[] {
  const { text, tokens } = segment
  if (key === 'period') return spanned(text, view, period)
  if (key === period.start || key === period.end) return dated(key, text, view)
  if (key === 'policy_number') {
    const number = readPolicyNumber(tokens)
    return number && number.used === tokens.length ? [found(key, number.number)] : []
  }
  if (key === 'named_insured') {
    const name = /\d/.test(text) ? null : readName(text)
    return name?.name.includes(' ') ? [found(key, name.name, name.flags)] : []
  }
  if (key !== 'premium_total') return []
  const [amount, more] = findAmounts(text)
  if (!amount || more || amount.start > 0 || amount.end < text.length) return []
  const { value, status, flags } = readMoney(amount.raw, view.context)
  return [{ field: key, value, raw: amount.raw, status, flags }]
}

/**
 * Papers whose boxes have their captions under the values: `HX-700131` over `POLICY NUMBER`. Looked for only where no
 * caption of the paper has a value of its own kind beside or below it, so that no caption takes its neighbour's value.
 */
export function captionedBelow(view: View, period: PeriodFields, labelled: readonly Evidence[]): Evidence[] {
  const hits = view.labels.hits.filter(
    ({ form, from, to, segment, weight }) =>
      form === 'whole' && from === 0 && to === segment.tokens.length && weight > 0.7
  )
  const reads = hits.flatMap(hit => {
    const segment = above(hit, view)
    return segment ? readAbove(hit.key, segment, view, period).map(read => ({ read, hit, segment })) : []
  })
  const fields = new Set(reads.map(({ read }) => read.field))
  const isOtherwise = labelled.some(({ field, value, score }) => fields.has(field) && value !== null && score > 0.7)
  if (fields.size < ENOUGH || isOtherwise) return []
  return reads.map(({ read, hit, segment }) => ({
    ...read,
    origin: originOf(segment),
    score: SCORE * hit.weight,
    via: `${hit.phrase}/above`
  }))
}
