import type { Reading } from '../../model/reading.ts'
import type { ReadContext } from '../profile.ts'

/** State 2, county 5 or place 7 digits. */
const FIPS = /^\d{2}(?:\d{3}|\d{5})?$/
/** The same after a spreadsheet or a JSON number took the leading zero. */
const FIPS_WITHOUT_ZERO = /^[1-9](?:\d{3}|\d{5})?$/
const SLUG = /^[a-z][a-z0-9-]{1,39}$/

const found = (value: string, flags: readonly string[] = []): Reading<string> => ({ value, status: 'found', flags })

const NAME_ONLY = ['JURISDICTION_NAME_UNCHECKED']
const MISMATCH: Reading<string> = { value: null, status: 'invalid', flags: ['JURISDICTION_MISMATCH'] }

/** A county or place is in its state; nothing else contains another by its digits. */
const contains = (batch: string, code: string): boolean =>
  code === batch || (batch.length === 2 && code.startsWith(batch))

function readFips(code: string, context: ReadContext): Reading<string> {
  const batch = context.jurisdiction
  if (!FIPS.test(batch)) return found(code)
  if (contains(batch, code)) return found(code)
  const padded = `0${code}`
  if (FIPS_WITHOUT_ZERO.test(code) && contains(batch, padded)) return found(padded, ['ZERO_PADDED'])
  return MISMATCH
}

/**
 * Reads the jurisdiction a record names and holds it against the batch's. A code must be the batch's own or lie
 * inside its state; a slug must equal a slug. A name such as `City of …` cannot be compared with a code: the
 * batch's jurisdiction stands, flagged.
 */
export function readJurisdiction(raw: string, context: ReadContext): Reading<string> {
  const text = raw.trim()
  if (text === '') return { value: null, status: 'absent', flags: [] }
  if (FIPS.test(text) || FIPS_WITHOUT_ZERO.test(text)) return readFips(text, context)
  if (/^\d/.test(text)) return MISMATCH
  const folded = text.toLowerCase()
  if (folded === context.jurisdiction) return found(context.jurisdiction)
  if (SLUG.test(folded) && SLUG.test(context.jurisdiction)) return MISMATCH
  return { value: context.jurisdiction, status: 'derived', flags: NAME_ONLY }
}
