import type { Evidence } from '../find/evidence.ts'
import type { LabelHit } from '../find/layout/labels.ts'
import { originOf } from '../find/layout/sheet.ts'
import { type Slot, slotText } from '../find/layout/slots.ts'
import { nameReader } from '../find/readers.ts'
import { isInsurerName, readName, sameName } from '../find/values/names.ts'
import type { SlotReader, View } from '../find/view.ts'

/** An insurer's own name on a line of its own, on the first pages: the letterhead of a declaration. */
const LETTERHEAD_PAGES = 3
const LONGEST_NAME = 80

/** Insurers named on lines of their own. */
export function letterheadInsurers(view: View): Evidence[] {
  return view.sheet.segments.flatMap(segment => {
    if (
      segment.page > LETTERHEAD_PAGES ||
      segment.text.length > LONGEST_NAME ||
      /[.?!]$/.test(segment.text.replace(/\b(?:co|corp|inc|ltd)\.$/i, ''))
    )
      return []
    if (
      !isInsurerName(segment.text) ||
      /\b(?:agency|agent|application|certificate|declarations?|policy|commissioner|department|program)\b/i.test(
        segment.text
      )
    )
      return []
    const read = readName(segment.text)
    if (!read || !/^[\p{Lu}\d]/u.test(read.name)) return []
    const evidence: Evidence = {
      field: 'carrier_name',
      value: read.name,
      raw: segment.text,
      origin: originOf(segment),
      status: 'found',
      flags: read.flags,
      score: 0.72,
      via: 'letterhead'
    }
    return [evidence]
  })
}

/** A carrier after its label; a label as broad as "Company" needs a name that says it is an insurer. */
export const carrierReader: SlotReader = (slots, hit, view) => {
  const evidence = nameReader(slots, hit, view)
  if (!evidence || typeof evidence.value !== 'string') return evidence
  const joined = joinWrapped(slots, hit, view, evidence)
  const value = String(joined.value)
  if (hit.weight < 0.9 && !isInsurerName(value)) return null
  return isInsurerName(value) ? joined : { ...joined, score: joined.score * 0.9 }
}

/** A name broken over two lines right before its legal form: "… Property and Casualty" / "Insurance Company". */
function joinWrapped(slots: readonly Slot[], hit: LabelHit, view: View, evidence: Evidence): Evidence {
  const [slot] = slots
  const value = String(evidence.value)
  if (!slot || isInsurerName(value) || value.includes('; ')) {
    return value.includes('; ') ? { ...evidence, value: value.split('; ').join(' ') } : evidence
  }
  const next = view.sheet.segments[slot.segment.index + 1]
  const isTail =
    next !== undefined && next.text.length < 40 && isInsurerName(`${value} ${next.text}`) && hit.segment !== next
  return isTail ? { ...evidence, value: `${value} ${next.text}`, raw: `${slotText(slot)} ${next.text}` } : evidence
}

/** True when the insured found is the carrier or the agent: a label was paired with another party's name. */
export function isOtherParty(insured: string, others: readonly (string | null)[]): boolean {
  return others.some(other => other !== null && sameName(insured, other))
}
