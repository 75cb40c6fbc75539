import { type ParcelEquivalences, parcelKeys } from '../../normalize/codes/parcel-mask.ts'
import { type ParcelScheme, parcelSchemeOf } from '../../normalize/codes/parcel-schemes.ts'
import type { RulesInForce } from '../rules/jurisdiction-rules.ts'
import type { Draft } from '../work/judge-candidates.ts'
import { textOf } from './addition.ts'

/** The keys that a record's parcel is looked up by, the surest first; none for a record without one. */
export type KeysOf = (draft: Draft) => readonly string[]

interface Known {
  readonly scheme: ParcelScheme | null
  readonly equivalences: ParcelEquivalences
}

const NO_KEYS: readonly string[] = Object.freeze([])

/** How parcels of a jurisdiction are looked up: by its rules where it has any, else by the form its county is known for. */
export function parcelKeysOf(jurisdiction: string, inForce: RulesInForce | undefined): KeysOf {
  const known: Known = inForce?.rules ?? { scheme: parcelSchemeOf(jurisdiction), equivalences: {} }
  return draft => {
    const value = textOf(draft, 'parcel_id')
    if (value === undefined) return NO_KEYS
    const written = draft.plain ? value : (draft.candidate.fields['parcel_id']?.raw ?? value)
    return parcelKeys(written, value, known.scheme, known.equivalences)
  }
}
