import type { Reading } from '../model/reading.ts'
import { absent } from './outcome.ts'

const EXPLICIT_NONE = new Set(['n/a', 'na', 'n.a.', 'none', 'nil', 'not applicable'])
const PLACEHOLDERS = new Set([
  'tbd',
  'tba',
  't.b.d.',
  'to be determined',
  'to be announced',
  'to be assigned',
  'to be provided',
  'to follow',
  'unknown',
  'unk',
  'null',
  'see plan',
  'see plans',
  'see attached',
  'not available',
  '#n/a',
  '#ref!',
  '#value!',
  '#name?',
  '#num!',
  '#null!',
  '#div/0!',
  'not provided',
  '\\n',
  '(null)',
  '<null>',
  '[null]',
  '(blank)'
])
/** Longest entry of the two sets above. */
const LONGEST_WORDED = 16

/** Every whole text of letters, in lower case, that says that no value is there. */
export const WORDED_ABSENCES: readonly string[] = [...EXPLICIT_NONE, ...PLACEHOLDERS, 'redacted', 'nan', 'nat']

const ONLY_PUNCTUATION = /^[-–—.?*#~_ ]+$/
const ONLY_RULE = /^(?=[_. ]*$).*?__/
/** A blank of a template that was never filled: `[Tenant Name]`, `<address>`, `{{premium}}`. Data in brackets has digits or quotes. */
const TEMPLATE =
  /^(?:\[[^\]"\d]*\p{L}{3}[^\]"\d]*\]|<[^<>"\d/]*\p{L}{3}[^<>"\d/]*>|\{[^}"\d]*\p{L}{3}[^}"\d]*\}{1,2}|«[^»\d]*\p{L}{3}[^»\d]*»)$/u
const LONGEST_TEMPLATE = 60
const BLACKED_OUT = /[█▇▆■▉]|(?:^|[^A-Za-z\d])X{4,}(?:$|[^A-Za-z\d])|^\*{3,}[\dA-Za-z-]{0,8}$|\[redacted\]|^redacted$/i
const LOWER_X_WORD = /(?:^|[^A-Za-z\d])x{4,}(?:$|[^A-Za-z\d])/

/**
 * What kind of nothing a folded text is, or null when it may hold a value: blank (`absent`), an explicit
 * none (`not_applicable`), a placeholder, an unfilled form blank, or a redaction.
 */
export function readAbsence(text: string): Reading<never> | null {
  if (text === '') return absent()
  const first = text.charCodeAt(0)
  if (first >= 0x30 && first <= 0x39 && !text.includes('█')) return null
  if (text.length <= LONGEST_WORDED) {
    const worded = readWordedAbsence(text)
    if (worded) return worded
  }
  if (ONLY_PUNCTUATION.test(text)) return absent(ONLY_RULE.test(text) ? 'UNFILLED_BLANK' : 'PLACEHOLDER')
  if (BLACKED_OUT.test(text) && !LOWER_X_WORD.test(text))
    return { value: null, status: 'redacted', flags: ['REDACTED'] }
  return text.length <= LONGEST_TEMPLATE && TEMPLATE.test(text) ? absent('UNFILLED_BLANK') : null
}

/** What data frames write for an empty cell of dates, numbers or identifiers; in a text it may be a name. */
export function isNotANumber(text: string): boolean {
  return text.length <= 4 && /^(?:nan|<na>|nat)$/i.test(text)
}

/** True for a number or date whose digits are written over with X: `XX/XX/2024`, `$XX,XXX.00`. */
export function isBlackedOut(text: string): boolean {
  return text.includes('XX') && /^[X\d ,./$()-]+$/.test(text)
}

function readWordedAbsence(text: string): Reading<never> | null {
  const word = text.toLowerCase()
  if (EXPLICIT_NONE.has(word)) return { value: null, status: 'not_applicable', flags: ['EXPLICIT_NONE'] }
  return PLACEHOLDERS.has(word) ? absent('PLACEHOLDER') : null
}
