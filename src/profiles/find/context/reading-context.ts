import type { ReadingContext } from '../../../model/reading.ts'
import { dateEvidence, readDate } from '../../../normalize/date.ts'
import { decimalEvidence } from '../../../normalize/money.ts'
import type { Prose } from '../layout/prose.ts'
import { wholeMonths } from '../values/calendar.ts'
import { findAmounts, findDates } from '../values/mentions.ts'
import { orderOfPlace } from './order-of-place.ts'

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

/** Two dates that follow one another and are a whole term apart with the day first only: no American paper, whatever its place. */
function isTermDayFirst(raws: readonly string[], base: ReadingContext): boolean {
  return raws.some((raw, at) => orderOfPeriod(raw, raws[at + 1] ?? '', base) === 'dmy')
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
  const place = isOrderOfPlace ? orderOfPlace(prose.text) : null
  const [only] = isOrderOfPlace ? [place !== null && !isTermDayFirst(raws, plain) ? place : null] : orders
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
