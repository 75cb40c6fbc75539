import type { Token } from '../layout/token.ts'

const FIRST = /^[A-Z0-9#(][A-Za-z0-9\-/.()]{0,24}$/
const NEXT = /^(?:[A-Z0-9()][A-Z0-9\-/.()]{0,24}|-)$/
const PHONE = /^\(?\d{3}\)?[-. ]\d{3}[-.]\d{4}$|^1-\d{3}-/
const DATE_LIKE = /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}$|^\d{4}-\d{2}-\d{2}$/
const SECTION = /^\d{1,2}(?:\.\d{1,2}){1,3}\.?$/
/** A form number and its edition, such as `BP0002 (01-87)` or `CG 00 01 04 13`. */
const FORM = /^[A-Z]{2} ?\d{2} ?\d{2} \(?\d{2}[ -]\d{2}\)?$/
/** The longest number a bureau allows is 18 characters; carriers print symbols and spaces around it. */
const LONGEST = 30

/** An identifier read from the words after a label. `used` is how many words it takes. */
export interface ReadNumber {
  readonly number: string
  readonly used: number
}

function takesNext(taken: readonly string[], token: Token): boolean {
  if (token.gap > 1.6 || !NEXT.test(token.text) || DATE_LIKE.test(token.text)) return false
  const soFar = taken.join(' ')
  if (soFar.length + token.text.length + 1 > LONGEST) return false
  // A word of letters only may open a number ("MI 45332234"), but a word after digits must bring digits or be one sign.
  return !/\d/.test(soFar) || /\d/.test(token.text) || /^[A-Z-]$/.test(token.text)
}

/** Reads a policy number as written, spaces kept; null when the words are no such number (telephone, date, section, form). */
export function readPolicyNumber(tokens: readonly Token[]): ReadNumber | null {
  const [first] = tokens
  if (!first || !FIRST.test(first.text) || /^\p{Lu}\p{Ll}+$/u.test(first.text)) return null
  const taken = [first.text]
  for (const token of tokens.slice(1)) {
    if (!takesNext(taken, token)) break
    taken.push(token.text)
  }
  while (taken.length > 1 && !/\d/.test(taken.at(-1) ?? '')) taken.pop()
  const number = withoutBrackets(taken.join(' ').replace(/(?<![.,;:])[.,;:]+$/, ''))
  return isPolicyNumber(number) ? { number, used: taken.length } : null
}

/** Brackets around the whole of a number frame it, as on forms of workers compensation. */
const withoutBrackets = (number: string): string => number.replace(/^\(([^()]{1,28})\)$/, '$1')

function isPolicyNumber(number: string): boolean {
  const letters = number.replace(/[^A-Za-z0-9]/g, '')
  if (letters.length < 4 || !/\d/.test(letters)) return false
  if (/^[a-z]/.test(number)) return /\d.*\d/.test(number)
  if (PHONE.test(number) || DATE_LIKE.test(number) || SECTION.test(number) || FORM.test(number)) return false
  return !/^\(?[0O]?\d{0,2}:\d{2}/.test(number) && !/^(?:19|20)\d{2}$/.test(number)
}
