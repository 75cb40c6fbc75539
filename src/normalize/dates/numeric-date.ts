import { formatIso, fromDayNumber, isRealDate } from '../../model/calendar.ts'
import type { Reading, ReadingContext } from '../../model/reading.ts'
import { ambiguous, found, invalid, withFlags } from '../outcome.ts'
import { type DateCandidate, readCandidate, readCandidates } from './date-reading.ts'
import { expandYear } from './year.ts'

const THREE_PARTS = /^(\d{1,4})([-/. ])(\d{1,2})\2(\d{1,4})$/
const PARTIAL = /^(?:(\d{4})[-/.](\d{1,2})|(\d{1,2})[-/.](\d{4})|(\d{4}))$/
const DIGITS = /^\d{5,13}$/
const COMPACT_TIMESTAMP = /^(\d{8})(?:[01]\d|2[0-3])[0-5]\d[0-5]\d$/
const SERIAL = /^\d{5}(?:\.\d{1,12})?$/

/** Serial days outside this range (1954-10-03 to 2064-04-08) are more likely other numbers. */
const FIRST_SERIAL = 20_000
const LAST_SERIAL = 60_000
/** Day numbers of 1899-12-30 and 1904-01-01, day 0 of the two spreadsheet systems. */
const SERIAL_EPOCH = { '1900': -25569, '1904': -24107 } as const
const MS_PER_DAY = 86_400_000n

type Order = 'mdy' | 'dmy' | 'ymd'

/** The day number a spreadsheet would show for a date, or null for any other text. */
export function serialOf(text: string): number | null {
  if (!SERIAL.test(text)) return null
  const serial = Number(text.slice(0, 5))
  return serial < FIRST_SERIAL || serial > LAST_SERIAL ? null : serial
}

/** The day a spreadsheet of that system means by a day number. */
export function serialDay(serial: number, system: '1900' | '1904'): string {
  return formatIso(fromDayNumber(SERIAL_EPOCH[system] + serial))
}

/** A date written in digits and separators only, or null when the text is not of that form. */
export function readNumericDate(text: string, context: ReadingContext): Reading<string> | null {
  const parts = THREE_PARTS.exec(text)
  if (parts) return readParts([parts[1] ?? '', parts[3] ?? '', parts[4] ?? ''], parts[2] ?? '', context)
  if (context.serialDates !== undefined && SERIAL.test(text)) return readSerial(text, context.serialDates)
  const stamp = COMPACT_TIMESTAMP.exec(text)?.[1]
  if (stamp !== undefined) return readEightDigits(stamp, { ...context, dateOrder: 'ymd' })
  if (DIGITS.test(text)) return readDigits(text, context)
  return readPartial(text)
}

/** What one numeric date proves on its own about the order of its parts; null when nothing. */
export function numericDateEvidence(text: string): Order | null {
  const parts = THREE_PARTS.exec(text)
  if (!parts) return null
  const [first = '', second = '', last = ''] = [parts[1], parts[3], parts[4]]
  if (first.length === 4) return 'ymd'
  if (last.length !== 4) return Number(second) > 12 && Number(second) <= 31 && Number(first) <= 12 ? 'mdy' : null
  if (Number(first) > 12 && Number(first) <= 31 && Number(second) >= 1 && Number(second) <= 12) return 'dmy'
  return Number(second) > 12 && Number(second) <= 31 && Number(first) >= 1 && Number(first) <= 12 ? 'mdy' : null
}

function readParts(
  parts: readonly [string, string, string],
  separator: string,
  context: ReadingContext
): Reading<string> {
  const [first, second, last] = parts
  if (first.length === 3 || last.length === 3 || (first.length !== 4 && last.length === 1))
    return invalid(['INVALID_DATE'])
  if (first.length === 4) {
    if (last.length > 2) return invalid(['INVALID_DATE'])
    return readCandidate({ year: Number(first), month: Number(second), day: Number(last), flags: [] })
  }
  if (Number(first) === 0 && Number(second) === 0) return readCandidate({ year: 0, month: 0, day: 0, flags: [] })
  const order = context.dateOrder
  if (order === 'ymd' && last.length <= 2 && first.length === 2) return readCandidate(arrange(parts, 'ymd', context))
  if (order === 'mdy' || order === 'dmy') {
    const reading = readOrdered(parts, order, context)
    const isAssumed = context.isOrderOfPlace === true && first !== second && Number(first) <= 12 && Number(second) <= 12
    return isAssumed ? withFlags(reading, ['DATE_ORDER_FROM_PLACE']) : reading
  }
  const orders: Order[] = ['mdy', 'dmy']
  if (last.length <= 2 && first.length === 2 && separator === '-') orders.push('ymd')
  return readCandidates(orders.map(each => arrange(parts, each, context)))
}

/** The declared order; the other one only when the declared one gives a month that does not exist. */
function readOrdered(
  parts: readonly [string, string, string],
  order: 'mdy' | 'dmy',
  context: ReadingContext
): Reading<string> {
  const declared = arrange(parts, order, context)
  if (declared.month <= 12) return readCandidate(declared)
  const other = arrange(parts, order === 'mdy' ? 'dmy' : 'mdy', context)
  return readCandidate({ ...other, flags: [...other.flags, 'DATE_ORDER_SWITCHED'] })
}

function arrange(parts: readonly [string, string, string], order: Order, context: ReadingContext): DateCandidate {
  const [first, second, last] = parts
  const written = order === 'ymd' ? first : last
  const isShort = written.length <= 2
  const year = isShort ? expandYear(Number(written), context) : Number(written)
  const flags = isShort ? ['TWO_DIGIT_YEAR'] : []
  if (order === 'mdy') return { year, month: Number(first), day: Number(second), flags }
  if (order === 'dmy') return { year, month: Number(second), day: Number(first), flags }
  return { year, month: Number(second), day: Number(last), flags }
}

function readSerial(text: string, system: '1900' | '1904'): Reading<string> {
  const serial = serialOf(text)
  return serial === null ? invalid(['INVALID_DATE']) : found(serialDay(serial, system), ['EXCEL_SERIAL'])
}

function readDigits(text: string, context: ReadingContext): Reading<string> {
  if (text.length === 8) return readEightDigits(text, context)
  const serial = context.source === 'cell' ? serialOf(text) : null
  if (serial !== null) return invalid(['INVALID_DATE'], [serialDay(serial, '1900'), serialDay(serial, '1904')])
  if (context.source !== 'json' || (text.length !== 13 && text.length !== 10)) return invalid(['INVALID_DATE'])
  const milliseconds = text.length === 13 ? BigInt(text) : BigInt(text) * 1000n
  const iso = formatIso(fromDayNumber(Number(milliseconds / MS_PER_DAY)))
  const written = text.length === 10 ? writtenWithHour(text) : null
  if (written !== null) return ambiguous(['AMBIGUOUS_DATE'], [written, iso].toSorted())
  return found(iso, [text.length === 13 ? 'EPOCH_MS' : 'EPOCH_S'])
}

/** The day of `2024031510` read as day and hour, which is also a number of seconds; null when it is no such day. */
function writtenWithHour(text: string): string | null {
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(4, 6)), Number(text.slice(6, 8))]
  const isHour = Number(text.slice(8)) <= 23
  return isHour && isPlausibleYear(year) && isRealDate({ year, month, day }) ? formatIso({ year, month, day }) : null
}

function readEightDigits(text: string, context: ReadingContext): Reading<string> {
  const yearFirst: DateCandidate = {
    year: Number(text.slice(0, 4)),
    month: Number(text.slice(4, 6)),
    day: Number(text.slice(6)),
    flags: []
  }
  if (context.dateOrder === 'ymd' || text === '00000000' || isPlausibleYear(yearFirst.year) || yearFirst.year > 9990) {
    return readCandidate(yearFirst)
  }
  const parts = [text.slice(0, 2), text.slice(2, 4), text.slice(4)] as const
  if (!isPlausibleYear(Number(parts[2]))) return invalid(['INVALID_DATE'])
  if (context.dateOrder) return readOrdered(parts, context.dateOrder, context)
  return readCandidates([arrange(parts, 'mdy', context), arrange(parts, 'dmy', context)])
}

function isPlausibleYear(year: number): boolean {
  return year >= 1800 && year <= 2199
}

function readPartial(text: string): Reading<string> | null {
  const parts = PARTIAL.exec(text)
  if (!parts) return null
  const year = parts[1] ?? parts[4] ?? parts[5] ?? ''
  const month = parts[2] ?? parts[3]
  if (!isPlausibleYear(Number(year))) return invalid(['INVALID_DATE'])
  if (month === undefined) return invalid(['DATE_PARTIAL'], [year])
  if (Number(month) < 1 || Number(month) > 12) return invalid(['INVALID_DATE'])
  return invalid(['DATE_PARTIAL'], [`${year}-${month.padStart(2, '0')}`])
}
