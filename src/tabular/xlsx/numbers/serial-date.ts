const DAY_SECONDS = 86_400n
/** 9999-12-31 in the 1900 system, the last day a spreadsheet knows. */
const LAST_SERIAL = 2_958_465
/** Days between 1899-12-30 and 1970-01-01, and what the 1904 system counts less. */
const EPOCH_SERIAL = 25_569
const LESS_IN_1904 = 1462
/** A spreadsheet of the 1900 system counts 1900-02-29, a day that never was, as 60. */
const NO_DAY = 60

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/

/** A decimal number as written: `digits` × 10^−`scale`. */
export interface Decimal {
  readonly negative: boolean
  readonly digits: string
  readonly scale: number
}

/** Reads the number of a cell without a float; null when it is none. */
export function readDecimal(text: string): Decimal | null {
  const [, sign, whole, fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? []
  if (whole === undefined) return null
  return { negative: sign === '-', digits: whole + fraction, scale: fraction.length - Number(exponent) }
}

/**
 * The day and time a serial number stands for, as `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM:SS` rounded to the second; null for a
 * number that is no day of its system. Computed in whole numbers.
 */
export function serialDate(text: string, is1904: boolean): string | null {
  const seconds = secondsOf(text)
  if (seconds === null) return null
  const serial = Number(seconds / DAY_SECONDS) + (is1904 ? LESS_IN_1904 : 0)
  if (serial > LAST_SERIAL || (!is1904 && (serial < 1 || serial === NO_DAY))) return null
  // Days before the one that never was are counted from one day later.
  const day = dayText(serial - EPOCH_SERIAL + (!is1904 && serial < NO_DAY ? 1 : 0))
  const rest = seconds % DAY_SECONDS
  return rest === 0n ? day : `${day}T${timeText(rest)}`
}

/** The time of day a fraction stands for, as `HH:MM:SS`; null for a number that is not below one day. */
export function serialTime(text: string): string | null {
  const seconds = secondsOf(text)
  return seconds === null || seconds >= DAY_SECONDS ? null : timeText(seconds)
}

/** Serial days as whole seconds, half a second rounded up; null for what is negative or far beyond any date. */
function secondsOf(text: string): bigint | null {
  const decimal = readDecimal(text)
  if (decimal === null || (decimal.negative && /[1-9]/.test(decimal.digits)) || decimal.digits.length > 100) return null
  const { digits, scale } = decimal
  if (Math.abs(scale) > 400) return null
  const number = BigInt(digits) * DAY_SECONDS * 2n
  if (scale <= 0) return within((number * 10n ** BigInt(-scale)) / 2n)
  const unit = 10n ** BigInt(scale)
  return within((number + unit) / (unit * 2n))
}

const within = (seconds: bigint): bigint | null => (seconds < DAY_SECONDS * 4_000_000n ? seconds : null)

const two = (value: number | bigint): string => String(value).padStart(2, '0')

const timeText = (seconds: bigint): string =>
  `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}`

/** The civil date of a day counted from 1970-01-01, by whole 400-year cycles that begin in March. */
function dayText(daysFrom1970: number): string {
  const days = daysFrom1970 + 719_468
  const cycle = Math.floor(days / 146_097)
  const inCycle = days - cycle * 146_097
  const year = Math.floor(
    (inCycle - Math.floor(inCycle / 1460) + Math.floor(inCycle / 36_524) - Math.floor(inCycle / 146_096)) / 365
  )
  const inYear = inCycle - (365 * year + Math.floor(year / 4) - Math.floor(year / 100))
  const fromMarch = Math.floor((5 * inYear + 2) / 153)
  const day = inYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  return `${String(year + cycle * 400 + (month <= 2 ? 1 : 0)).padStart(4, '0')}-${two(month)}-${two(day)}`
}
