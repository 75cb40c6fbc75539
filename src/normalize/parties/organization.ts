import type { Reading } from '../../model/reading.ts'
import { invalid, MAX_VALUE_LENGTH } from '../outcome.ts'
import { stateCodeOf } from '../places/state.ts'
import { foldText, readText } from '../text.ts'

/** A party of a contract: its full legal name as written, and what the text says it is. */
export interface PartyReading {
  readonly name: Reading<string>
  /** USPS code of the state of organisation, or null. */
  readonly state: string | null
  readonly entity: string | null
}

const ROLE = /,? ?\((?:["“']?(?:the )?(?:tenant|landlord|lessee|lessor|licensee|licensor)["”']?,? ?(?:and )?){1,2}\)$/i
const ENTITY =
  /, an? ([A-Za-z][A-Za-z .]{2,40}?) (corporation|limited liability company|limited partnership|general partnership|partnership|trust)$/i

/** Reads `INOGEN, INC., a Delaware corporation ("Tenant")` into name, state and kind; redactions give no name. */
export function readParty(raw: string): PartyReading {
  if (raw.length > MAX_VALUE_LENGTH) return { name: invalid(['FIELD_INVALID']), state: null, entity: null }
  const text = foldText(raw).replace(ROLE, '')
  const entity = ENTITY.exec(text)
  const name = readText(entity ? text.slice(0, entity.index) : text)
  const state = entity ? stateCodeOf(entity[1] ?? '') : null
  return { name, state, entity: entity?.[2]?.toLowerCase().replaceAll(' ', '_') ?? null }
}
