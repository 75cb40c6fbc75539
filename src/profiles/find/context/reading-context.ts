import type { ReadingContext } from '../../../model/reading.ts'
import { dateEvidence, readDate } from '../../../normalize/date.ts'
import { decimalEvidence } from '../../../normalize/money.ts'
import type { Prose } from '../layout/prose.ts'
import { wholeMonths } from '../values/calendar.ts'
import { findAmounts, findDates } from '../values/mentions.ts'

const NUMERIC = /^\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}$/
/** A caption that states the order is a declaration of it. */
const DECLARED_MDY = /\bmm ?[/.-] ?dd ?[/.-] ?yy|\(month, ?day, ?year\)|month ?\/ ?day ?\/ ?year/i
const DECLARED_DMY = /\bdd ?[/.-] ?mm ?[/.-] ?yy|\(day, ?month, ?year\)|day ?\/ ?month ?\/ ?year/i
/** Dates looked at; more of them prove nothing new and a hostile document may hold millions. */
const MOST_DATES = 4000

type Order = 'mdy' | 'dmy'

const swapped: Readonly<Record<Order, Order>> = { mdy: 'dmy', dmy: 'mdy' }

function read(raw: string, order: Order, base: ReadingContext): string | null {
  return readDate(raw, { ...base, dateOrder: order }).value
}

/** Orders that the document itself shows: a day above 12, a caption, or a numeric date that also stands there in words. */
function shownOrders(prose: Prose, raws: readonly string[], base: ReadingContext): Set<Order> {
  const orders = new Set<Order>()
  if (DECLARED_MDY.test(prose.text)) orders.add('mdy')
  if (DECLARED_DMY.test(prose.text)) orders.add('dmy')
  for (const raw of raws) {
    const order = dateEvidence(raw)
    if (order === 'mdy' || order === 'dmy') orders.add(order)
  }
  if (orders.size > 0) return orders
  const written = new Set(raws.filter(raw => /[a-z]/i.test(raw)).map(raw => readDate(raw, base).value))
  for (const raw of raws.filter(text => NUMERIC.test(text))) {
    const [mdy, dmy] = [read(raw, 'mdy', base), read(raw, 'dmy', base)]
    if (mdy === dmy) continue
    if (mdy !== null && written.has(mdy)) orders.add('mdy')
    if (dmy !== null && written.has(dmy)) orders.add('dmy')
  }
  return orders
}

/** The order under which the two dates of a period are whole months apart, when only one order makes them so. */
export function orderOfPeriod(start: string, end: string, base: ReadingContext): Order | null {
  if (!NUMERIC.test(start) || !NUMERIC.test(end)) return null
  const fits = (order: Order): boolean => {
    const [from, to] = [read(start, order, base), read(end, order, base)]
    return from !== null && to !== null && (wholeMonths(from, to) ?? 0) % 6 === 0 && wholeMonths(from, to) !== null
  }
  const order = (['mdy', 'dmy'] as const).find(fits)
  return order && !fits(swapped[order]) ? order : null
}

/** A state and its ZIP code, as addresses in America end. */
const AMERICAN_PLACE =
  /\b(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]),? {1,2}\d{5}(?:-\d{4})?\b/
/** The hour at which American policies begin and end, and the register of American insurers. */
const AMERICAN_TERMS = /\b12:01 ?a\.?m\.?,? (?:\p{L}+ )?standard time\b|\bNAIC\b/iu
/** What is written elsewhere: other currencies, British and Canadian postal codes, days before months in words. */
const ELSEWHERE =
  /[£€]|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|\b[A-Z]\d[A-Z] \d[A-Z]\d\b|\b\d{1,2}(?:st|nd|rd|th)?[ -](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}[, -]{1,2}\d{2,4}\b|\b(?:canada|ontario|qu[eé]bec|alberta|british columbia|manitoba|saskatchewan|nova scotia|united kingdom|great britain|australia|ireland|GST|VAT)\b/i

/**
 * The order of numeric dates where a document is written, when nothing in it shows another: American papers, told by
 * their addresses or their terms, put the month first. A paper that has any sign of another country, or none, is not told.
 */
function orderOfPlace(text: string): Order | null {
  const isAmerican = AMERICAN_PLACE.test(text) || (text.includes('$') && AMERICAN_TERMS.test(text))
  return isAmerican && !ELSEWHERE.test(text) ? 'mdy' : null
}

/** How the texts of this document are to be read: what it proves about its dates and the currency it is written in. */
export function contextOf(prose: Prose, base: { today: string; source: 'text' | 'ocr' }): ReadingContext {
  const plain: ReadingContext = { today: base.today, source: base.source }
  const raws: string[] = []
  for (const mention of findDates(prose.text)) {
    raws.push(mention.raw)
    if (raws.length >= MOST_DATES) break
  }
  const orders = shownOrders(prose, raws, plain)
  const isOrderOfPlace = orders.size === 0
  const [only] = isOrderOfPlace ? [orderOfPlace(prose.text)] : orders
  const currency = currencyOf(prose.text)
  const decimals = new Set(findAmounts(prose.text.slice(0, 200_000)).map(({ raw }) => decimalEvidence(raw)))
  decimals.delete(null)
  // Amounts in dollars are grouped with commas; nothing else in such a document is read the other way.
  if (decimals.size === 0 && /\$ ?\d/.test(prose.text)) decimals.add('.')
  const [decimal] = decimals
  return {
    ...plain,
    currency,
    ...(decimals.size === 1 && decimal ? { decimal } : {}),
    ...(orders.size < 2 && only ? { dateOrder: only, isOrderOfPlace } : {})
  }
}

/** The one currency whose sign the document uses before its amounts; USD when it shows several or none. */
function currencyOf(text: string): string {
  const signs = new Set([...text.matchAll(/[$£€](?= ?\d)/g)].map(match => match[0]))
  if (signs.size !== 1) return 'USD'
  return signs.has('£') ? 'GBP' : signs.has('€') ? 'EUR' : 'USD'
}
