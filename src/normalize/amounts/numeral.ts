/**
 * An unsigned numeral: `values` are canonical decimal texts as printed (no padding), one when read, two
 * when the separator can be read both ways, none when it is not a numeral.
 */
export interface Numeral {
  readonly values: readonly string[]
  readonly flags: readonly string[]
}

export interface NumeralOptions {
  /** Proven or declared decimal sign. */
  readonly decimal?: '.' | ',' | undefined
  /** True when a currency or unit beside the number makes `412,375` a grouped number. */
  readonly commaGroups?: boolean
  /** True when nothing but this one number can stand in the text, as in a cell, so that well-grouped spaces group. */
  readonly spaceGroups?: boolean
}

const NONE: Numeral = { values: [], flags: [] }
const SHAPE = /^[\d.,' ]+$/
const SCIENTIFIC = /^(\d{1,30})(?:\.(\d{1,30}))?e([-+]?\d{1,3})$/i
/** Exponents beyond this are slips, not amounts. */
const MAX_EXPONENT = 30

/** Reads digits, separators and inner spaces by the separator rules; nothing is guessed. */
export function readNumeral(text: string, options: NumeralOptions): Numeral {
  const scientific = SCIENTIFIC.exec(text)
  if (scientific) return readScientific(scientific)
  if (!SHAPE.test(text) || !/\d/.test(text)) return NONE
  if (text.includes(' ')) return readSpaced(text, options)
  if (text.includes("'")) return readGroupedBy(text, "'", options)
  return readSeparated(text, options)
}

/** What one numeral proves on its own about the decimal sign; null when nothing. */
export function numeralEvidence(text: string): '.' | ',' | null {
  const comma = text.lastIndexOf(',')
  const dot = text.lastIndexOf('.')
  if (comma < 0 && dot < 0) return null
  const numeral = readSeparated(text, {})
  if (numeral.values.length !== 1) return null
  if (comma >= 0 && dot >= 0) return dot > comma ? '.' : ','
  const separator = comma >= 0 ? ',' : '.'
  const isGrouping = text.indexOf(separator) !== text.lastIndexOf(separator)
  if (isGrouping) return separator === ',' ? '.' : ','
  return separator
}

function readSeparated(text: string, options: NumeralOptions): Numeral {
  const comma = text.lastIndexOf(',')
  const dot = text.lastIndexOf('.')
  if (comma < 0 && dot < 0) return one(text, '')
  if (comma >= 0 && dot >= 0) return readMixed(text, dot > comma ? '.' : ',', options)
  const separator = comma >= 0 ? ',' : '.'
  if (text.indexOf(separator) !== text.lastIndexOf(separator)) return readAllGrouped(text, separator, options)
  return readSingleSeparator(text, separator, options)
}

/** Both signs: the last one is the decimal sign, the other groups by three. */
function readMixed(text: string, decimal: '.' | ',', options: NumeralOptions): Numeral {
  const group = decimal === '.' ? ',' : '.'
  const at = text.lastIndexOf(decimal)
  const whole = text.slice(0, at)
  if (whole.includes(decimal) || !isGrouped(whole, group)) return NONE
  if (options.decimal && options.decimal !== decimal && text.length - at - 1 !== 2) return NONE
  return one(whole.replaceAll(group, ''), text.slice(at + 1), decimal === ',' ? ['EU_DECIMAL'] : [])
}

/** The same sign twice or more can only group. */
function readAllGrouped(text: string, separator: '.' | ',', options: NumeralOptions): Numeral {
  if (!isGrouped(text, separator)) return NONE
  if (options.decimal === separator && separator === ',') return NONE
  return one(text.replaceAll(separator, ''), '', separator === '.' ? ['GROUP_DOT'] : [])
}

function readSingleSeparator(text: string, separator: '.' | ',', options: NumeralOptions): Numeral {
  const at = text.indexOf(separator)
  const whole = text.slice(0, at)
  const fraction = text.slice(at + 1)
  if (fraction === '' && (separator === ',' || whole === '')) return NONE
  const asDecimal = one(whole, fraction, separator === ',' ? ['EU_DECIMAL'] : [])
  const canGroup = isGrouped(text, separator)
  if (options.decimal === separator) return asDecimal
  if (options.decimal !== undefined)
    return canGroup ? one(whole + fraction, '', separator === '.' ? ['GROUP_DOT'] : []) : NONE
  if (!canGroup) return asDecimal
  if (separator === ',' && options.commaGroups) return one(whole + fraction, '')
  return { values: [canonical(whole, fraction), canonical(whole + fraction, '')], flags: ['AMBIGUOUS_NUMBER'] }
}

/**
 * Spaces group by three where the decimal sign is a comma, or where only one number can stand; elsewhere they are slips
 * inside one number. Two whole numbers side by side in running text are never joined.
 */
function readSpaced(text: string, options: NumeralOptions): Numeral {
  const isContinental = options.decimal === ',' || (options.decimal === undefined && text.includes(','))
  if (isContinental && /^\d{1,3}(?: \d{3})+(?:,\d+)?$/.test(text)) return readGroupedBy(text, ' ', options)
  if (options.spaceGroups && /^\d{1,3}(?: \d{3})+(?:[.,]\d+)?$/.test(text)) {
    const grouped = readGroupedBy(text, ' ', options)
    return grouped.values.length === 0 ? NONE : { ...grouped, flags: [...grouped.flags, 'INNER_SPACE'] }
  }
  if (text.split(' ').every(part => /^\d{1,3}(?:,\d{3})*(?:\.\d+)?$|^\d+(?:\.\d+)?$/.test(part))) return NONE
  const joined = text.replaceAll(' ', '')
  if (!/[.,]/.test(joined)) return NONE
  const numeral = readSeparated(joined, options)
  return numeral.values.length === 0 ? NONE : { ...numeral, flags: [...numeral.flags, 'INNER_SPACE'] }
}

function readGroupedBy(text: string, group: string, options: NumeralOptions): Numeral {
  const end = text.search(/[.,]/)
  const whole = end < 0 ? text : text.slice(0, end)
  const tail = end < 0 ? '' : text.slice(end + 1)
  if (!isGrouped(whole, group) || !/^\d*$/.test(tail)) return NONE
  const sign = end < 0 ? '.' : text[end]
  if (options.decimal && sign !== options.decimal && tail !== '') return NONE
  return one(whole.replaceAll(group, ''), tail, sign === ',' && group === ' ' ? ['EU_DECIMAL'] : [])
}

function readScientific(parts: RegExpExecArray): Numeral {
  const [whole, fraction, exponent] = [parts[1] ?? '', parts[2] ?? '', parts[3] ?? '']
  const places = Number(exponent)
  if (Math.abs(places) > MAX_EXPONENT) return NONE
  const padded = places >= 0 ? whole + fraction.padEnd(places, '0') : whole.padStart(1 - places, '0') + fraction
  const point = places >= 0 ? whole.length + places : Math.max(whole.length, 1 - places) + places
  return { values: [canonical(padded.slice(0, point), padded.slice(point))], flags: ['SCIENTIFIC_NOTATION'] }
}

/** One to three digits not starting with 0, then groups of exactly three; or digits without any group. */
function isGrouped(text: string, group: string): boolean {
  const parts = text.split(group)
  const first = parts[0] ?? ''
  if (parts.length === 1) return /^\d+$/.test(first)
  return /^[1-9]\d{0,2}$/.test(first) && parts.slice(1).every(part => /^\d{3}$/.test(part))
}

function one(whole: string, fraction: string, flags: readonly string[] = []): Numeral {
  return { values: [canonical(whole, fraction)], flags }
}

function canonical(whole: string, fraction: string): string {
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  return fraction === '' ? digits : `${digits}.${fraction}`
}
