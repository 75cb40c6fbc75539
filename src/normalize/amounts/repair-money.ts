import type { Reading } from '../../model/reading.ts'
import { isWithinRepairGate, repairDigits } from '../ocr.ts'
import { invalid, withFlags } from '../outcome.ts'

/** Everything of an amount except what can be a look-alike; an `S` in front of a number is a misread `$`. */
const AMOUNT_TOKEN = /[$€£]?[\dOoQDIl|!SsBZzGbTgqA][\dOoQDIl|!SsBZzGbTgqA.,]*/g

/** A repaired text and how many characters changed. */
interface RepairedMoney {
  readonly text: string
  readonly repairs: number
}

/** Replaces look-alikes in recognised money text. */
function repairMoneyText(text: string): RepairedMoney {
  let repairs = 0
  const joined = text.replace(/\b([S$]) (?=[\dIlO|])/g, '$1').replace(/(?<=[\dIlO]) (?=[.,]\d)/g, '')
  const repaired = joined.replace(AMOUNT_TOKEN, token => {
    if (isWord(token)) return token
    const isDollar = /^S(?=[\dIlOoB|!])/.test(token)
    const head = isDollar || /^[$€£]/.test(token) ? 1 : 0
    const fixed = repairDigits(token.slice(head))
    repairs += fixed.repairs + (isDollar ? 1 : 0)
    return (isDollar ? '$' : token.slice(0, head)) + fixed.text
  })
  return { text: repaired, repairs }
}

/** Letters that are a word of an amount rather than misread digits. */
function isWord(token: string): boolean {
  return /^(?:to|mil)$/i.test(token) || (/^[a-z]{4,}$/i.test(token) && !/^[OoIlSB]+$/.test(token))
}

/**
 * Reads recognised text again after repair. Few repairs: the reading with `OCR_REPAIR`. Too many to stand
 * without proof: invalid `OCR_SUSPECT` with the repaired value as its reading. Null when repair does not help.
 */
export function repairMoney<R extends Reading<string>>(text: string, read: (repaired: string) => R): R | null {
  const { text: repaired, repairs } = repairMoneyText(text)
  if (repairs === 0) return null
  const reading = read(repaired)
  if (reading.status === 'invalid') return null
  if (isWithinRepairGate(repairs, text)) return withFlags(reading, ['OCR_REPAIR'])
  const readings = reading.value === null ? (reading.readings ?? []) : [reading.value]
  return { ...reading, ...invalid(['OCR_SUSPECT'], readings) }
}
