import { MAX_VALUE_LENGTH } from '../outcome.ts'

const SMALL = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen'
] as const
const TENS = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'] as const
const ADDENDS: ReadonlyMap<string, bigint> = new Map([
  ...SMALL.map((word, index) => [word, BigInt(index)] as const),
  ...TENS.map((word, index) => [word, BigInt(index + 2) * 10n] as const),
  ['fourty', 40n] as const
])
const MULTIPLIERS: ReadonlyMap<string, bigint> = new Map([
  ['thousand', 1_000n],
  ['million', 1_000_000n],
  ['billion', 1_000_000_000n]
])
/** Words that `a` may stand before: `a hundred`. */
const COUNTED = new Set(['hundred', 'thousand', 'million', 'billion', 'dozen'])
const CENTS_FRACTION = /(?:^|[ -])(?:and )?(?:(\d{1,2})|no|xx|zero) ?\/ ?100(?:ths)?$/i
const CENTS_WORDS = / and ([a-z -]{3,30}) cents?$/i

/** A number in words: whole units and hundredths. */
export interface WordedNumber {
  readonly whole: bigint
  /** 0–99, or null when no cents are stated. */
  readonly hundredths: number | null
}

/**
 * Reads English number words (`THIRTY-SIX THOUSAND TWO-HUNDRED SIXTY-SIX AND 2/100`, `a hundred`,
 * `fifty thousand and NO/100`). Null when any word is not part of a number or the words are out of order.
 */
export function readNumberWords(text: string): WordedNumber | null {
  if (text.length > MAX_VALUE_LENGTH) return null
  const fraction = CENTS_FRACTION.exec(text)
  if (fraction) {
    const whole = readWhole(text.slice(0, fraction.index).replace(/ dollars?$/i, ''))
    return whole === null ? null : { whole, hundredths: Number(fraction[1] ?? '0') }
  }
  const cents = CENTS_WORDS.exec(text)
  const hundredths = cents ? readWhole(cents[1] ?? '') : null
  const wholeText = cents && hundredths !== null ? text.slice(0, cents.index).replace(/ dollars?$/i, '') : text
  if (hundredths !== null && hundredths > 99n) return null
  const whole = readWhole(wholeText)
  return whole === null ? null : { whole, hundredths: hundredths === null ? null : Number(hundredths) }
}

function readWhole(text: string): bigint | null {
  const words = text
    .toLowerCase()
    .split(/[ ,-]+/)
    .filter(word => word !== '' && word !== 'and')
    .map((word, index, all) => (word === 'a' && COUNTED.has(all[index + 1] ?? '') ? 'one' : word))
  if (words.length === 0) return null
  let total = 0n
  let group = 0n
  let lastMultiplier = 10n ** 12n
  let lowest = 1000n
  for (const word of words) {
    const multiplier = MULTIPLIERS.get(word)
    if (multiplier !== undefined) {
      if (group === 0n || multiplier >= lastMultiplier) return null
      total += group * multiplier
      lastMultiplier = multiplier
      group = 0n
      lowest = 1000n
      continue
    }
    const next = extendGroup(group, word, lowest)
    if (!next) return null
    group = next.group
    lowest = next.lowest
  }
  return total + group
}

/** Adds one word to a group below a thousand; `lowest` is the size the next word must stay under. */
function extendGroup(group: bigint, word: string, lowest: bigint): { group: bigint; lowest: bigint } | null {
  if (word === 'hundred') return group >= 1n && group <= 99n ? { group: group * 100n, lowest: 100n } : null
  if (word === 'dozen') return { group: (group === 0n ? 1n : group) * 12n, lowest: 0n }
  const addend = ADDENDS.get(word)
  if (addend === undefined || addend >= lowest) return null
  if (addend >= 20n) return { group: group + addend, lowest: 10n }
  return { group: group + addend, lowest: 0n }
}
