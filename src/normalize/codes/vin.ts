import type { Reading, ReadingContext } from '../../model/reading.ts'
import { readAbsence } from '../absence.ts'
import { found, invalid } from '../outcome.ts'
import { foldText } from '../text.ts'

const SHAPE = /^[A-HJ-NPR-Z\d]{17}$/
/** 49 CFR 565.15: value of each letter and weight of each position. */
const VALUES: Readonly<Record<string, number>> = {
  A: 1,
  B: 2,
  C: 3,
  D: 4,
  E: 5,
  F: 6,
  G: 7,
  H: 8,
  J: 1,
  K: 2,
  L: 3,
  M: 4,
  N: 5,
  P: 7,
  R: 9,
  S: 2,
  T: 3,
  U: 4,
  V: 5,
  W: 6,
  X: 7,
  Y: 8,
  Z: 9
}
const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2] as const
const NEVER_IN_A_VIN: Readonly<Record<string, string>> = { I: '1', O: '0', Q: '0' }

/**
 * A vehicle identification number, upper case. Letters no VIN has (I, O, Q) are repaired in recognised text
 * when the check digit proves it (`OCR_REPAIR`). A wrong check digit is kept and flagged `CHECK_DIGIT`, since
 * vehicles not built for North America carry none.
 */
export function readVin(raw: string, context: ReadingContext): Reading<string> {
  if (raw.length > 60) return invalid(['FIELD_INVALID'])
  const text = foldText(raw).toUpperCase().replace(/[ -]/g, '')
  const absence = readAbsence(text)
  if (absence) return absence
  if (SHAPE.test(text)) return found(text, hasRightCheckDigit(text) ? [] : ['CHECK_DIGIT'])
  const repaired = text.replace(/[IOQ]/g, letter => NEVER_IN_A_VIN[letter] ?? letter)
  if (!SHAPE.test(repaired)) return invalid(['FIELD_INVALID'])
  if (context.source === 'ocr' && hasRightCheckDigit(repaired)) return found(repaired, ['OCR_REPAIR'])
  return invalid(['FIELD_INVALID', 'OCR_SUSPECT'], [repaired])
}

/** True when position 9 of a well-formed VIN is its check digit. */
function hasRightCheckDigit(vin: string): boolean {
  let sum = 0
  for (const [index, weight] of WEIGHTS.entries()) {
    const char = vin[index] ?? ''
    sum += weight * (VALUES[char] ?? Number(char))
  }
  const remainder = sum % 11
  return vin[8] === (remainder === 10 ? 'X' : String(remainder))
}
