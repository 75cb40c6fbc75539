import type { Reading, ReadingContext } from '../model/reading.ts'
import { isBlackedOut, isNotANumber, readAbsence } from './absence.ts'
import { readCandidate } from './dates/date-reading.ts'
import { numericDateEvidence, readNumericDate } from './dates/numeric-date.ts'
import { splitTime } from './dates/time-of-day.ts'
import { readWrittenDate } from './dates/written-date.ts'
import { withPlainInnerHyphens } from './invisible.ts'
import { isWithinRepairGate, repairDigits } from './ocr.ts'
import { absent, found, invalid, MAX_VALUE_LENGTH, withFlags } from './outcome.ts'
import { foldText } from './text.ts'

const ISO = /^[12]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/
const SPACED_SEPARATOR = / ?([-/.]) ?(?=\d)/g
const CONTINGENT =
  /substantial completion|commencement date|delivery of possession|(?:following|after|upon) (?:the )?(?:delivery|completion|issuance|approval|execution|substantial|date)|later (?:to occur )?of|earlier (?:to occur )?of|days? (?:after|following)|month (?:following|after)/i
const CONTINUOUS = /^(?:until (?:cancell?ed|terminated)|continuous)\b/i

/**
 * A calendar day as `YYYY-MM-DD`. The written day is never shifted by a zone, rolled over or completed.
 * Not found: `INVALID_DATE`, `DATE_PARTIAL` (readings hold the month or year), `AMBIGUOUS_DATE` (all
 * readings, ascending), `SENTINEL_DATE`, `CONTINGENT_DATE`, `CONTINUOUS_POLICY`, `UNFILLED_BLANK`, `REDACTED`,
 * `PLACEHOLDER`, `EXPLICIT_NONE`. Found with assumptions: `TWO_DIGIT_YEAR`, `DATE_ORDER_SWITCHED`, `DATE_ORDER_FROM_PLACE`,
 * `EXCEL_SERIAL`, `EPOCH_MS`, `EPOCH_S`, `OCR_REPAIR`.
 */
export function readDate(raw: string, context: ReadingContext): Reading<string> {
  if (raw.length === 10 && ISO.test(raw)) return readIso(raw)
  if (raw.length > MAX_VALUE_LENGTH) return invalid(['INVALID_DATE'])
  const text = withPlainInnerHyphens(foldText(raw.normalize('NFKC')))
  const absence = readAbsence(text)
  if (absence) return absence
  if (isNotANumber(text)) return absent('PLACEHOLDER')
  if (isBlackedOut(text)) return { value: null, status: 'redacted', flags: ['REDACTED'] }
  if (text.includes('__')) return absent('UNFILLED_BLANK')
  const reading = readDateText(text, context)
  if (reading.status !== 'invalid' || context.source !== 'ocr') return reading
  return readRepaired(text, context) ?? reading
}

/** Whether `readDate` surely gives the text back as it stands, without a flag; false proves nothing. */
export function isPlainDate(raw: string): boolean {
  return raw.length === 10 && ISO.test(raw) && isEveryMonthsDay(raw)
}

/**
 * What one cell proves on its own about the order of a numeric date: a part above 12 is a day, four
 * digits in front are a year. Null when it proves nothing. `ymd` says nothing about `mdy` or `dmy`.
 */
export function dateEvidence(raw: string): 'mdy' | 'dmy' | 'ymd' | null {
  if (raw.length === 10 && ISO.test(raw)) return 'ymd'
  if (raw.length > 40) return null
  return numericDateEvidence(splitTime(foldText(raw)).date)
}

const dayOf = (iso: string): number => (iso.charCodeAt(8) - 48) * 10 + iso.charCodeAt(9) - 48

/** A day that each month has and no program writes for none. */
const isEveryMonthsDay = (iso: string): boolean => dayOf(iso) <= 28 && iso !== '1900-01-01'

function readIso(raw: string): Reading<string> {
  if (isEveryMonthsDay(raw)) return found(raw)
  const [year, month, day] = [Number(raw.slice(0, 4)), Number(raw.slice(5, 7)), dayOf(raw)]
  return readCandidate({ year, month, day, flags: [] })
}

function readDateText(text: string, context: ReadingContext): Reading<string> {
  const { date, isValid } = splitTime(text)
  if (!isValid) return invalid(['INVALID_DATE'])
  const numeric = readNumericDate(date.includes(' ') ? date.replace(SPACED_SEPARATOR, '$1') : date, context)
  if (numeric) return numeric
  const written = readWrittenDate(date, context)
  if (written) return written
  if (CONTINUOUS.test(text)) return { value: null, status: 'not_applicable', flags: ['CONTINUOUS_POLICY'] }
  return CONTINGENT.test(text) ? absent('CONTINGENT_DATE') : invalid(['INVALID_DATE'])
}

/** Look-alikes are replaced only in tokens that hold a digit or are one look-alike where a day stands. */
function readRepaired(text: string, context: ReadingContext): Reading<string> | null {
  let repairs = 0
  const repaired = text.replace(/["°]/g, '').replace(/[^\s,./-]+/g, token => {
    if (!/\d/.test(token) && !/^[OIl|!Q]{1,2}$/.test(token)) return token
    const suffix = /(?:st|nd|rd|th)$/i.exec(token)?.[0] ?? ''
    const fixed = repairDigits(token.slice(0, token.length - suffix.length))
    repairs += fixed.repairs
    return fixed.text + suffix
  })
  const strays = text.length - repaired.length
  if (repairs + strays === 0 || !isWithinRepairGate(repairs + strays, text)) return null
  const reading = readDateText(repaired, context)
  return reading.status === 'invalid' ? null : withFlags(reading, ['OCR_REPAIR'])
}
