import { addDays, addMonths, daysBetween } from '../../../model/calendar.ts'
import type { Json } from '../../../model/json.ts'
import { type Reason, reasonOf } from '../../../model/reasons.ts'
import { rentFlags } from '../../../normalize/amounts/sums.ts'
import { readDate } from '../../../normalize/date.ts'
import { readMoney } from '../../../normalize/money.ts'
import type { Evidence } from '../../find/evidence.ts'
import { byColumn, originOfRow, type Row, type TableKind, tablesOf } from '../../find/layout/tables.ts'
import { findAmounts, findDates } from '../../find/values/mentions.ts'
import type { Drafts, View } from '../../find/view.ts'
import { perMonth } from './lease-rent.ts'

type Heading = 'period' | 'monthly' | 'annual' | 'other'

const PER_AREA = /\b(?:per (?:rentable )?(?:square|sq|rsf|sf)|psf|rsf|square f|sq\.? ?f)|\/ ?(?:r?sf|sq)/i
const MONTHLY = /\bmonthly\b|\bper month\b|\bmonth'?s? (?:base )?(?:rent|installment)|\/ ?mo\b/i
const ANNUAL = /\bannual(?:ly|ized)?\b|\byearly\b|\bper (?:year|annum)\b/i
const PERIOD =
  /^(?:\d{1,2}\.\d{1,2} )?(?:(?:lease|rental|rent|base rent|time|applicable|calendar) )?(?:period|years?|months?|terms?|dates?|from|to|begin(?:ning|s)?|end(?:ing|s)?|through|months? of (?:the )?term|start|commencing|(?:base|minimum|fixed|basic) rent)(?: ?\(s\))?(?: (?:of|in|during)(?: the)? (?:lease )?term)?[:*]?$|^(?:period|months?|years?)\b/i

function headingOf(text: string): Heading | null {
  if (/[$£€]\d|\d{3}/.test(text)) return null
  if (PER_AREA.test(text)) return 'other'
  if (MONTHLY.test(text) && !ANNUAL.test(text)) return 'monthly'
  if (ANNUAL.test(text)) return 'annual'
  return PERIOD.test(text) ? 'period' : null
}

/** Rent that is not asked for a time. */
const FREE = /^(?:free(?: rent)?|abated?|waived|no (?:base )?rent|none|-0-|\$? ?0(?:\.00)?)\b/i
const isAmount = (text: string | undefined): boolean =>
  text !== undefined && (FREE.test(text) || findAmounts(text).length === 1)

const KIND: TableKind<Heading> = {
  heading: headingOf,
  isHead: names => names.has('period') && (names.has('monthly') || names.has('annual')),
  isRow: texts =>
    /\d|\b(?:one|two|three|four|five|first|second|third|fourth|fifth)\b/i.test(texts.get('period') ?? '') &&
    (isAmount(texts.get('monthly')) || isAmount(texts.get('annual')))
}

/** One step of the rent: for which time, and how much. */
export interface RentStep {
  readonly from: string | null
  readonly to: string | null
  /** First and last month of the term, counted from 1, where the step is told by them. */
  readonly months: readonly [number, number] | null
  readonly monthly: string | null
  readonly annual: string | null
  readonly row: Row
}

function amountOf(text: string | undefined, view: View): string | null {
  if (text === undefined) return null
  if (FREE.test(text)) return '0.00'
  const [amount] = findAmounts(text)
  return amount ? readMoney(amount.raw, view.context).value : null
}

/** `Months 1-12`, `13 – 24`, `Lease Year 2`, `3`: the months of the term a step is for. */
function monthsOf(text: string, isYears: boolean): [number, number] | null {
  const range = /(\d{1,3}) ?(?:-|–|—|through|thru|to) ?(?:months? )?(\d{1,3})\b/i.exec(text)
  const [first, last] = [Number(range?.[1] ?? 0), Number(range?.[2] ?? 0)]
  if (range && first > 0 && last >= first) return isYears ? [first * 12 - 11, last * 12] : [first, last]
  const single = /^(?:(?:lease )?(?:year|month) )?(\d{1,3})(?:st|nd|rd|th)?(?: (?:lease )?(?:year|month))?[.:]?$/i.exec(
    text
  )
  const one = Number(single?.[1] ?? 0)
  if (one === 0) return null
  return isYears || /year/i.test(text) ? [one * 12 - 11, one * 12] : [one, one]
}

function stepOf(row: Row, texts: ReadonlyMap<Heading, string>, isYears: boolean, view: View): RentStep {
  const period = texts.get('period') ?? ''
  const dates = findDates(period).map(({ raw }) => readDate(raw, { ...view.context, yearPivot: 'future' }).value)
  return {
    from: dates[0] ?? null,
    to: dates[1] ?? null,
    months: dates.length > 0 ? null : monthsOf(period, isYears),
    monthly: amountOf(texts.get('monthly'), view),
    annual: amountOf(texts.get('annual'), view),
    row
  }
}

/** The steps of the first rent schedule of a document; none where it holds no table of rents. */
export function rentSteps(view: View): RentStep[] {
  for (const { head, columns, rows } of tablesOf(view.sheet, KIND)) {
    const titles = head.cells.map(cell => cell.text).join(' ')
    if (/\b(?:option|renewal|extension|market)\b/i.test(titles)) continue
    const isYears = /\byears?\b/i.test(head.cells.find(cell => headingOf(cell.text) === 'period')?.text ?? '')
    const steps = rows.map(row => stepOf(row, byColumn(row, columns), isYears, view))
    if (steps.some(step => step.monthly !== null || step.annual !== null)) return steps
  }
  return []
}

/** A rent of the first step that is not free. */
const STATED = 0.9
/** The same, its yearly figure beside it. */
const BORNE_OUT = 0.96

const disagrees = ({ monthly, annual }: RentStep): boolean =>
  monthly !== null && annual !== null && rentFlags(monthly, annual).includes('RENT_ARITHMETIC_MISMATCH')

/** The rent of the first step that asks one, and the schedule itself. */
export function scheduleEvidence(view: View): Evidence[] {
  const steps = rentSteps(view)
  const first = steps.find(({ monthly, annual }) => !/^0(?:\.0+)?$/.test(monthly ?? annual ?? '0'))
  const origin = first ? originOfRow(first.row) : null
  if (!first || !origin) return []
  const value = first.monthly ?? (first.annual === null ? null : perMonth(first.annual))
  if (value === null) return []
  const isBoth = first.monthly !== null && first.annual !== null && !disagrees(first)
  const raw = first.row.cells.map(cell => cell.text).join(' ')
  const base = { raw, origin, via: 'schedule' }
  const rent: Evidence = {
    ...base,
    field: 'base_rent',
    value,
    status: first.monthly === null ? 'derived' : 'found',
    flags: first.monthly === null ? ['PER_MONTH_FROM_YEAR'] : [],
    score: isBoth ? BORNE_OUT : STATED
  }
  return steps.length < 2
    ? [rent]
    : [rent, { ...base, field: 'rent_schedule', value: [], status: 'found', flags: [], score: STATED }]
}

interface Dated {
  readonly from: string | null
  readonly to: string | null
}

function datesOf({ from, to, months }: RentStep, start: string | null): Dated {
  if (from !== null || months === null || start === null) return { from, to }
  return { from: addMonths(start, months[0] - 1), to: addDays(addMonths(start, months[1]), -1) }
}

const itemOf = (step: RentStep, { from, to }: Dated): Record<string, Json> => ({
  ...(from === null ? {} : { from }),
  ...(to === null ? {} : { to }),
  ...(step.monthly === null ? {} : { monthly: step.monthly }),
  ...(step.annual === null ? {} : { annual: step.annual })
})

/** A rent that is asked past the end of the term, the rest of its month aside: end or schedule was read wrong, or is. */
const goesBeyond = (to: string | null, end: Json | undefined): boolean =>
  to !== null && typeof end === 'string' && daysBetween(end, to) > 31

/** Fills in the schedule, now that the start of the term is known, and tells where its rows do not hold together. */
export function scheduleReasons(drafts: Drafts, view: View): Reason[] {
  const steps = rentSteps(view)
  const draft = drafts.get('rent_schedule')
  if (steps.length === 0) return []
  const reasons = steps
    .filter(disagrees)
    .slice(0, 1)
    .map(step => reasonOf('RENT_ARITHMETIC_MISMATCH', { field: 'base_rent', origin: originOfRow(step.row) }))
  const start = drafts.get('lease_start')?.value
  const dated = steps.map(step => datesOf(step, typeof start === 'string' ? start : null))
  if (draft)
    drafts.set('rent_schedule', {
      ...draft,
      value: steps.map((step, at) => itemOf(step, dated[at] ?? { from: null, to: null }))
    })
  const broken = steps.find((_, at) => {
    const [here, next] = [dated[at], dated[at + 1]]
    if (!here?.to || !next?.from) return false
    const following = addDays(here.to, 1)
    return next.from !== following && next.from !== here.to
  })
  const last = steps.at(-1)
  const isBeyond = goesBeyond(dated.at(-1)?.to ?? null, drafts.get('lease_end')?.value)
  const place = broken ?? (isBeyond ? last : undefined)
  if (!place) return reasons
  const origin = originOfRow(place.row)
  return [...reasons, reasonOf('SCHEDULE_GAP', { field: 'rent_schedule', origin, severity: 'block' })]
}
