import { type Segment, segmentsWithin } from '../find/layout/sheet.ts'
import { opensWithLabel, type Slot } from '../find/layout/slots.ts'
import { nameReader } from '../find/readers.ts'
import { looksLikeAddress } from '../find/values/address.ts'
import type { SlotReader, View } from '../find/view.ts'

/** What a name right behind a lone `Insured` scores that the lines around it show to be a field and no sentence. */
const ON_A_FORM = 0.88
const LEGAL_FORM =
  /(?:,? (?:llc|l\.l\.c\.|inc|inc\.|corp\.?|corporation|co\.|company|lp|llp|l\.p\.|ltd\.?|limited partnership|p\.?c\.?|pllc))$/i
/** Left edges of a name and of what stands below it differ by less, as a share of the page. */
const SAME_LEFT = 0.02
/** How far below a line the next one begins at most, in heights of the line. */
const NEXT_LINE = 1.9

/** The lines right below a segment, whatever their column. */
function linesBelow(view: View, { page, box }: Segment): Segment[] {
  const height = box[3] - box[1]
  return segmentsWithin(view.sheet, page, box[3], box[3] + height * NEXT_LINE).filter(
    ({ box: own }) => own[1] > box[3] - height / 2 && own[1] < box[3] + height * NEXT_LINE
  )
}

/** True when the line below, at the margin of the label or of its value, is an address or the label of one. */
function isOverAddress(view: View, slot: Slot): boolean {
  const { segment, from } = slot
  const lefts = [segment.box[0], segment.tokens[from]?.box[0] ?? segment.box[0]]
  return linesBelow(view, segment).some(below => {
    const isBelow = lefts.some(left => Math.abs(below.box[0] - left) < SAME_LEFT)
    if (!isBelow) return false
    if (looksLikeAddress(below.text)) return true
    const [hit] = view.labels.bySegment.get(below.index) ?? []
    return hit?.from === 0 && hit.key === 'mailing_address' && opensWithLabel(view.labels, below)
  })
}

/**
 * The insured after its label. `INSURED MAPLE HOLLOW BAKERY LLC` may be a field as well as the begin of a heading: an
 * address below it, or the name of a firm to the end of the line, make it a field.
 */
export const insuredReader: SlotReader = (slots, hit, view) => {
  const evidence = nameReader(slots, hit, view)
  const [slot] = slots
  if (typeof evidence?.value !== 'string' || slot?.via !== 'inline' || hit.form !== 'lead' || hit.from > 0)
    return evidence
  const isWhole = slot.to === slot.segment.tokens.length && evidence.value.includes(' ')
  const isField = isWhole && (LEGAL_FORM.test(evidence.value) || isOverAddress(view, slot))
  return isField ? { ...evidence, score: Math.max(evidence.score, ON_A_FORM) } : evidence
}
