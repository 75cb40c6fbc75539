import type { ReasonCode } from '../../model/reasons.ts'
import type { RawValue } from '../../model/rows.ts'
import { isStorable } from '../text/encodings.ts'
import { type CellFormat, NUMBER, shownIn } from './numbers/number-format.ts'
import { readDecimal, serialDate, serialTime } from './numbers/serial-date.ts'
import { corrupt } from './xml.ts'

/**
 * A cell as kept between splitting and reading, plain JSON: text; null for a blank one; `j`, the JSON text of a number
 * or a truth value; `t`, the text of a date that the sheet knows to be one; or `x`, the reason why its row is held, with what the cell shows.
 */
export type StoredCell =
  | string
  | null
  | { readonly j: string }
  | { readonly t: string }
  | { readonly x: ReasonCode; readonly d: string; readonly s: string }

/** A cell as its elements say. */
export interface SheetCell {
  readonly type: string
  readonly style: number
  /** Content of `v`, or of the inline string; null when there is no such element. */
  readonly text: string | null
  readonly isFormula: boolean
}

export interface CellContext {
  readonly formats: readonly CellFormat[]
  readonly is1904: boolean
  /** The shared string of that number; undefined when there is none. */
  readonly shared: (index: number) => string | undefined
}

/** Digits a spreadsheet's number holds; those behind are rounding of the binary form it is kept in. */
const SURE_DIGITS = 15
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const CELL_LENGTH = 32_767

const held = (x: ReasonCode, d: string, s: string): StoredCell => ({ x, d, s })

/** What a cell holds. Throws `WorkbookFault` for a reference to nothing. */
export function readSheetCell(cell: SheetCell, context: CellContext): StoredCell {
  const { type, text } = cell
  if (cell.isFormula && (text === null || (text === '' && type !== 'str'))) {
    return held('FORMULA_NOT_CALCULATED', 'a formula without its value', '')
  }
  if (text === null || (text === '' && type !== 'e')) return null
  switch (type) {
    case 's':
      return textCell(sharedString(text, context))
    case 'str':
    case 'inlineStr':
      return textCell(unescapeText(text))
    case 'd':
      return dateCell(text)
    case 'b':
      return truthCell(text.trim())
    case 'e':
      return held('CELL_ERROR', 'an error of the spreadsheet', text.slice(0, 20))
    default:
      return numberCell(text.trim(), context.formats[cell.style] ?? NUMBER, context.is1904)
  }
}

/** A kept cell as the value of a row; one that holds its row keeps what it shows. */
export function valueOf(cell: StoredCell): RawValue {
  if (cell === null || typeof cell === 'string') return cell
  if ('j' in cell) return { json: cell.j }
  return 't' in cell ? cell.t : cell.s
}

/** A kept cell as people see it. */
export function textOf(cell: StoredCell): string {
  const value = valueOf(cell)
  return value === null ? '' : typeof value === 'string' ? value : value.json
}

/** `_xHHHH_` stands for a character that XML cannot hold (ST_Xstring). */
export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    : text

function sharedString(text: string, context: CellContext): string {
  const found = /^\s*\d{1,9}\s*$/.test(text) ? context.shared(Number(text)) : undefined
  if (found === undefined) throw corrupt('a cell refers to a text that is not there')
  return found
}

function textCell(text: string): StoredCell {
  if (text.length > CELL_LENGTH) return held('RECORD_TOO_LARGE', `a cell of more than ${CELL_LENGTH} characters`, '')
  if (!isStorable(text)) return held('TEXT_NOT_STORABLE', 'a character that cannot be stored', '')
  return text
}

/** A date that is written as one, told like the others. */
function dateCell(text: string): StoredCell {
  const cell = textCell(text)
  return typeof cell === 'string' ? { t: cell } : cell
}

function truthCell(text: string): StoredCell {
  if (text === '1' || text === 'true') return { j: 'true' }
  return text === '0' || text === 'false' ? { j: 'false' } : textCell(text)
}

function numberCell(text: string, format: CellFormat, is1904: boolean): StoredCell {
  const decimal = readDecimal(text)
  // What is no number, or not written as one, is a text and is judged as such.
  if (decimal === null) return textCell(text)
  if (format.kind === 'date') {
    const date = serialDate(text, is1904)
    return date === null ? held('INVALID_DATE', 'a date that does not exist', text) : { t: date }
  }
  const time = format.kind === 'time' ? serialTime(text) : null
  if (time !== null) return time
  if (format.kind === 'zeros' && /^\d+$/.test(text)) return text.padStart(format.digits, '0')
  if (/^-?\d{16,}$/.test(text) && /^-?\d{15}0+$/.test(text)) {
    return held('ID_NUMERIC_COERCED', `a number of more than ${SURE_DIGITS} digits that ends in zeros`, text)
  }
  const exact = /[.eE]/.test(text) ? plainNumber(text) : text
  if (format.kind === 'percent') return `${plainNumber(exact, 2)}%`
  if (format.kind === 'unit') return `${format.before} ${exact} ${format.after}`.trim()
  if (format.kind === 'mask' && /^\d{1,15}$/.test(exact)) return shownIn(format.pieces, exact)
  return JSON_NUMBER.test(exact) ? { j: exact } : exact
}

/** More places before or behind the point are left in the notation they are in. */
const MOST_PLACES = 15

/**
 * A number with no more digits than a spreadsheet holds as it would show it: programs write 123456789 as 1.23456789E8 and
 * 22118 as 22118.0, which is the same number there. `places`: how far the point is moved to the right. Another one as it
 * is written.
 */
export function plainNumber(text: string, places = 0): string {
  const decimal = readDecimal(sureDigits(text))
  if (decimal === null) return text
  const digits = decimal.digits.replace(/^0+(?=\d)/, '')
  const scale = decimal.scale - places
  const width = digits.length - scale
  if (digits.replace(/(?<!0)0+$/, '').length > SURE_DIGITS || width > MOST_PLACES || scale > MOST_PLACES * 2)
    return sureDigits(text)
  const padded = scale < 0 ? digits + '0'.repeat(-scale) : digits.padStart(scale + 1, '0')
  const point = padded.length - Math.max(scale, 0)
  const whole = padded.slice(0, point).replace(/^0+(?=\d)/, '')
  const fraction = padded.slice(point).replace(/(?<!0)0+$/, '')
  const sign = decimal.negative && /[1-9]/.test(digits) ? '-' : ''
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/**
 * A fraction with no more digits than a spreadsheet holds: it writes 19.99 as 19.989999999999998. Rounded as decimal
 * text, half away from zero; a number of fewer digits stays as it is written.
 */
export function sureDigits(text: string): string {
  const decimal = readDecimal(text)
  const digits = decimal?.digits.replace(/^0+/, '') ?? ''
  if (decimal === null || digits.length <= SURE_DIGITS || Math.abs(decimal.scale) > 40) return text
  const over = digits.length - SURE_DIGITS
  if (over > decimal.scale) return text
  const unit = 10n ** BigInt(over)
  const rounded = (BigInt(digits) + unit / 2n) / unit
  const scale = decimal.scale - over
  const padded = String(rounded).padStart(scale + 1, '0')
  const whole = padded.slice(0, padded.length - scale)
  const fraction = padded.slice(padded.length - scale).replace(/(?<!0)0+$/, '')
  return `${decimal.negative ? '-' : ''}${whole}${scale > 0 && fraction !== '' ? `.${fraction}` : ''}`
}
