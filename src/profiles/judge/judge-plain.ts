import type { PlainReading } from '../candidate.ts'
import type { Profile } from '../profile.ts'
import type { JudgeContext, Judgement } from './judge.ts'
import { naturalKeyOf } from './natural-key.ts'

const NO_REASONS: Judgement['reasons'] = Object.freeze([])

/**
 * Accepts a record that has nothing to tell by itself, when the rules of its profile surely have nothing to tell of it
 * either; null says nothing, and the record is to be judged by its envelopes. All its values are sure, so that any gate is
 * passed. What it answers is what `judge` would. Pure.
 */
export function judgePlain(
  profile: Profile,
  { values }: PlainReading,
  context: Pick<JudgeContext, 'today' | 'jurisdiction'>
): Judgement | null {
  for (const rule of profile.rules) if (rule.isMet?.(values, context) !== true) return null
  const naturalKey = naturalKeyOf(profile, values)
  return naturalKey === null ? null : { state: 'accepted', reasons: NO_REASONS, confidence: 1, naturalKey, values }
}
