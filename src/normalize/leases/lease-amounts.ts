import type { Reading, ReadingContext } from '../../model/reading.ts'
import { formatDecimal, multiplyDecimals, parseDecimal } from '../amounts/decimal.ts'
import { readNumberWords } from '../amounts/number-words.ts'
import { readMoney } from '../money.ts'
import { derived, found, invalid, MAX_VALUE_LENGTH } from '../outcome.ts'
import { foldShort } from '../text.ts'
import { type RentReading, readRent } from './rent.ts'

/** One cell of a rent schedule: an amount, or how much of the rent is waived. */
export interface AbatementReading {
  readonly amount: Reading<string>
  /** Percent of the rent that is waived, or null when none is. */
  readonly abatedPercent: string | null
  readonly flags: readonly string[]
}

const FREE = /^(?:free|abated|no (?:base )?rent|rent free)$/i
const SHARE_OF_RENT = /^(\d{1,3}(?:\.\d{1,4})?) ?% of (?:the )?(?:base )?rent$/i
const NO_DEPOSIT = /^(?:none|waived|no deposit)$/i
const MONTHS_RENT = /^([a-z]+|\d{1,2})(?: ?\(\d{1,2}\))? months?['’]? ?s?['’]? (?:base )?rent$/i
const LETTER_OF_CREDIT = /\b(?:letter of credit|l-?c)\b/i
const MAX_SHARE = 100

/** `Free`, `abated`, `$0.00` waive all (`ABATEMENT`); `50% of Base Rent` leaves a share. */
export function readAbatement(raw: string, context: ReadingContext): AbatementReading {
  const text = foldShort(raw, MAX_VALUE_LENGTH)
  if (FREE.test(text)) return { amount: found('0.00'), abatedPercent: '100', flags: ['ABATEMENT'] }
  const share = SHARE_OF_RENT.exec(text)?.[1]
  if (share !== undefined && Number(share) <= MAX_SHARE) {
    const printed = parseDecimal(share)
    const waived = { units: 100n * 10n ** BigInt(printed.scale) - printed.units, scale: printed.scale }
    return { amount: invalid(['RENT_UNKNOWN']), abatedPercent: formatDecimal(waived), flags: ['DERIVED'] }
  }
  const amount = readMoney(text, context)
  if (amount.value === '0.00') return { amount, abatedPercent: '100', flags: ['ABATEMENT'] }
  return { amount, abatedPercent: null, flags: [] }
}

/** A security deposit: an amount, months of rent (needs `monthlyRent`), or a letter of credit. */
export interface DepositReading extends Reading<string> {
  readonly form: 'cash' | 'loc' | null
}

/** Reads `$750,000`, `one month's rent`, `letter of credit in the amount of …`; `None` and `Waived` are 0.00 `EXPLICIT_NONE`. */
export function readDeposit(raw: string, context: ReadingContext, monthlyRent?: string): DepositReading {
  const text = foldShort(raw, MAX_VALUE_LENGTH)
  if (NO_DEPOSIT.test(text)) return { ...found('0.00', ['EXPLICIT_NONE']), form: null }
  const months = MONTHS_RENT.exec(text)?.[1]
  if (months !== undefined) return { ...monthsOfRent(months, monthlyRent), form: null }
  const form = LETTER_OF_CREDIT.test(text) ? 'loc' : 'cash'
  const at = form === 'loc' ? text.search(/[$€£]|\d/) : 0
  return { ...readMoney(at < 0 ? '' : text.slice(at), context), form }
}

function monthsOfRent(months: string, monthlyRent?: string): Reading<string> {
  const count = /^\d/.test(months) ? BigInt(months) : readNumberWords(months)?.whole
  if (count === undefined || monthlyRent === undefined) return invalid(['RENT_UNKNOWN'])
  return derived(formatDecimal(multiplyDecimals(parseDecimal(monthlyRent), { units: count, scale: 0 }), 2))
}

/** Common-area charges: how they are charged, and a monthly amount where one is stated. */
export interface CamReading {
  readonly method: 'fixed' | 'pro_rata' | 'included' | null
  readonly rent: RentReading | null
  readonly flags: readonly string[]
}

/** Reads `included in Base Rent`, `Tenant's Pro Rata Share …` (`AMOUNT_NOT_STATED`), `Est. CAM: $4.75/SF`. */
export function readCam(raw: string, context: ReadingContext, areaSqft?: number): CamReading {
  const text = foldShort(raw, MAX_VALUE_LENGTH)
  if (/^(?:included|full service)/i.test(text)) return { method: 'included', rent: null, flags: [] }
  const hasFigure = /\d/.test(text)
  if (/pro.?rata|proportionate share/i.test(text) && !hasFigure) {
    return { method: 'pro_rata', rent: null, flags: ['AMOUNT_NOT_STATED'] }
  }
  if (!hasFigure) return { method: null, rent: null, flags: ['AMOUNT_NOT_STATED'] }
  const rent = readRent(text, context, areaSqft)
  return { method: 'fixed', rent, flags: [...rent.monthly.flags, ...rent.flags] }
}
