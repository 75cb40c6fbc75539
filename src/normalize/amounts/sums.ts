import {
  addDecimals,
  compareDecimals,
  type Decimal,
  distance,
  divideDecimals,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
  shiftPoint
} from './decimal.ts'

const ZERO: Decimal = { units: 0n, scale: 0 }
const TWELVE: Decimal = { units: 12n, scale: 0 }
/** Twelve monthly figures each cut or rounded to a cent: ± 0.12 a year. */
const RENT_TOLERANCE = parseDecimal('0.12')
/** A printed share of a building is rounded to a tenth of a point: ± 0.05. */
const SHARE_TOLERANCE = parseDecimal('0.05')

/** Exact sum of canonical amounts, two decimals at least. */
export function sumAmounts(amounts: readonly string[]): string {
  return formatDecimal(amounts.map(parseDecimal).reduce(addDecimals, ZERO), 2)
}

/** True when the parts add up to the total within a cent for each part. */
export function sumMatches(parts: readonly string[], total: string): boolean {
  const apart = distance(parseDecimal(sumAmounts(parts)), parseDecimal(total))
  return compareDecimals(apart, { units: BigInt(parts.length), scale: 2 }) <= 0
}

/** Whether twelve monthly rents are the yearly one: no flag, `ROUNDING_TOLERATED`, or `RENT_ARITHMETIC_MISMATCH`. */
export function rentFlags(monthly: string, annual: string): readonly string[] {
  const apart = distance(multiplyDecimals(parseDecimal(monthly), TWELVE), parseDecimal(annual))
  if (compareDecimals(apart, ZERO) === 0) return []
  return compareDecimals(apart, RENT_TOLERANCE) <= 0 ? ['ROUNDING_TOLERATED'] : ['RENT_ARITHMETIC_MISMATCH']
}

/** A percentage of a basis, rounded half up to the cent. */
export function percentOf(percent: string, basis: string): string {
  const product = shiftPoint(multiplyDecimals(parseDecimal(percent), parseDecimal(basis)), -2)
  return formatDecimal(roundDecimal(product, 2), 2)
}

/** True when a printed share (percent) is tenant area over building area within 0.05 points. */
export function shareMatches(percent: string, tenantArea: number, buildingArea: number): boolean {
  if (buildingArea <= 0) return false
  const area: Decimal = { units: BigInt(tenantArea) * 100n, scale: 0 }
  const share = divideDecimals(area, { units: BigInt(buildingArea), scale: 0 }, 6)
  return compareDecimals(distance(share, parseDecimal(percent)), SHARE_TOLERANCE) <= 0
}
