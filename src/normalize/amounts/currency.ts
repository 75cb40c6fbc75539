/** Marks that name one currency. A bare `$` is not here: it stands for the profile's dollar. */
const CURRENCY_FOR_MARK: ReadonlyMap<string, string> = new Map([
  ['us$', 'USD'],
  ['u.s.$', 'USD'],
  ['c$', 'CAD'],
  ['ca$', 'CAD'],
  ['cad$', 'CAD'],
  ['a$', 'AUD'],
  ['au$', 'AUD'],
  ['nz$', 'NZD'],
  ['hk$', 'HKD'],
  ['s$', 'SGD'],
  ['r$', 'BRL'],
  ['mx$', 'MXN'],
  ['€', 'EUR'],
  ['£', 'GBP'],
  ['¥', 'JPY'],
  ['₹', 'INR'],
  ['₩', 'KRW'],
  ['₽', 'RUB'],
  ['₺', 'TRY'],
  ['₴', 'UAH'],
  ['₪', 'ILS'],
  ['₱', 'PHP'],
  ['฿', 'THB'],
  ['₫', 'VND'],
  ['円', 'JPY'],
  ['zł', 'PLN'],
  ['kč', 'CZK'],
  ['euro', 'EUR'],
  ['euros', 'EUR']
])
/** ISO 4217 codes recognised beside an amount. */
const CODES = new Set(
  'USD CAD AUD NZD HKD SGD MXN BRL EUR GBP CHF JPY CNY INR SEK NOK DKK PLN CZK ZAR KRW RUB TRY UAH ILS PHP THB VND HUF RON BGN ISK TWD AED SAR COP CLP PEN ARS'.split(
    ' '
  )
)
const DOLLARS = new Set(['USD', 'CAD', 'AUD', 'NZD', 'HKD', 'SGD', 'MXN'])
const BARE_DOLLAR = new Set(['$', 'dollar', 'dollars'])

const LEADING = /^(?:[a-z]{1,3}\$|u\.s\.\$|[$€£¥₹₩₽₺₴₪₱฿₫]|[a-z]{3}(?![a-z]))/i
const TRAILING = /(?:[$€£¥₹₩₽₺₴₪₱฿₫円]|zł|kč|\b[a-z]{3}|\bdollars?|\beuros?)$/i

/** Text without the currency mark that was cut off one end. */
export interface CutCurrency {
  readonly rest: string
  readonly currency: string
}

/** Cuts a currency mark off the front or the end of an amount; null when there is none. `dollar` is what `$` stands for. */
export function cutCurrency(text: string, dollar: string): CutCurrency | null {
  const lead = LEADING.exec(text)?.[0]
  const leading = lead === undefined ? null : currencyOf(lead, dollar)
  if (lead !== undefined && leading) return { rest: text.slice(lead.length).trimStart(), currency: leading }
  const tail = TRAILING.exec(text.slice(-8))?.[0]
  const trailing = tail === undefined ? null : currencyOf(tail, dollar)
  if (tail === undefined || !trailing) return null
  return { rest: text.slice(0, text.length - tail.length).trimEnd(), currency: trailing }
}

/** What a bare `$` stands for in a profile of this currency. */
export function dollarOf(currency: string): string {
  return DOLLARS.has(currency) ? currency : 'USD'
}

function currencyOf(mark: string, dollar: string): string | null {
  const word = mark.toLowerCase()
  if (BARE_DOLLAR.has(word)) return dollar
  const code = mark.toUpperCase()
  return CURRENCY_FOR_MARK.get(word) ?? (CODES.has(code) ? code : null)
}
