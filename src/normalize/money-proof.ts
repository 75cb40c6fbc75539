import type { Reading, ReadingContext } from '../model/reading.ts'
import { formatDecimal, parseDecimal } from './amounts/decimal.ts'
import { readNumberWords } from './amounts/number-words.ts'
import { formatWorded } from './amounts/words-and-digits.ts'
import { readMoney } from './money.ts'
import { found, withFlags } from './outcome.ts'
import { foldText } from './text.ts'

/**
 * An amount from a recognised picture that something else can prove: a sum, a bracket's continuity, a closed
 * set of legal values, the amount in words. Proof lets heavy repairs stand, also a `$` misread as `5`; without
 * it a figure that may be such a misreading keeps its value and is flagged `OCR_SUSPECT`.
 */
export function readMoneyWithProof(
  raw: string,
  context: ReadingContext,
  isProven: (value: string) => boolean
): Reading<string> {
  const reading = readMoney(raw, context)
  if (reading.value !== null && isProven(reading.value)) return reading
  if (context.source !== 'ocr') return reading
  const candidate = reading.flags.includes('OCR_SUSPECT') ? reading.readings?.[0] : undefined
  if (candidate !== undefined) return isProven(candidate) ? found(candidate, ['OCR_REPAIR']) : reading
  const text = foldText(raw)
  if (reading.value === null || !/^5\d/.test(text)) return reading
  const asDollar = readMoney(`$${text.slice(1)}`, context)
  if (asDollar.value !== null && isProven(asDollar.value)) return withFlags(asDollar, ['OCR_REPAIR'])
  return withFlags(reading, ['OCR_SUSPECT'])
}

/** A test for `readMoneyWithProof`: the same amount in words. Proves nothing when the words are no number. */
export function provenByWords(words: string): (value: string) => boolean {
  const worded = readNumberWords(foldText(words).replace(/ dollars?$/i, ''))
  const amount = worded ? formatDecimal(parseDecimal(formatWorded(worded)), 2) : null
  return value => value === amount
}
