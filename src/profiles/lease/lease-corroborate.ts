import { parseDecimal } from '../../normalize/amounts/decimal.ts'
import { readMoney } from '../../normalize/money.ts'
import { type Evidence, valueKey } from '../find/evidence.ts'
import { addressFit } from '../find/values/address.ts'
import { wholeMonths } from '../find/values/calendar.ts'
import { findAmounts } from '../find/values/mentions.ts'
import type { View } from '../find/view.ts'
import { endFitsTerm, statedTerm } from './lease-term.ts'
import { perMonth } from './rent/lease-rent.ts'

/** What a rent gains when the document states its year or its whole term as well, and the arithmetic holds. */
const SUM_AGREES = 0.08
/** What start and end gain when a stated length of the term fits them. */
const TERM_AGREES = 0.05
/** The same where no length is stated and the two are whole months apart. */
const WHOLE_SPAN = 0.03
/** What a party gains that the document names again, in its body or where it is signed. */
const NAMED_AGAIN = 0.03
/** Rounding of twelve printed monthly rents, in cents. */
const ROUNDING = 12n
const MOST_AMOUNTS = 2000

const raise = (piece: Evidence, gain: number, flag: string): Evidence => ({
  ...piece,
  score: Math.min(1, piece.score + gain),
  flags: [...piece.flags, flag]
})

function centsOf(value: string): bigint {
  const { units, scale } = parseDecimal(value)
  return scale <= 2 ? units * 10n ** BigInt(2 - scale) : units / 10n ** BigInt(scale - 2)
}

function amountsOf(view: View): bigint[] {
  return findAmounts(view.prose.text)
    .slice(0, MOST_AMOUNTS)
    .flatMap(({ raw }) => {
      const { value } = readMoney(raw.replace(/^US ?(?=\$)/, ''), view.context)
      return value === null ? [] : [centsOf(value)]
    })
}

/** Twelfths below this, in cents, are amounts of other things as often as a rent; uneven ones are not. */
const LEAST_TWELFTH = 100_000n

/** True for an amount whose twelfth is printed as well, and whose twelvefold is not: it is a year's. */
function isOfYear(rent: string, amounts: readonly bigint[]): boolean {
  const cents = centsOf(rent)
  const isTelling = cents >= 12n * LEAST_TWELFTH || cents % 1200n !== 0n
  return isTelling && cents > 0n && amounts.some(amount => amount > 0n && near(amount * 12n, cents))
}

/** A rent of nothing is asked for the first months of a term, and seldom for all of it. */
const FREE_RENT = 0.7

/** A rent read as a month's that seems to be a year's: both, no value. */
const yearly = (piece: Evidence): Evidence => ({
  ...piece,
  value: null,
  status: 'ambiguous',
  flags: [...piece.flags, 'RATE_PERIOD_UNKNOWN'],
  readings: [piece.value, typeof piece.value === 'string' ? perMonth(piece.value) : null],
  score: piece.score * 0.9
})

const near = (a: bigint, b: bigint): boolean => (a > b ? a - b : b - a) <= ROUNDING

function best(evidence: readonly Evidence[], field: string): string | null {
  const [first] = evidence
    .filter(piece => piece.field === field && piece.value !== null)
    .toSorted((a, b) => b.score - a.score)
  return typeof first?.value === 'string' ? first.value : null
}

/** An end that is not after the start belongs to the term before, where another end is. */
function withoutEarlierEnds(evidence: readonly Evidence[]): Evidence[] {
  const start = best(evidence, 'lease_start')
  const isLater = ({ field, value }: Evidence): boolean =>
    field === 'lease_end' && typeof value === 'string' && start !== null && value > start
  if (!evidence.some(isLater)) return [...evidence]
  return evidence.filter(piece => piece.field !== 'lease_end' || piece.value === null || isLater(piece))
}

/** A whole address behind a broad label such as `Building` is the premises' where no label or sentence names another. */
const SOLE_ADDRESS = 0.88

function soleAddress(evidence: readonly Evidence[]): Evidence[] {
  const addresses = evidence.filter(piece => piece.field === 'property_address' && piece.value !== null)
  const [first] = addresses
  if (!first || addresses.some(piece => valueKey(piece.value) !== valueKey(first.value))) return [...evidence]
  const isWhole = typeof first.value === 'string' && addressFit(first.value) === 1
  return evidence.map(piece =>
    isWhole && addresses.includes(piece) ? { ...piece, score: Math.max(piece.score, SOLE_ADDRESS) } : piece
  )
}

/** Raises what other statements of the document bear out: yearly rents, lengths of the term, names used again. */
export function corroborate(all: readonly Evidence[], view: View): Evidence[] {
  const evidence = soleAddress(withoutEarlierEnds(all))
  const [start, end] = [best(evidence, 'lease_start'), best(evidence, 'lease_end')]
  const stated = statedTerm(view)?.months ?? null
  const months = stated ?? (start !== null && end !== null ? wholeMonths(start, end) : null)
  const termAgrees = stated !== null && start !== null && end !== null && endFitsTerm(start, end, stated)
  const isWhole = stated === null && start !== null && end !== null && wholeMonths(start, end) !== null
  const amounts = amountsOf(view)
  const text = view.prose.text.toLowerCase()
  const sumAgrees = (rent: string): boolean => {
    const cents = centsOf(rent)
    const sums = [cents * 12n, ...(months === null ? [] : [cents * BigInt(months)])]
    return cents > 0n && sums.some(sum => amounts.some(amount => near(amount, sum)))
  }
  return evidence.map(piece => {
    if (typeof piece.value !== 'string') return piece
    if (piece.field === 'base_rent' && !sumAgrees(piece.value) && isOfYear(piece.value, amounts)) return yearly(piece)
    if (piece.field === 'base_rent' && centsOf(piece.value) === 0n) return { ...piece, score: piece.score * FREE_RENT }
    if (piece.field === 'base_rent') return sumAgrees(piece.value) ? raise(piece, SUM_AGREES, 'SUM_AGREES') : piece
    const isTerm =
      (piece.field === 'lease_start' && piece.value === start) || (piece.field === 'lease_end' && piece.value === end)
    if (isTerm && termAgrees) return raise(piece, TERM_AGREES, 'TERM_AGREES')
    if (isTerm) return isWhole ? { ...piece, score: Math.min(1, piece.score + WHOLE_SPAN) } : piece
    if (piece.field !== 'tenant_name' && piece.field !== 'landlord_name') return piece
    const isAgain = text.split(piece.value.toLowerCase()).length > 3
    return isAgain ? { ...piece, score: Math.min(1, piece.score + NAMED_AGAIN) } : piece
  })
}
