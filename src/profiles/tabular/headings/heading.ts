import { foldColumnName } from '../../fold-column-name.ts'

/** Notes behind or before a name that say how it is to be filled in, and never which thing it names. */
const NOTE =
  /[([{]\s*(?:required|optional|mandatory|if known|if any|text|as text|number|numeric|date|string|usd|us\$|\$|us dollars?|dollars?|in dollars|in usd|sq\.? ?ft\.?|sf|square feet|[dmy]{1,4}[-/. ][dmy]{1,4}[-/. ][dmy]{1,4})\s*[)\]}]/gi
const ORDER = /[([{]\s*([dmy]{1,4})[-/. ]([dmy]{1,4})[-/. ]([dmy]{1,4})\s*[)\]}]/i
/** What one back-office system puts behind every name of its users' own. */
const CUSTOM_SUFFIX = /__c$/i

/** The name a heading is known by when it is not known as written, folded; null when it has nothing to leave out. */
export function plainHeading(name: string): string | null {
  const plain = name.replace(NOTE, ' ').replace(CUSTOM_SUFFIX, '')
  return plain === name ? null : foldColumnName(plain)
}

/** Signs of a currency that is not the dollar. */
const FOREIGN = /(?![$＄﹩])\p{Sc}/u

/**
 * The unit that a heading names with a sign: folding leaves signs out of a name, so that `Valuation (€)` and `Discount %`
 * would be read as dollars.
 */
export function headingUnit(name: string): 'currency' | 'percent' | null {
  if (FOREIGN.test(name)) return 'currency'
  return /[%‰]/.test(name) ? 'percent' : null
}

/** The order of a date's parts that a heading asks for: `Issued (MM/DD/YYYY)`. */
export function headingOrder(name: string): 'mdy' | 'dmy' | 'ymd' | null {
  const letters = ORDER.exec(name)
    ?.slice(1)
    .map(part => part.toLowerCase())
  if (letters === undefined || letters.some(part => new Set(part).size !== 1)) return null
  const order = letters.map(part => part[0]).join('')
  return order === 'mdy' || order === 'dmy' || order === 'ymd' ? order : null
}
