import { stateCodeOf } from '../places/state.ts'
import { foldShort } from '../text.ts'

/** A contractor's licence as printed, taken apart. */
export interface LicenseReading {
  readonly number: string
  /** USPS code of the licensing state, or null when not stated. */
  readonly state: string | null
  readonly class: string | null
}

const SHAPE =
  /^(?:([A-Z]{2}|[A-Z][a-z]{2,14}\.?) )?(?:state )?(?:lic(?:ense|\.)?|cslb|reg(?:istration|\.)?)? ?(?:no\.?|number|#)?:? ?([A-Z]{0,6}-?\d[A-Z\d-]{2,20})(?: ?\(([A-Z\d/-]{1,10})\))?$/i

/** Reads `CA LIC# 987654 (B)`: state, number as printed, class. Null when no number with a digit is there. */
export function readLicense(raw: string): LicenseReading | null {
  const parts = SHAPE.exec(foldShort(raw, 80))
  if (!parts) return null
  return { number: parts[2] ?? '', state: stateCodeOf(parts[1] ?? ''), class: parts[3] ?? null }
}
