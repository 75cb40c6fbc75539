import type { Reading } from '../../model/reading.ts'
import { readNumberWords } from '../amounts/number-words.ts'
import { readTerm } from '../dates/term.ts'
import { found, invalid, MAX_VALUE_LENGTH } from '../outcome.ts'
import { foldShort } from '../text.ts'

/** A right to renew: how often, and for how long each time. */
export interface RenewalReading {
  readonly count: Reading<number>
  readonly termMonths: Reading<number>
}

/** When notice must be given, in days or calendar months before the end. */
export interface NoticeReading {
  readonly min: number | null
  readonly max: number | null
  readonly unit: 'days' | 'months' | null
}

const OPTIONS =
  /^(?:tenant (?:has|shall have) )?([a-z]+|\d{1,2})(?: ?\((\d{1,2})\))? (?:consecutive |successive |additional )?options?\b/i
const EACH_TERM = / (?:for|of) (?=[a-z]+(?: ?-?[a-z]+)?(?: ?\(\d)|\d)/i
const BETWEEN = /not less than (\d{1,4}) nor more than (\d{1,4}) (days|months)/i
const AT_LEAST =
  /((?<![a-z])[a-z]+(?:-[a-z]+)?|\d{1,4})(?: ?\((\d{1,4})\))? (days|months)(?:['’]?)? (?:prior|before|advance)/i

/** Reads `two (2) options to renew for five (5) years each`; words and digits must agree. */
export function readRenewal(raw: string): RenewalReading {
  const text = foldShort(raw, MAX_VALUE_LENGTH)
  const options = OPTIONS.exec(text)
  const term = EACH_TERM.exec(text)
  const count = options ? readCount(options[1] ?? '', options[2]) : null
  return {
    count: count === null ? invalid(['FIELD_INVALID']) : count,
    termMonths: term ? readTerm(text.slice(term.index + term[0].length)) : invalid(['FIELD_INVALID'])
  }
}

/** Reads `not less than 180 nor more than 365 days` and `nine (9) months prior`; nulls when nothing is stated. */
export function readNotice(raw: string): NoticeReading {
  const text = foldShort(raw, MAX_VALUE_LENGTH)
  const between = BETWEEN.exec(text)
  if (between) return { min: Number(between[1]), max: Number(between[2]), unit: unitOf(between[3]) }
  const least = AT_LEAST.exec(text)
  const count = least ? readCount(least[1] ?? '', least[2]) : null
  if (!least || count === null || count.value === null) return { min: null, max: null, unit: null }
  return { min: count.value, max: null, unit: unitOf(least[3]) }
}

function unitOf(word: string | undefined): 'days' | 'months' {
  return word?.toLowerCase() === 'months' ? 'months' : 'days'
}

function readCount(word: string, digits: string | undefined): Reading<number> | null {
  const isNumber = /^\d/.test(word)
  const worded = isNumber ? Number(word) : readNumberWords(word)?.whole
  if (worded === undefined) return null
  const value = Number(worded)
  if (digits === undefined || Number(digits) === value) return found(value)
  return { value: null, status: 'ambiguous', flags: ['WORDS_DIGITS_MISMATCH'], readings: [value, Number(digits)] }
}
