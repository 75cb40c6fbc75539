import { formatDecimal, parseDecimal } from '../../../normalize/amounts/decimal.ts'
import { readNumberWords } from '../../../normalize/amounts/number-words.ts'
import { formatWorded } from '../../../normalize/amounts/words-and-digits.ts'
import type { Evidence } from '../evidence.ts'
import type { Mention } from './mentions.ts'

/** Words of an amount that its digits repeat: `Fifteen Thousand and 00/100 Dollars ($`. The caps bound the search. */
const BEFORE = /([a-z][a-z ,&/\d-]{2,140}?),? ?(?:u\.?s\.? )?(?:dollars?,? ?\(?|\()$/i
const AFTER = /^ ?\(([a-z][a-z ,&/\d-]{2,140}?) ?(?:u\.?s\.? )?dollars?\b/i
const MONEY = /dollars?|\/ ?100/i
/** How much text on either side is looked at, in characters. */
const REACH = 160

/** Without a word for money a single number may count anything: `Unit Twelve ($1,200)`, `Lease Year Two ($26,000)`. */
const LEAST_WORDS = 2

/** The longest run of words at the end of a text that spells a number above zero, as an amount with cents. */
function amountAtEnd(words: string, isMoney: boolean): string | null {
  const parts = words.replaceAll('&', 'and').split(' ')
  for (let from = 0; from < parts.length; from += 1) {
    const own = parts.slice(from)
    const worded = readNumberWords(own.join(' '))
    if (!worded || worded.whole === 0n) continue
    const isAmount = isMoney || own.filter(word => word.toLowerCase() !== 'and').length >= LEAST_WORDS
    return isAmount ? formatDecimal(parseDecimal(formatWorded(worded)), 2) : null
  }
  return null
}

/** The amount that words right before or after an amount in digits spell; null when there are none. */
export function wordsBeside(text: string, { start, end }: Pick<Mention, 'start' | 'end'>): string | null {
  const before = BEFORE.exec(text.slice(Math.max(0, start - REACH), start))
  const isMoney = before !== null && MONEY.test(before[0])
  const spelled = before?.[1] === undefined ? null : amountAtEnd(before[1].trimEnd(), isMoney)
  if (spelled !== null) return spelled
  const after = AFTER.exec(text.slice(end, end + REACH))?.[1]
  return after === undefined ? null : amountAtEnd(after.trimEnd(), true)
}

/** What an amount gains that is spelled out beside its digits. */
const AGREES = 0.05

/**
 * Compares an amount with the words beside it. Agreement raises it (`WORDS_AGREE`); words that say another amount
 * leave no value and both readings, words first (`WORDS_DIGITS_MISMATCH`).
 */
export function againstWords(evidence: Evidence, words: string | null): Evidence {
  if (words === null || typeof evidence.value !== 'string') return evidence
  if (words === evidence.value) {
    return { ...evidence, score: Math.min(1, evidence.score + AGREES), flags: [...evidence.flags, 'WORDS_AGREE'] }
  }
  return {
    ...evidence,
    value: null,
    status: 'ambiguous',
    flags: ['WORDS_DIGITS_MISMATCH'],
    readings: [words, evidence.value]
  }
}
