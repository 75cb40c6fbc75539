/**
 * How the number of a cell is meant: `zeros` is a number shown with at least that many digits; `mask` one whose digits are
 * shown in a form, such as `000-000-000`, each `0` for a digit; `unit` one with a currency or a scale beside it.
 */
export type CellFormat =
  | { readonly kind: 'number' | 'date' | 'time' | 'percent' }
  | { readonly kind: 'zeros'; readonly digits: number }
  | { readonly kind: 'mask'; readonly pieces: readonly string[] }
  | { readonly kind: 'unit'; readonly before: string; readonly after: string }

export const NUMBER: CellFormat = { kind: 'number' }
export const DATE: CellFormat = { kind: 'date' }
export const TIME: CellFormat = { kind: 'time' }
export const PERCENT: CellFormat = { kind: 'percent' }

/** Quoted text, an escaped character, a padded one, what stands in brackets, or any other single one. */
const PARTS = /"([^"]*)"|\\(.)|[_*].|\[([^\]]*)\]|([^"\\_*[])/gs
/** Longest code that is looked into: spreadsheets allow 255 characters. */
const MAX_CODE = 1000
const DURATION = /^(?:h+|m+|s+)$/i
const DIGIT = /[#0?]/
/** Signs that a code shows as they are, without quotes. */
const SHOWN = /[-\s/():+$]/
const ISO_CODE = /^(?:USD|CAD|AUD|NZD|HKD|SGD|MXN|BRL|EUR|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|ZAR|KRW)$/
const OTHER_SIGN = /(?!\$)\p{Sc}|^[A-Z]{1,3}\$$/u
const SCALE = /^(?:k|m|mm|mil|mn|bn?|thousand|million|billion)$/i
/** Fewer digits with nothing before them are a count with its unit. */
const LEAST_MASKED = 2

interface Piece {
  readonly text: string
  /** Shown as it stands, and no symbol of the code. */
  readonly isLiteral: boolean
}

/** The first section of a code, which is that of positive numbers, piece by piece. */
function piecesOf(code: string): Piece[] {
  const pieces: Piece[] = []
  for (const [, quoted, escaped, bracket, symbol] of code.slice(0, MAX_CODE).matchAll(PARTS)) {
    if (symbol === ';') break
    const currency = bracket?.startsWith('$') ? bracket.slice(1).split('-', 1)[0] : undefined
    const literal = quoted ?? escaped ?? currency
    if (literal !== undefined) pieces.push({ text: literal, isLiteral: true })
    else if (bracket !== undefined && DURATION.test(bracket)) pieces.push({ text: `[${bracket}]`, isLiteral: false })
    else if (symbol !== undefined) pieces.push({ text: symbol, isLiteral: false })
  }
  return pieces
}

/** What a number format code means, told by its first section. */
export function readCode(code: string): CellFormat {
  const pieces = piecesOf(code)
  const symbols = pieces.map(({ text, isLiteral }) => (isLiteral ? '' : text)).join('')
  if (/^0{2,20}$/.test(symbols) && pieces.every(({ isLiteral }) => !isLiteral))
    return { kind: 'zeros', digits: symbols.length }
  if (/general/i.test(symbols)) return NUMBER
  if (DIGIT.test(symbols.replace(/s\.0+/gi, 's'))) return numberFormat(pieces, symbols)
  if (/[yd]/i.test(symbols)) return DATE
  // Without an hour or a second, m is the month.
  if (/[hs]/i.test(symbols)) return TIME
  return /m/i.test(symbols) ? DATE : NUMBER
}

function numberFormat(pieces: readonly Piece[], symbols: string): CellFormat {
  if (symbols.includes('%')) return PERCENT
  const isDigit = ({ text, isLiteral }: Piece): boolean => !isLiteral && DIGIT.test(text)
  const first = pieces.findIndex(isDigit)
  const last = pieces.findLastIndex(isDigit)
  const shown = (some: readonly Piece[]): string =>
    some
      .filter(({ text, isLiteral }) => isLiteral || SHOWN.test(text))
      .map(({ text }) => text)
      .join('')
      .trim()
  const before = shown(pieces.slice(0, first))
  const after = shown(pieces.slice(last + 1))
  if (isUnit(before) || isUnit(after) || (SCALE.test(after) && !/[#0?],+(?![#0?])/.test(symbols))) {
    return { kind: 'unit', before, after }
  }
  return maskOf(pieces, { first, last, before })
}

const isUnit = (text: string): boolean => ISO_CODE.test(text) || OTHER_SIGN.test(text)

/** A form of nothing but zeros and what stands between or before them; otherwise what stands beside is only shown. */
function maskOf(
  pieces: readonly Piece[],
  { first, last, before }: { first: number; last: number; before: string }
): CellFormat {
  const inner = pieces.slice(first, last + 1)
  const isForm = inner.every(({ text, isLiteral }) => isLiteral || text === '0' || /[-\s/()]/.test(text))
  const digits = inner.filter(({ text, isLiteral }) => !isLiteral && text === '0').length
  // `"BP-"0` numbers something, `"Lot "0` or `"ca. "0` only says more of a count.
  const isNamed = /[\p{L}\p{N}]/u.test(before) && (digits >= LEAST_MASKED || /[-/#]$/.test(before))
  if (!isForm || (inner.length === digits && !isNamed) || (digits < LEAST_MASKED && !isNamed)) return NUMBER
  const whole = pieces.filter(({ text, isLiteral }) => isLiteral || text === '0' || /[-\s/()]/.test(text))
  // A literal 0 is no digit of the number.
  return { kind: 'mask', pieces: whole.map(({ text, isLiteral }) => (isLiteral ? `"${text}` : text)) }
}

/** The digits of a whole number in a form, as a spreadsheet shows them: those beyond the form stand before its first. */
export function shownIn(pieces: readonly string[], digits: string): string {
  const places = pieces.filter(piece => piece === '0').length
  const padded = digits.padStart(places, '0')
  let at = 0
  const shown = pieces.map(piece => {
    if (piece !== '0') return piece.startsWith('"') ? piece.slice(1) : piece
    const count = at === 0 ? padded.length - places + 1 : 1
    at += count
    return padded.slice(at - count, at)
  })
  return shown.join('').trim()
}
