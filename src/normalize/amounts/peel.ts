import { cutCurrency } from './currency.ts'

/** An amount taken apart: what surrounds the numeral, and the numeral itself. */
export interface PeeledAmount {
  readonly numeral: string
  readonly currency: string | null
  /** Number of signs that mean negative: parentheses, minus, `CR`. */
  readonly negatives: number
  /** Power of ten of a scale word, 0 without one. */
  readonly scale: number
}

const SCALES: ReadonlyMap<string, number> = new Map([
  ['k', 3],
  ['thousand', 3],
  ['m', 6],
  ['mm', 6],
  ['mil', 6],
  ['million', 6],
  ['b', 9],
  ['bn', 9],
  ['billion', 9]
])
const SCALE_AT_END = /(?<=\d|[\d.,] )(?:k|thousand|mm?|mil|million|bn?|billion)$/i
const EMPTY_CENTS = /[.,]--?$/
/** Sign, parentheses, currency, credit mark, scale: more rounds than this is not an amount. */
const MAX_ROUNDS = 8

interface Peeling {
  text: string
  currency: string | null
  negatives: number
  scale: number
}

/** Peels signs, currency and scale off both ends of a folded text; null when the marks contradict each other. */
export function peelAmount(text: string, dollar: string): PeeledAmount | null {
  const peeling: Peeling = { text, currency: null, negatives: 0, scale: 0 }
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = peeling.text
    if (!peelCurrency(peeling, dollar)) return null
    peelSigns(peeling)
    peelScale(peeling)
    if (peeling.text === before) break
  }
  return { numeral: peeling.text, currency: peeling.currency, negatives: peeling.negatives, scale: peeling.scale }
}

function peelCurrency(peeling: Peeling, dollar: string): boolean {
  const cut = cutCurrency(peeling.text, dollar)
  if (!cut) return true
  if (peeling.currency !== null && peeling.currency !== cut.currency) return false
  peeling.currency = cut.currency
  peeling.text = cut.rest
  return true
}

function peelSigns(peeling: Peeling): void {
  peeling.text = peeling.text.replace(EMPTY_CENTS, '')
  const text = peeling.text
  if (text.startsWith('(') && text.endsWith(')')) return peelNegative(peeling, text.slice(1, -1))
  if (text.startsWith('-')) return peelNegative(peeling, text.slice(1))
  if (text.endsWith('-')) return peelNegative(peeling, text.slice(0, -1))
  if (/\d ?cr$/i.test(text.slice(-5))) return peelNegative(peeling, text.slice(0, -2))
  if (/\d ?dr$/i.test(text.slice(-5))) peeling.text = text.slice(0, -2).trim()
  else if (/^\+ ?[^-+]/.test(text)) peeling.text = text.slice(1).trim()
}

function peelNegative(peeling: Peeling, rest: string): void {
  peeling.negatives += 1
  peeling.text = rest.trim()
}

function peelScale(peeling: Peeling): void {
  const word = SCALE_AT_END.exec(peeling.text.slice(-12))?.[0]
  if (word === undefined || peeling.scale !== 0) return
  peeling.scale = SCALES.get(word.toLowerCase()) ?? 0
  peeling.text = peeling.text.slice(0, peeling.text.length - word.length).trim()
}
