import { readMoney } from '../../../normalize/money.ts'
import type { Evidence } from '../../find/evidence.ts'
import { originAt } from '../../find/layout/prose.ts'
import { findAmounts } from '../../find/values/mentions.ts'
import type { View } from '../../find/view.ts'
import { lastPart, MOST_AMOUNTS } from './lease-rent.ts'
import { EXAMPLE } from './rent-cues.ts'

/** `Common Area Maintenance charges, currently estimated at $200.00 per month`: what is asked for the common areas. */
const CAM_BEFORE =
  /\b(?:common area (?:maintenance|charges?|expenses?)|CAM)\b[^.;$]{0,60}?\b(?:estimated (?:at|to be|as)|estimate of|in the (?:estimated )?(?:amount|sum) of|are|is|of)(?: approximately)? $/i
/** A limit, a step or somebody else's share is no charge. */
const NO_CHARGE =
  /\b(?:cap|capped|exceed|maximum|minimum|increase\w*|prior|previous|last|abate\w*|credit\w*|late|total|building|center)\b[^.;$]{0,60}$/i

/** The monthly charge for common areas as a sentence states it. */
export function sentenceCam(view: View): Evidence[] {
  const { text } = view.prose
  return findAmounts(text)
    .slice(0, MOST_AMOUNTS)
    .flatMap(amount => {
      const before = lastPart(text.slice(Math.max(0, amount.start - 140), amount.start))
      if (amount.per !== 'month' || !CAM_BEFORE.test(before) || NO_CHARGE.test(before) || EXAMPLE.test(before))
        return []
      const origin = originAt(view.prose, amount.start, amount.end)
      if (!origin) return []
      const { value, status, flags } = readMoney(amount.raw, view.context)
      return [{ field: 'cam_charges', value, raw: amount.raw, origin, status, flags, score: 0.84, via: 'sentence' }]
    })
}
