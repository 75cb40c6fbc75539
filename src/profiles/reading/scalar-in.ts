import { type SourceJson, SourceNumber } from './source-json.ts'

/** Members by which databases write the type of a value, and which hold nothing but the value. */
const TYPED = new Set(['$date', '$numberLong', '$numberInt', '$numberDecimal', '$numberDouble'])
const AMOUNTS = new Set(['amount', 'value'])
const CURRENCIES = new Set(['currency', 'currencyCode', 'currency_code'])
/** Deeper than a typed number in a typed date nothing is wrapped. */
const MAX_DEPTH = 3

/**
 * The text of the one scalar that a nested JSON value stands for: of a list of one, of `{"$date": …}` and its kind,
 * and, where an amount is asked for, of `{"amount": 1500, "currency": "USD"}`. Null for anything that says more.
 */
export function scalarIn(value: SourceJson, isAmount: boolean, depth = 0): string | null {
  if (value instanceof SourceNumber) return value.text
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return null
  if (Array.isArray(value)) return value.length === 1 ? scalarIn(value[0] ?? null, isAmount, depth + 1) : null
  const members = Object.entries(value)
  const [only] = members
  if (only !== undefined && members.length === 1 && TYPED.has(only[0])) return scalarIn(only[1], isAmount, depth + 1)
  return isAmount ? amountIn(members, depth) : null
}

/** An amount beside nothing but its currency; without one nobody says that the member is all there is to it. */
function amountIn(members: readonly (readonly [string, SourceJson])[], depth: number): string | null {
  const amount = members.find(([name]) => AMOUNTS.has(name))
  const currency = members.find(([name]) => CURRENCIES.has(name))
  if (amount === undefined || currency === undefined || members.length !== 2) return null
  const text = scalarIn(amount[1], true, depth + 1)
  return text !== null && typeof currency[1] === 'string' && currency[1] !== '' ? `${currency[1]} ${text}` : null
}
