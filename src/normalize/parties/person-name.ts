import type { Reading } from '../../model/reading.ts'
import { invalid, withFlags } from '../outcome.ts'
import { readText } from '../text.ts'

/** Named persons or one organisation, as written except for order and case of reordered names. */
export interface NamesReading {
  readonly names: readonly string[]
  readonly dba: string | null
  readonly flags: readonly string[]
  readonly status: Reading['status']
}

const DBA = /,? ?\b(?:d ?\/ ?b ?\/ ?a|dba|doing business as)\b:? ?/i
const TRUST = /\b(?:trust|tr|trustees?|estate of|dtd)\b/i
const ORGANISATION =
  /\b(?:inc|llc|l\.l\.c|corp|corporation|company|co|ltd|lp|llp|plc|association|assn|partners|partnership|associates|group|sons|bros|brothers|properties|enterprises|holdings|services|firm|pllc|pc|pa|church|city of|county of|bank)\b/i
const INVERTED = /^([A-Z][A-Z'’-]{1,30}), ([A-Z][A-Z.' &-]{0,60})$/
const MAX_NAME_LENGTH = 300

/**
 * Splits a named insured: `X dba Y` into name and trade name, `SMITH, JOHN A & MARY B` into persons in
 * reading order (`NAME_REORDERED`). Trusts and organisations are kept verbatim.
 */
export function readNames(raw: string): NamesReading {
  const reading = raw.length > MAX_NAME_LENGTH * 4 ? invalid<string>(['FIELD_INVALID']) : readText(raw)
  if (reading.value === null) return { names: [], dba: null, flags: reading.flags, status: reading.status }
  const { flags, value } = withFlags(reading, [])
  const text = value ?? ''
  const trade = DBA.exec(text)
  if (trade && trade.index > 0) {
    const names = [text.slice(0, trade.index)]
    return { names, dba: text.slice(trade.index + trade[0].length), flags, status: 'found' }
  }
  const inverted = TRUST.test(text) || ORGANISATION.test(text) ? null : INVERTED.exec(text)
  if (!inverted) return { names: [text], dba: null, flags, status: 'found' }
  const surname = titleCase(inverted[1] ?? '')
  const names = (inverted[2] ?? '').split(/ ?& ?/).map(given => `${titleCase(given)} ${surname}`)
  return { names, dba: null, flags: [...flags, 'NAME_REORDERED'], status: 'found' }
}

function titleCase(words: string): string {
  return words.toLowerCase().replace(/(?:^|[\s'’-])\p{L}/gu, start => start.toUpperCase())
}
