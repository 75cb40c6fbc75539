import type { View } from './find/view.ts'
import { isNoLease } from './lease/lease-kind.ts'
import { isNoPermit } from './permit/permit-kind.ts'
import { isNoPolicy } from './policy/policy-kind.ts'
import type { Profile } from './profile.ts'

const FOREIGN: Readonly<Record<string, (view: View) => boolean>> = {
  policy: isNoPolicy,
  lease: isNoLease,
  permit: isNoPermit
}

/**
 * True for a document that neither calls itself one of the profile nor names its fields: a value found in it would be
 * another thing with a like name.
 */
export const isForeign = (profile: Profile, view: View): boolean => FOREIGN[profile.name]?.(view) ?? false
