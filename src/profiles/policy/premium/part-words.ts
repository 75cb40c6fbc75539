import type { LabelHit } from '../../find/layout/labels.ts'

/** Words right before `Premium` that make it the price of a part, of a shorter time or of a change, and not the policy's. */
const OF_PART =
  /\b(?:installments?|instalments?|pro[- ]?rat(?:a|ed)|short[- ]rate|semi[- ]?annual|quarterly|bi-?monthly|weekly|daily|vehicle|auto|unit|car|driver|location|loc|building|bldg|premises|property|dwelling|contents|part|section|item|class|page|coverages?|liability|crime|umbrella|marine|equipment|breakdown|cyber|earthquake|wind(?:storm)?|hail|endorsements?|rider|optional|change|adjustment|audit|difference|refund|reinstatement|written)(?: ?#? ?(?:\d{1,3}|[a-z]))?$/i
/** Words behind it that do the same. */
const ON_PAGE = /^[^\d$]{0,12}\b(?:this|per|each) (?:page|section|part|coverage|location|vehicle|unit|building)\b/i
const MOST_WORDS = 3

/** The words that run into a label, from the right up to the first that a space or a mark parts from it. */
function wordsBefore({ segment, from }: LabelHit): string {
  const words: string[] = []
  for (let at = from - 1; at >= 0 && words.length < MOST_WORDS; at -= 1) {
    const text = segment.tokens[at]?.text ?? ''
    if ((segment.tokens[at + 1]?.gap ?? 0) >= 2.5 || /[$:;.]/.test(text)) break
    words.unshift(text)
  }
  return words.join(' ')
}

/**
 * `General Liability Premium`, `Location 1 Premium`, `Installment Premium`, `Total Premium This Page`: what a package or a
 * whole term costs they do not say.
 */
export function isOfPart(hit: LabelHit, behind: string): boolean {
  return OF_PART.test(wordsBefore(hit)) || ON_PAGE.test(behind)
}
