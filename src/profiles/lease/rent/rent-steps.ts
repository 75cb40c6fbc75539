import type { LabelHit } from '../../find/layout/labels.ts'
import { segmentsWithin } from '../../find/layout/sheet.ts'
import { type Slot, slotText } from '../../find/layout/slots.ts'
import { type AmountMention, findAmounts } from '../../find/values/mentions.ts'
import type { View } from '../../find/view.ts'

/** Steps of a schedule after the first are rents of later years: what is left of their score. */
export const LATER_STEP = 0.4

const FIRST =
  /^(?:\(?[a-z\d]{1,3}[.)] )?(?:(?:for |during )?(?:the )?)?(?:(?:lease |rental |rent )?(?:years?|months?|periods?):? (?:1|one)\b(?!\d)|first (?:lease |rental )?(?:year|\d{1,2} months|(?:twelve|six|three) (?:\(\d{1,2}\) )?months)|1st (?:lease )?year|year[- ]one)/i
const LATER =
  /\b(?:lease |rental |rent )?(?:years?|months?|periods?):? (?:[2-9]|[1-9]\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)\b[^$]{0,40}$|\b(?:second|third|fourth|fifth|sixth|seventh|2nd|3rd|4th|5th|following|remaining) (?:lease |rental )?(?:years?|months)\b[^$]{0,30}$/i

/** True for words before an amount that make it the rent of a later step: `Months 13 to 24: Monthly Installment:`. */
export function isLaterStep(before: string): boolean {
  return LATER.test(before)
}

/** `Year 5: ` opens a line of a list that may begin with its last step. */
export const isLaterLine = (line: string): boolean => !line.includes('$') && isLaterStep(line)

interface Placed {
  readonly slot: Slot
  readonly amount: AmountMention
}

/** The words of the line an amount stands in that stand before it. */
export function lineBefore({ slot, amount }: Placed, view: View): string {
  const { segment } = slot
  const middle = (segment.box[1] + segment.box[3]) / 2
  const left = segmentsWithin(view.sheet, segment.page, segment.box[1], segment.box[3])
    .filter(
      other =>
        other !== segment && other.box[1] < middle && other.box[3] > middle && other.box[2] <= segment.box[0] + 0.005
    )
    .toSorted((a, b) => a.box[0] - b.box[0])
    .map(other => other.text)
  const own = segment.tokens
    .slice(0, slot.from)
    .map(token => token.text)
    .join(' ')
  return `${left.join(' ')} ${own} ${slotText(slot).slice(0, amount.start)}`.trim()
}

/** How far below its label the first step begins, in heights of its line. */
const REACH = 2.6

/** The amount of the first step below a label such as `Monthly Base Rent Installments:`; null where no step follows it. */
export function firstStepBelow({ segment }: LabelHit, view: View): Placed | null {
  const height = Math.max(segment.box[3] - segment.box[1], 0.004)
  const below = segmentsWithin(view.sheet, segment.page, segment.box[3], segment.box[3] + height * REACH)
    .filter(other => other !== segment && other.box[1] >= segment.box[3] - height * 0.45)
    .toSorted((a, b) => a.box[1] - b.box[1] || a.box[0] - b.box[0])
  const first = below.find(other => FIRST.test(other.text))
  if (!first || below.some(other => other.box[1] < first.box[1] - height / 2 && findAmounts(other.text).length > 0))
    return null
  const middle = (first.box[1] + first.box[3]) / 2
  const line = below.filter(other => other.box[1] < middle && other.box[3] > middle && other.box[0] >= first.box[0])
  const placed = line.flatMap(one => {
    const slot: Slot = { segment: one, from: 0, to: one.tokens.length, via: 'right', fit: 0.95 }
    return findAmounts(one.text)
      .filter(amount => amount.per !== 'area' && amount.per !== 'week')
      .map(amount => ({ slot, amount }))
  })
  const monthly = placed.filter(({ amount }) => amount.per === 'month')
  return monthly.length === 1 ? (monthly[0] ?? null) : placed.length === 1 ? (placed[0] ?? null) : null
}
