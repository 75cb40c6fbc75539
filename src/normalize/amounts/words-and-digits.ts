import type { Reading } from '../../model/reading.ts'
import { ambiguous, found, invalid } from '../outcome.ts'
import { compareDecimals, formatDecimal, parseDecimal } from './decimal.ts'
import { readNumberWords, type WordedNumber } from './number-words.ts'

/** Canonical decimal text of a worded number. */
export function formatWorded(words: WordedNumber): string {
  return words.hundredths === null ? `${words.whole}` : `${words.whole}.${String(words.hundredths).padStart(2, '0')}`
}

/**
 * Compares an amount in words with the same amount in digits (canonical decimal text). Equal: found.
 * Different: ambiguous `WORDS_DIGITS_MISMATCH` with both, words first; neither is preferred.
 */
export function compareWordsAndDigits(words: string, digits: string, minScale = 2): Reading<string> {
  const worded = readNumberWords(words)
  if (!worded) return invalid(['INVALID_NUMBER'])
  const [left, right] = [parseDecimal(formatWorded(worded)), parseDecimal(digits)]
  if (compareDecimals(left, right) === 0) return found(formatDecimal(right, minScale))
  return ambiguous(['WORDS_DIGITS_MISMATCH'], [formatDecimal(left, minScale), formatDecimal(right, minScale)])
}
